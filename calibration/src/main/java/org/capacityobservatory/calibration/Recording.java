package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.capacityobservatory.log.CapacityCall;

/**
 * What was recorded over some stretch of time: calls and changes in order of event time, and what
 * could not be used, counted by reason. Immutable.
 *
 * @param calls by end, then source
 * @param changes by time
 * @param read what was read and what of it could not be used
 */
public record Recording(List<RecordedCall> calls, List<RecordedChange> changes, Read read) {
  /**
   * Counts of what was read.
   *
   * @param lines logical lines
   * @param notOurs lines of others on the same stream
   * @param unusable lines of the limiter that can't be read, by reason
   * @param untimed lines of the limiter whose envelope has no time
   * @param repeated lines that stood twice, byte for byte and at the same time
   * @param dropped lines that the sink says it dropped
   */
  public record Read(
      long lines,
      long notOurs,
      Map<String, Long> unusable,
      long untimed,
      long repeated,
      long dropped) {}

  /** Copies the lists. */
  public Recording {
    calls = List.copyOf(calls);
    changes = List.copyOf(changes);
  }

  /** Collects a recording line by line, in any order. Not safe for several threads. */
  public static final class Builder {
    private final List<RecordedCall> calls = new ArrayList<>();
    private final List<RecordedChange> changes = new ArrayList<>();
    private final Map<String, Long> unusable = new TreeMap<>();
    private final Set<RecordedCall> seen = new HashSet<>();
    private long lines;
    private long notOurs;
    private long untimed;
    private long repeated;
    private long dropped;

    /** Counts a line of any kind. */
    public void line() {
      lines++;
    }

    /** Counts a line of others. */
    public void notOurs() {
      notOurs++;
    }

    /** Counts a line of the limiter that can't be read. */
    public void unusable(String reason) {
      unusable.merge(reason, 1L, Long::sum);
    }

    /** Counts a line without a time. */
    public void untimed() {
      untimed++;
    }

    /** Counts lines that the sink dropped. */
    public void dropped(long count) {
      dropped += count;
    }

    /** Takes a call; the same line given twice counts once. */
    public void call(long endedAtMillis, String source, CapacityCall call) {
      // The source is left out: one file given under two names is still one set of lines. Without
      // a cid two honest lines may be equal, so those are never taken for one.
      if (call.cid() != null && !seen.add(new RecordedCall(endedAtMillis, "", call))) {
        repeated++;
        return;
      }
      Long lost = call.logDropped();
      dropped += lost == null ? 0 : lost;
      calls.add(new RecordedCall(endedAtMillis, source, call));
    }

    /** Takes a change of the config. */
    public void change(RecordedChange change) {
      if (changes.contains(change)) {
        repeated++;
        return;
      }
      Long lost = change.change().logDropped();
      dropped += lost == null ? 0 : lost;
      changes.add(change);
    }

    /** What was collected, in order. */
    public Recording build() {
      Comparator<String> text = Comparator.nullsFirst(Comparator.naturalOrder());
      calls.sort(
          Comparator.comparingLong(RecordedCall::endedAtMillis)
              .thenComparing(c -> c.call().task(), text)
              .thenComparing(c -> c.call().cid(), text)
              .thenComparing(RecordedCall::source));
      changes.sort(Comparator.comparingLong(RecordedChange::atMillis));
      return new Recording(
          calls,
          changes,
          new Read(lines, notOurs, Map.copyOf(unusable), untimed, repeated, dropped));
    }
  }
}
