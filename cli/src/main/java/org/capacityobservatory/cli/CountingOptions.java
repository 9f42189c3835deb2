package org.capacityobservatory.cli;

import java.time.Duration;
import java.util.List;
import org.capacityobservatory.metrics.MetricsConfig;
import org.capacityobservatory.metrics.ValueClasses;
import picocli.CommandLine.Option;

/** How calls are counted; the same wherever minutes are made. */
final class CountingOptions {
  @Option(
      names = "--source-classes",
      paramLabel = "VALUE|CLASS=VALUE",
      split = ",",
      defaultValue = "automatch,mapper-row,tbv3",
      description =
          "Classes of request_source to count by; all else is other (default: ${DEFAULT-VALUE}).")
  private List<String> sourceClasses;

  @Option(
      names = "--algorithm-classes",
      paramLabel = "VALUE|CLASS=VALUE",
      split = ",",
      defaultValue = "ocl-semantic,ocl-bridge,ocl-ciel-bridge",
      description =
          "Classes of algorithm_id to count by; all else is other (default: ${DEFAULT-VALUE}).")
  private List<String> algorithmClasses;

  @Option(
      names = "--near-limit-share",
      paramLabel = "SHARE",
      defaultValue = "0.8",
      description =
          "From which share of its limit a lane counts as near it (default: ${DEFAULT-VALUE}).")
  private double nearLimitShare;

  double nearLimitShare() {
    return nearLimitShare;
  }

  /**
   * How calls are counted, and when their minutes end.
   *
   * @throws IllegalArgumentException naming every value that is wrong
   */
  MetricsConfig config(Duration grace, Duration idleAfter) {
    return new MetricsConfig(
        ValueClasses.of(sourceClasses),
        ValueClasses.of(algorithmClasses),
        nearLimitShare,
        grace,
        idleAfter);
  }
}
