package org.capacityobservatory.calibration;

import java.util.Arrays;

/**
 * When each call can have been requested, told by the load balancer's whole-second stamp and by
 * whether a worker was free.
 *
 * <p>The stamp S says that the request came in S … S + 1 s. A request that found a free worker
 * began at once, so its arrival is known; one that waited came while all workers of its task were
 * busy. Only heavy calls are in the lines, so workers busy with light ones look free: where the
 * stamp proves a wait that heavy calls don't explain, the whole second stands, and it is counted.
 */
final class RequestWindows {
  /** Clock rounding and hand-over between a worker's calls, ms; the lines carry whole ms. */
  private static final long TOLERANCE_MILLIS = 20;

  private static final long STAMP_MILLIS = 1000;

  /** End, held and queue time are each cut or rounded to the ms. */
  private static final long ROUNDING_MILLIS = 3;

  /**
   * How much later than the call's end its line was written, as far as the stamp tells: mod 1 s.
   */
  final long[] lateMillis;

  final long[] earliestMillis;
  final long[] latestMillis;

  /** Waits of 1 s and more while heavy calls left a worker free. */
  int unexplainedWaits;

  /** Most heavy calls seen at once on a task. */
  int mostOnTask;

  /** Lines whose end, held and queue time don't meet a whole second: their time is late. */
  int offStamp;

  RequestWindows(int calls) {
    lateMillis = new long[calls];
    earliestMillis = new long[calls];
    latestMillis = new long[calls];
  }

  /**
   * Fills the windows; moves {@code acquired}, {@code ended} and {@code stamp} of late lines back.
   *
   * @param task task of each call
   * @param acquired epoch ms
   * @param ended epoch ms
   * @param stamp epoch ms, or acquired where the line has no queue time
   * @param stamped whether the line has a queue time
   * @param workers per task; 0 for no limit
   */
  static RequestWindows of(
      int[] task,
      int tasks,
      long[] acquired,
      long[] ended,
      long[] stamp,
      boolean[] stamped,
      int workers) {
    RequestWindows windows = new RequestWindows(acquired.length);
    for (int i = 0; i < acquired.length; i++) {
      if (stamped[i]) {
        windows.correct(i, stamp, acquired, ended);
      }
    }
    long[] busySince = windows.busySince(task, tasks, acquired, ended, workers);
    for (int i = 0; i < acquired.length; i++) {
      windows.fill(i, acquired[i], stamp[i], stamped[i], busySince[i]);
    }
    return windows;
  }

  /** How late a call's line was, as far as its stamp tells (mod 1 s); 0 without a stamp. */
  static long latenessMillis(RecordedCall recorded) {
    if (recorded.call().queueMs() == null || recorded.call().heldMs() == null) {
      return 0;
    }
    return Math.floorMod(recorded.requestedAtMillis() + ROUNDING_MILLIS, STAMP_MILLIS)
        - ROUNDING_MILLIS;
  }

  /**
   * Moves a call back by what its line was late. The stamp is a whole second, so what is left over
   * of one is the time between the call's end and its line's.
   */
  private void correct(int i, long[] stamp, long[] acquired, long[] ended) {
    long second = Math.floorDiv(stamp[i] + ROUNDING_MILLIS, STAMP_MILLIS) * STAMP_MILLIS;
    lateMillis[i] = stamp[i] - second;
    stamp[i] = second;
    acquired[i] -= lateMillis[i];
    ended[i] -= lateMillis[i];
    if (lateMillis[i] > TOLERANCE_MILLIS) {
      offStamp++;
    }
  }

  private void fill(int i, long acquired, long second, boolean stamped, long busySince) {
    if (!stamped) {
      earliestMillis[i] = acquired;
      latestMillis[i] = acquired;
      return;
    }
    long from = second;
    long to = Math.max(from, Math.min(second + STAMP_MILLIS - 1, acquired));
    if (busySince == Long.MAX_VALUE) {
      if (acquired <= to + TOLERANCE_MILLIS) {
        from = to;
      } else {
        unexplainedWaits++;
      }
    } else {
      from = Math.min(to, Math.max(from, busySince));
    }
    earliestMillis[i] = from;
    latestMillis[i] = to;
  }

  /** Since when all workers of a call's task were busy as it began; MAX_VALUE if one was free. */
  private long[] busySince(int[] task, int tasks, long[] acquired, long[] ended, int workers) {
    int calls = acquired.length;
    long[] since = new long[calls];
    // Without a limit a worker is always free.
    Arrays.fill(since, Long.MAX_VALUE);
    // Ends before begins at one moment: a hand-over leaves the count as it was.
    long[] events = new long[2 * calls];
    for (int i = 0; i < calls; i++) {
      events[2 * i] = i * 2L;
      events[2 * i + 1] = i * 2L + 1;
    }
    Long[] order = Arrays.stream(events).boxed().toArray(Long[]::new);
    Arrays.sort(
        order,
        (a, b) -> {
          // A hand-over may look like an overlap of as much as the rounding.
          long timeA =
              a % 2 == 0 ? ended[(int) (a / 2)] - ROUNDING_MILLIS : acquired[(int) (a / 2)];
          long timeB =
              b % 2 == 0 ? ended[(int) (b / 2)] - ROUNDING_MILLIS : acquired[(int) (b / 2)];
          int byTime = Long.compare(timeA, timeB);
          return byTime != 0 ? byTime : Long.compare(a % 2, b % 2);
        });
    int[] busy = new int[tasks];
    long[] fullSince = new long[tasks];
    long[] fullUntil = new long[tasks];
    Arrays.fill(fullSince, Long.MAX_VALUE);
    Arrays.fill(fullUntil, Long.MIN_VALUE);
    for (long event : order) {
      int call = (int) (event / 2);
      int on = task[call];
      if (event % 2 == 0) {
        if (ended[call] > acquired[call]) {
          if (workers > 0 && busy[on] == workers) {
            fullUntil[on] = ended[call];
          }
          busy[on]--;
        }
      } else {
        long now = acquired[call];
        boolean handedOver = now - fullUntil[on] <= TOLERANCE_MILLIS && fullUntil[on] > 0;
        if (workers > 0 && (busy[on] >= workers || handedOver)) {
          since[call] = fullSince[on];
        }
        if (ended[call] > acquired[call]) {
          busy[on]++;
          mostOnTask = Math.max(mostOnTask, busy[on]);
          if (workers > 0 && busy[on] == workers && !handedOver) {
            fullSince[on] = now;
          }
        }
      }
    }
    return since;
  }
}
