package org.capacityobservatory.calibration;

import java.util.Arrays;

/** What one replay came to, call by call and lane by lane. */
final class Outcome {
  /** How a call ended. */
  static final byte DONE = 0;

  /** Its client waited as long as it does and gave up. */
  static final byte GAVE_UP = 1;

  /** Refused, and its client doesn't know 429s. */
  static final byte FAILED = 2;

  /** Refused, and nothing is tried again in this scenario. */
  static final byte GONE = 3;

  /** Its user's daily allowance was used up. */
  static final byte OVER_ALLOWANCE = 4;

  /** Killed by the API's own 600 s timeout. */
  static final byte KILLED = 5;

  final byte[] ending;
  final int[] attempts;
  final int[] refusals;
  final long[] waitedMicros;
  final long[] wantedAt;
  final long[] endedAt;
  final long[] heldMicros;

  /** Load balancer to view; −1 for a call that never got through. */
  final long[] queueMicros;

  /** The same as the limiter would log it: the stamp has whole seconds. */
  final long[] loggedQueueMicros;

  final long[] refusedForLanes = new long[1 << LanePolicy.LANES];

  /** Per lane, refusals that report it: the first paused lane that is full, else the first full. */
  final long[] refusedWithScope = new long[LanePolicy.LANES];

  /** Calls that went ahead though a lane was full: what shadow mode logs as refused. */
  long passedThoughFull;

  final LaneClock clock;
  final int[] longestStreakOfUser;
  final int[] refusedWithinFairShareOfUser;
  final long[] leaseMicrosOfUser;
  final int[] mostAttemptsInDayOfUser;
  long events;

  Outcome(int calls, int users, LaneClock clock) {
    ending = new byte[calls];
    attempts = new int[calls];
    refusals = new int[calls];
    waitedMicros = new long[calls];
    wantedAt = new long[calls];
    endedAt = new long[calls];
    heldMicros = new long[calls];
    queueMicros = new long[calls];
    loggedQueueMicros = new long[calls];
    Arrays.fill(queueMicros, -1);
    Arrays.fill(loggedQueueMicros, -1);
    longestStreakOfUser = new int[users];
    refusedWithinFairShareOfUser = new int[users];
    leaseMicrosOfUser = new long[users];
    mostAttemptsInDayOfUser = new int[users];
    this.clock = clock;
  }
}
