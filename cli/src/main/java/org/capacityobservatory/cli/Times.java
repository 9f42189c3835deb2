package org.capacityobservatory.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;

/** Times as they are written on the command line. */
final class Times {
  private Times() {}

  static Instant read(String option, String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new UsageException(
          option + " must be a time such as 2026-11-30T09:00:00Z, not " + text);
    }
  }

  /** A time that must be a whole minute, since cells of minutes can't be cut. */
  static Instant readMinute(String option, String text) {
    Instant time = read(option, text);
    if (!time.equals(time.truncatedTo(ChronoUnit.MINUTES))) {
      throw new UsageException(option + " must be a whole minute, not " + text);
    }
    return time;
  }
}
