package org.capacityobservatory.alarms;

import java.time.Instant;
import java.util.Map;

/** How far minutes may be judged. */
public interface Progress {
  /**
   * The time before which minutes may be judged, for each clock; a clock that isn't there has none
   * yet.
   *
   * @param now wall clock
   */
  Map<Metric.Clock, Instant> until(Instant now);
}
