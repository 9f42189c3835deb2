package org.capacityobservatory.shipper;

import org.capacityobservatory.log.JudgedLine;

/** Which envelope times tell when a line was written. */
final class EventTime {
  /** An envelope time this far ahead of the read doesn't move the source's clock. */
  static final long FUTURE_MILLIS = 60_000;

  /** 2299-12-31T23:59:59.999Z: the tables know no later time. */
  private static final long MAX_MILLIS = 10_413_791_999_999L;

  private EventTime() {}

  /**
   * Whether the line's envelope has a time that a clock can have shown: Kafka knows none before
   * 1970, and writers of unset times use the year 1.
   */
  static boolean isTold(JudgedLine line) {
    return line.hasTime() && line.timeMillis() >= 0 && line.timeMillis() <= MAX_MILLIS;
  }
}
