package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.capacityobservatory.calibration.Scenario.Enforcement;
import org.jspecify.annotations.Nullable;

/**
 * What a calibration is asked.
 *
 * @param changes dotted paths laid over the config in force; empty to ask about that config
 * @param enforcement all or aware
 * @param aware sources whose clients know 429s; null when not told
 * @param closed whether runs wait for their own calls
 * @param retries whether refused calls are tried again
 * @param workers per task; 0 for no limit
 * @param fittedService held time from the fitted stretch, else as recorded
 * @param seeds replays of the demand for each answer; 0 to choose by its size
 * @param seed the first seed
 * @param threads at most this many replays at once
 * @param extras whether curves, what-ifs and a recommendation are asked for too
 * @param constraints what a recommendation must satisfy
 * @param modelError relative error by metric path from a scorecard; widens the intervals
 */
public record Options(
    Map<String, Object> changes,
    Enforcement enforcement,
    @Nullable Set<String> aware,
    boolean closed,
    boolean retries,
    int workers,
    boolean fittedService,
    int seeds,
    long seed,
    int threads,
    boolean extras,
    List<Constraint> constraints,
    Map<String, Double> modelError) {
  /** Copies the collections and checks the numbers, all at once. */
  public Options {
    changes = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(changes));
    aware = aware == null ? null : Set.copyOf(aware);
    constraints = List.copyOf(constraints);
    modelError = Map.copyOf(modelError);
    List<String> problems = new ArrayList<>();
    if (workers < 0 || workers > 10_000) {
      problems.add("workers must be 0 (no limit) to 10000, not " + workers);
    }
    if (seeds < 0 || seeds > 10_000) {
      problems.add("seeds must be 1 to 10000, not " + seeds);
    }
    if (threads < 1) {
      problems.add("threads must be at least 1, not " + threads);
    }
    if (!problems.isEmpty()) {
      throw new InvalidConfigException(problems);
    }
  }

  /** The config in force, enforced for all, closed loops, fitted service, four workers a task. */
  public static Options defaults() {
    return new Options(
        Map.of(),
        Enforcement.ALL,
        null,
        true,
        true,
        4,
        true,
        0,
        1,
        Runtime.getRuntime().availableProcessors(),
        false,
        List.of(),
        Map.of());
  }

  /**
   * Whom the config in force enforces for, as far as the lines tell: {@code all} or {@code aware}.
   */
  public static String enforceForIn(Recording recording) {
    return ConfigTimeline.of(recording).last().enforceFor();
  }

  /** The same with other changes. */
  public Options withChanges(Map<String, Object> other) {
    return new Options(
        other,
        enforcement,
        aware,
        closed,
        retries,
        workers,
        fittedService,
        seeds,
        seed,
        threads,
        extras,
        constraints,
        modelError);
  }
}
