package org.capacityobservatory.api;

import java.time.Duration;
import java.time.Instant;

/**
 * A stretch of event time.
 *
 * @param from the start, inclusive
 * @param to the end, exclusive
 */
record Period(Instant from, Instant to) {
  long fromMs() {
    return from.toEpochMilli();
  }

  long toMs() {
    return to.toEpochMilli();
  }

  Duration length() {
    return Duration.between(from, to);
  }
}
