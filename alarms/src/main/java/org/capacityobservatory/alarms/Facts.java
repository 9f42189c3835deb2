package org.capacityobservatory.alarms;

import java.time.Instant;
import java.util.List;

/** Where minutes are read: ClickHouse, a rule test's own data, or a simulated future. */
public interface Facts {
  /**
   * The facts of a metric in minutes that start in a stretch of time.
   *
   * @param from inclusive, a minute's start
   * @param to exclusive, a minute's start
   */
  List<Fact> between(Metric metric, Instant from, Instant to);

  /** Whether a metric's past minutes are known here; where not, no facts would mean nothing. */
  default boolean knows(Metric metric) {
    return metric.hasHistory();
  }
}
