package org.capacityobservatory.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.capacityobservatory.calibration.Constraint;
import org.capacityobservatory.calibration.InvalidConfigException;
import org.capacityobservatory.calibration.LimiterConfig;
import org.capacityobservatory.calibration.Options;
import org.capacityobservatory.calibration.Recording;
import org.capacityobservatory.calibration.Requirements;
import org.capacityobservatory.calibration.Scenario.Enforcement;
import org.jspecify.annotations.Nullable;

/**
 * What a calibration or a what-if is asked.
 *
 * @param period calls that ended within are the evidence
 * @param changes laid over the config in force, by dotted path
 * @param enforceFor all or aware; null as the config asked about says
 * @param aware sources whose clients know 429s; null for all
 * @param constraints what a recommendation must keep, as text
 * @param explore whether curves and a recommendation are wanted; null to choose by size
 * @param workers of each API task; null for four
 * @param require what the gate must hold it against; null for no verdict
 */
record ReplayQuestion(
    Period period,
    Map<String, Object> changes,
    @Nullable String enforceFor,
    @Nullable List<String> aware,
    List<String> constraints,
    @Nullable Boolean explore,
    @Nullable Long workers,
    @Nullable JsonNode require) {
  static final List<String> FIELDS_OF_WHAT_IF =
      List.of("from", "to", "changes", "enforce_for", "aware", "workers");
  static final List<String> FIELDS_OF_GATE =
      List.of("from", "to", "changes", "enforce_for", "aware", "workers", "require");
  static final List<String> FIELDS =
      List.of(
          "from",
          "to",
          "changes",
          "enforce_for",
          "aware",
          "workers",
          "constraints",
          "explore",
          "require");

  /** Up to so many calls curves and the like are quick enough to come unasked. */
  static final int CALLS_EXPLORED_UNASKED = 20_000;

  private static final int WORKERS = 4;

  /** Reads a request's body; what is wrong is told with the parameters' errors. */
  static ReplayQuestion of(Ask ask, List<String> fields) {
    Body body = new Body(ask, fields);
    List<String> constraints = body.texts("constraints", 50, 200);
    ReplayQuestion question =
        new ReplayQuestion(
            body.period(),
            body.changes("changes"),
            body.choice("enforce_for", List.of("all", "aware")),
            body.texts("aware", 100, 50),
            constraints == null ? List.of() : constraints,
            body.flag("explore"),
            body.integer("workers", 0, 10_000),
            body.objectOrNull("require"));
    question.checkRequirements(ask.parameters());
    try {
      question.parsedConstraints();
    } catch (InvalidConfigException e) {
      ask.parameters()
          .error(
              "constraints", String.valueOf(e.getMessage()), "use PATH <= BOUND or PATH >= BOUND");
    }
    return question;
  }

  private void checkRequirements(Parameters parameters) {
    try {
      requirements();
    } catch (InvalidConfigException e) {
      e.problems().forEach(one -> parameters.error("require", one, "mend this requirement"));
    }
  }

  /**
   * What the gate must hold it against; null for no verdict.
   *
   * @throws InvalidConfigException naming every requirement that is wrong
   */
  @Nullable Requirements requirements() {
    // JSON is YAML too, so the gate's file and the API's field have the same rules.
    return require == null ? null : Requirements.parse(require.toString());
  }

  /** Unknown paths and wrong types are told before any call is read. */
  void checkPaths(Parameters parameters) {
    changes.forEach(
        (path, value) -> {
          try {
            LimiterConfig.starting().with(Map.of(path, value));
          } catch (InvalidConfigException e) {
            // A rule between two values may hold once all are laid over the config in force.
            if (e.problems().stream().anyMatch(p -> p.startsWith(path) && !isRange(p))) {
              parameters.error("changes", e.problems().get(0), "mend this value");
            }
          }
        });
    parameters.check();
  }

  private static boolean isRange(String problem) {
    return problem.contains(" must be ") && problem.contains(" to ");
  }

  /** Options for an answer while one waits: no curves, all processors. */
  Options plainOptions(Recording recording) {
    return new ReplayQuestion(
            period, changes, enforceFor, aware, List.of(), false, workers, require)
        .options(recording, Math.max(1, Runtime.getRuntime().availableProcessors()));
  }

  private List<Constraint> parsedConstraints() {
    return constraints.stream().map(Constraint::one).toList();
  }

  /**
   * The library's options for the calls that were found.
   *
   * @throws InvalidConfigException when values break the library's rules
   */
  Options options(Recording recording, int threads) {
    boolean extras = explore == null ? recording.calls().size() <= CALLS_EXPLORED_UNASKED : explore;
    return new Options(
        changes,
        enforcement(recording),
        aware == null ? null : Set.copyOf(aware),
        true,
        true,
        workers == null ? WORKERS : Math.toIntExact(workers),
        true,
        0,
        1,
        threads,
        extras,
        parsedConstraints(),
        Map.of());
  }

  Enforcement enforcement(Recording recording) {
    Object asked =
        enforceFor != null
            ? enforceFor
            : changes.getOrDefault("enforce_for", Options.enforceForIn(recording));
    return "all".equals(asked) ? Enforcement.ALL : Enforcement.AWARE;
  }

  /** As it is kept beside the result. */
  Map<String, @Nullable Object> tree() {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("from", period.from().toString());
    tree.put("to", period.to().toString());
    tree.put("changes", changes);
    tree.put("enforce_for", enforceFor);
    tree.put("aware", aware);
    tree.put("constraints", constraints);
    tree.put("explore", explore);
    tree.put("workers", workers);
    tree.put("require", require);
    return tree;
  }

  /** From what was kept. */
  static ReplayQuestion of(JsonNode kept) {
    Map<String, Object> changes = new LinkedHashMap<>();
    kept.path("changes")
        .properties()
        .forEach(
            e ->
                changes.put(
                    e.getKey(),
                    e.getValue().isInt() ? (Object) e.getValue().asInt() : e.getValue().asText()));
    List<String> constraints = new ArrayList<>();
    kept.path("constraints").forEach(one -> constraints.add(one.asText()));
    return new ReplayQuestion(
        new Period(
            Instant.parse(kept.path("from").asText()), Instant.parse(kept.path("to").asText())),
        changes,
        kept.path("enforce_for").isTextual() ? kept.path("enforce_for").asText() : null,
        null,
        constraints,
        kept.path("explore").isBoolean() ? (Boolean) kept.path("explore").asBoolean() : null,
        null,
        kept.path("require").isObject() ? kept.path("require") : null);
  }
}
