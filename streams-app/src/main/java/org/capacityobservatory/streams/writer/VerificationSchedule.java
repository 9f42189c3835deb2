package org.capacityobservatory.streams.writer;

import java.time.Duration;

/**
 * When the writer recounts what it has stored.
 *
 * @param every how often, at least 1 s
 * @param period how much, ending at the newest complete minute, at least 1 min
 * @param patience for how long a difference must last to be one
 * @param nearLimitShare from which share of its limit a lane counts as near it, as the job was told
 */
public record VerificationSchedule(
    Duration every, Duration period, Duration patience, double nearLimitShare) {
  /** Checks all values. */
  public VerificationSchedule {
    if (every.compareTo(Duration.ofSeconds(1)) < 0
        || period.compareTo(Duration.ofMinutes(1)) < 0
        || patience.isNegative()) {
      throw new IllegalArgumentException(
          "Recounts every %s of %s with patience of %s: at least 1 s, 1 min and 0"
              .formatted(every, period, patience));
    }
  }
}
