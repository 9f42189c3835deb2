package org.capacityobservatory.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How calls are counted.
 *
 * @param requestSources classes of {@code request_source}
 * @param algorithms classes of {@code algorithm_id}
 * @param nearLimitShare from which share of its limit a lane counts as near it, above 0, at most 1
 * @param grace how long after a minute's end, by event time, its cells stay open; at least 0
 * @param idleAfter after how long without a line a source is idle, and wall clock carries its event
 *     time on; at least 1 s
 */
public record MetricsConfig(
    ValueClasses requestSources,
    ValueClasses algorithms,
    double nearLimitShare,
    Duration grace,
    Duration idleAfter) {

  /**
   * What the API's present clients call themselves, near from 80 %, grace 15 min, idle after 60 s.
   */
  public static final MetricsConfig DEFAULT =
      new MetricsConfig(
          ValueClasses.of(List.of("automatch", "mapper-row", "tbv3")),
          ValueClasses.of(List.of("ocl-semantic", "ocl-bridge", "ocl-ciel-bridge")),
          0.8,
          Duration.ofMinutes(15),
          Duration.ofSeconds(60));

  /**
   * Checks all values.
   *
   * @throws IllegalArgumentException naming every value that is wrong
   */
  public MetricsConfig {
    List<String> problems = new ArrayList<>();
    if (!(nearLimitShare > 0 && nearLimitShare <= 1)) {
      problems.add("near-limit share is " + nearLimitShare + ": above 0, at most 1");
    }
    if (grace.isNegative()) {
      problems.add("grace is " + grace.toSeconds() + " s: at least 0");
    }
    if (idleAfter.toMillis() < 1000) {
      problems.add("idle after " + idleAfter.toMillis() + " ms: at least 1000");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }
}
