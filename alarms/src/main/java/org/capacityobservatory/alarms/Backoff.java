package org.capacityobservatory.alarms;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** How long to wait before the next try: doubling from 1 s, with jitter, 10 min at most. */
final class Backoff {
  static final Duration LONGEST = Duration.ofMinutes(10);
  private static final int DOUBLINGS = 10;

  private final RandomGenerator random;

  Backoff(RandomGenerator random) {
    this.random = random;
  }

  /**
   * The wait after a failed try.
   *
   * @param tries tries that have failed, 1 or more
   * @param asked what the receiver asked for; honoured up to {@link #LONGEST}, never less
   */
  Duration after(int tries, @Nullable Duration asked) {
    if (asked != null) {
      Duration least = shorter(asked.isNegative() ? Duration.ZERO : asked);
      return shorter(least.plusMillis(random.nextLong(250)));
    }
    long millis = 1_000L << Math.min(tries - 1, DOUBLINGS);
    return shorter(Duration.ofMillis(millis / 2 + random.nextLong(millis / 2 + 1)));
  }

  private static Duration shorter(Duration wait) {
    return wait.compareTo(LONGEST) < 0 ? wait : LONGEST;
  }
}
