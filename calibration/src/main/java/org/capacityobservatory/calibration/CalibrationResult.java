package org.capacityobservatory.calibration;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.capacityobservatory.calibration.Finding.Weight;
import org.capacityobservatory.calibration.Scenario.Enforcement;
import org.jspecify.annotations.Nullable;

/** A calibration's whole answer, computed once, ready to be written as JSON, text or a page. */
public final class CalibrationResult {
  /** The version of the program and of its model; a result names it. */
  public static final String VERSION = "0.1.0";

  private static final int LISTED_USERS = 10;

  final Calibration calibration;
  final Forecast predicted;
  final @Nullable Forecast inForce;
  final Forecast selfCheck;
  final Map<List<String>, Forecast> awareDependence;
  final List<Exploration.Binding> bindings;
  final Map<String, List<Exploration.Point>> curves;
  final List<Exploration.Alternative> alternatives;
  final Exploration.@Nullable Recommendation recommendation;
  final @Nullable Forecast recommended;

  private CalibrationResult(Calibration calibration, Consumer<String> progress) {
    this.calibration = calibration;
    Options options = calibration.options();
    predicted = calibration.predict(progress);
    boolean asksOther = !calibration.candidate().steps().equals(calibration.inForce().steps());
    inForce = asksOther ? calibration.predict(calibration.inForce(), progress) : null;
    selfCheck = calibration.selfCheck();
    boolean extras = options.extras() && calibration.demand().size() > 0;
    Exploration exploration = new Exploration(calibration, progress);
    awareDependence = extras ? calibration.awareDependence() : Map.of();
    bindings = extras ? exploration.bindings(predicted) : List.of();
    curves = extras ? exploration.curves() : Map.of();
    alternatives = extras ? exploration.alternatives() : List.of();
    recommendation = extras ? exploration.recommend(constraintsOf(options, calibration)) : null;
    recommended =
        recommendation != null && recommendation.chosen() != null
            ? calibration.predict(
                calibration.inForce().with(recommendation.chosen().changes()), progress)
            : null;
  }

  /** Computes the answer. */
  public static CalibrationResult of(Calibration calibration, Consumer<String> progress) {
    return new CalibrationResult(calibration, progress);
  }

  /** Where nothing is asked: keep a quarter of the workers free, and nobody shut out. */
  private static List<Constraint> constraintsOf(Options options, Calibration calibration) {
    if (!options.constraints().isEmpty()) {
      return options.constraints();
    }
    int tasks = Math.max(1, calibration.demand().tasks().size());
    List<Constraint> constraints = new ArrayList<>();
    if (options.workers() > 0) {
      constraints.add(
          new Constraint(
              "heavy_in_flight.p999", true, Math.max(1, options.workers() * tasks * 3 / 4)));
    }
    constraints.add(new Constraint("by.tier.*.given_up_share", true, 0.001));
    return constraints;
  }

  /** The prediction of the config asked about. */
  public Forecast predicted() {
    return predicted;
  }

  /** Share of recorded calls that shadow mode logged as refused; NaN without calls. */
  public double shadowRefusedShare() {
    long calls = 0;
    long refused = 0;
    for (RecordedCall recorded : calibration.recording().calls()) {
      String decision = recorded.call().decision();
      calls += "refused".equals(decision) ? 0 : 1;
      refused += "shadow-refused".equals(decision) ? 1 : 0;
    }
    return Measures.share(refused, calls);
  }

  /** What keeps this from being a conclusion; empty when nothing does. */
  public List<String> cannotConclude() {
    return calibration.findings().stream()
        .filter(f -> f.weight() == Weight.BLOCKS)
        .map(Finding::text)
        .toList();
  }

  /** The answer as a tree for JSON. */
  public Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("program", program());
    tree.put("calls", calibration.demand().size());
    tree.put("period", period());
    tree.put("summary", new Summary(this).sentences());
    tree.put("cannot_conclude", cannotConclude());
    tree.put("findings", findingsTree());
    tree.put("config", configTree());
    tree.put("assumptions", assumptions());
    tree.put("observed", observed());
    tree.put("predicted", forecastTree(predicted));
    tree.put("whole", wholeTree(predicted));
    tree.put("users", usersTree());
    tree.put("service", serviceTree());
    tree.put("self_check", selfCheckTree());
    tree.put("audit", auditTree());
    if (inForce != null) {
      tree.put("in_force", forecastTree(inForce));
    }
    if (!bindings.isEmpty()) {
      putExtras(tree);
    }
    return tree;
  }

  private void putExtras(Map<String, Object> tree) {
    List<Object> lanes = new ArrayList<>();
    for (Exploration.Binding b : bindings) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("lane", b.lane());
      one.put("alone", b.alone());
      one.put("together", b.together());
      one.put("refused_calls_share_if_lifted", b.liftedShare());
      one.put("binds_next", b.nextLane());
      one.put("says", b.says());
      lanes.add(one);
    }
    tree.put("binding", lanes);
    Map<String, Object> curveTree = new LinkedHashMap<>();
    curves.forEach(
        (path, points) -> {
          List<Object> list = new ArrayList<>();
          for (Exploration.Point point : points) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("value", point.value());
            one.putAll(brief(point.forecast()));
            list.add(one);
          }
          curveTree.put(path, list);
        });
    tree.put("curves", curveTree);
    List<Object> whatIf = new ArrayList<>();
    for (Exploration.Alternative a : alternatives) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", a.name());
      one.put("title", a.title());
      one.putAll(brief(a.forecast()));
      whatIf.add(one);
    }
    tree.put("what_if", whatIf);
    List<Object> aware = new ArrayList<>();
    awareDependence.forEach(
        (sources, forecast) -> {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("aware", sources);
          one.putAll(brief(forecast));
          one.put("failed_share", forecast.of(Metric.FAILED_SHARE).value());
          aware.add(one);
        });
    tree.put("aware_dependence", aware);
    if (recommendation != null) {
      tree.put("recommendation", recommendationTree(recommendation));
    }
  }

  private static Map<String, Object> brief(Forecast forecast) {
    Map<String, Object> brief = new LinkedHashMap<>();
    brief.put("refused_calls_share", forecast.of(Metric.REFUSED_CALLS_SHARE).value());
    brief.put("refused_attempts", forecast.of(Metric.REFUSED_ATTEMPTS).value());
    brief.put(
        "single_row_refused_share",
        forecast.of("single_row", "true", Metric.REFUSED_CALLS_SHARE).value());
    brief.put("wait_s_mean", forecast.of(Metric.WAIT_MEAN).value());
    brief.put("wait_s_p95", forecast.of(Metric.WAIT_P95).value());
    brief.put("held_ms_p95", forecast.of(Metric.HELD_P95).value());
    brief.put("given_up_share", forecast.of(Metric.GIVEN_UP_SHARE).value());
    brief.put("heavy_in_flight_p999", forecast.whole("heavy_in_flight.p999").value());
    brief.put("allowance_burnt", forecast.whole("allowance.burnt_by_retries").value());
    return brief;
  }

  private Map<String, Object> recommendationTree(Exploration.Recommendation r) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("screened", r.screened());
    tree.put("constraints", r.constraints().stream().map(Constraint::toString).toList());
    tree.put("reason", r.reason());
    List<Object> pareto = new ArrayList<>();
    for (Exploration.Candidate candidate : r.pareto()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("patch", ConfigText.nested(candidate.changes()));
      one.putAll(brief(candidate.forecast()));
      pareto.add(one);
    }
    tree.put("pareto", pareto);
    Exploration.Candidate chosen = r.chosen();
    tree.put("patch", chosen == null ? null : ConfigText.nested(chosen.changes()));
    tree.put("command", chosen == null ? null : ConfigText.setCommand(chosen.changes()));
    if (recommended != null) {
      tree.put("predicted", forecastTree(recommended));
    }
    return tree;
  }

  private static Map<String, Object> program() {
    Map<String, Object> program = new LinkedHashMap<>();
    program.put("name", "capacity calibrate");
    program.put("version", VERSION);
    return program;
  }

  private @Nullable Map<String, Object> period() {
    long[] period = calibration.period();
    if (period == null) {
      return null;
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("from", Instant.ofEpochMilli(period[0]).toString());
    tree.put("to", Instant.ofEpochMilli(period[1]).toString());
    return tree;
  }

  private List<Object> findingsTree() {
    List<Object> list = new ArrayList<>();
    for (Finding finding : calibration.findings()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("code", finding.code());
      one.put("weight", finding.weight().name().toLowerCase(java.util.Locale.ROOT));
      one.put("count", finding.count());
      one.put("text", finding.text());
      list.add(one);
    }
    return list;
  }

  private Map<String, Object> configTree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    LimiterConfig now = calibration.inForce().last();
    LimiterConfig asked = calibration.candidate().last();
    tree.put("in_force", ConfigText.nested(now.paths()));
    tree.put("asked", ConfigText.nested(asked.paths()));
    tree.put("changes", asked.changesFrom(now));
    tree.put("steps_in_the_period", calibration.inForce().steps().size());
    tree.put("assumed", calibration.inForce().assumed());
    return tree;
  }

  private Map<String, Object> assumptions() {
    Options o = calibration.options();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("enforce_for", o.enforcement() == Enforcement.AWARE ? "aware" : "all");
    tree.put("clients", o.closed() ? "closed" : "open");
    tree.put("retries", o.retries() ? "obey" : "none");
    tree.put("aware", o.aware() == null ? null : o.aware().stream().sorted().toList());
    tree.put("sources", calibration.demand().sources());
    tree.put("workers_per_task", o.workers());
    tree.put("tasks", calibration.demand().tasks());
    tree.put("load_balancer", calibration.demand().dealsInTurn ? "in turn" : "at random");
    tree.put("service", o.fittedService() ? "fitted" : "recorded");
    tree.put("seeds", calibration.seeds());
    tree.put("seed", o.seed());
    tree.put("runs", calibration.demand().runs());
    tree.put("runs_and_sessions", calibration.demand().units());
    return tree;
  }

  private Map<String, Object> observed() {
    long refused = 0;
    List<Long> held = new ArrayList<>();
    List<Long> queue = new ArrayList<>();
    for (RecordedCall recorded : calibration.recording().calls()) {
      boolean isRefused = "refused".equals(recorded.call().decision());
      refused += isRefused ? 1 : 0;
      Long heldMs = recorded.call().heldMs();
      Long queueMs = recorded.call().queueMs();
      if (heldMs != null) {
        held.add(heldMs);
      }
      if (queueMs != null && !isRefused) {
        queue.add(queueMs);
      }
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("shadow_refused_share", shadowRefusedShare());
    tree.put("refused_lines", refused);
    tree.put("held_ms", percentiles(held));
    tree.put("queue_ms", percentiles(queue));
    return tree;
  }

  private static Map<String, Object> percentiles(List<Long> values) {
    long[] sorted = values.stream().mapToLong(v -> v).toArray();
    Arrays.sort(sorted);
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("p50", Measures.percentile(sorted, sorted.length, 0.5));
    tree.put("p95", Measures.percentile(sorted, sorted.length, 0.95));
    return tree;
  }

  static Map<String, Object> forecastTree(Forecast forecast) {
    Map<String, Object> tree = metricsTree(forecast.metrics());
    Map<String, Object> by = new LinkedHashMap<>();
    forecast
        .byDimension()
        .forEach(
            (dimension, values) -> {
              Map<String, Object> one = new LinkedHashMap<>();
              values.forEach(
                  (value, metrics) -> {
                    Map<String, Object> group = new LinkedHashMap<>();
                    group.put("calls", forecast.calls(dimension, value));
                    group.putAll(metricsTree(metrics));
                    one.put(value, group);
                  });
              by.put(dimension, one);
            });
    tree.put("by", by);
    return tree;
  }

  private static Map<String, Object> metricsTree(Map<Metric, Estimate> metrics) {
    Map<String, Object> flat = new LinkedHashMap<>();
    metrics.forEach((metric, estimate) -> flat.put(metric.path(), estimateTree(estimate)));
    return ConfigText.nested(flat);
  }

  private static Map<String, Object> estimateTree(Estimate estimate) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("value", estimate.value());
    tree.put("low", estimate.low());
    tree.put("high", estimate.high());
    return tree;
  }

  private static Map<String, Object> wholeTree(Forecast forecast) {
    Map<String, Object> tree = new LinkedHashMap<>();
    forecast
        .whole()
        .forEach(
            (name, estimate) -> {
              if (!name.startsWith("users.")) {
                tree.put(name, estimateTree(estimate));
              }
            });
    return tree;
  }

  /** A user among victims or aggressors. */
  record UserFairness(String user, double withinFairShare, double streak, double heldSeconds) {}

  List<UserFairness> users() {
    List<UserFairness> users = new ArrayList<>();
    for (Long id : calibration.demand().names.userIds()) {
      String name = "users." + id + ".";
      users.add(
          new UserFairness(
              id < 0 ? DemandReader.UNKNOWN : Long.toString(id),
              predicted.whole(name + "refused_within_fair_share").value(),
              predicted.whole(name + "longest_refused_streak").value(),
              predicted.whole(name + "held_s").value()));
    }
    return users;
  }

  List<UserFairness> victims() {
    return users().stream()
        .filter(u -> u.withinFairShare() > 0)
        .sorted(
            Comparator.comparingDouble(UserFairness::withinFairShare)
                .reversed()
                .thenComparing(UserFairness::user))
        .limit(LISTED_USERS)
        .toList();
  }

  /** Users who hold more than twice an equal share. */
  List<UserFairness> aggressors() {
    double total = users().stream().mapToDouble(UserFairness::heldSeconds).sum();
    double equal = total / Math.max(1, users().size());
    return users().stream()
        .filter(u -> u.heldSeconds() > 2 * equal)
        .sorted(
            Comparator.comparingDouble(UserFairness::heldSeconds)
                .reversed()
                .thenComparing(UserFairness::user))
        .limit(LISTED_USERS)
        .toList();
  }

  private Map<String, Object> usersTree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("victims", victims().stream().map(CalibrationResult::userTree).toList());
    tree.put("aggressors", aggressors().stream().map(CalibrationResult::userTree).toList());
    return tree;
  }

  private static Map<String, Object> userTree(UserFairness user) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("user", user.user());
    tree.put("refused_within_fair_share", user.withinFairShare());
    tree.put("longest_refused_streak", user.streak());
    tree.put("held_s", user.heldSeconds());
    return tree;
  }

  private Map<String, Object> serviceTree() {
    ServiceModel service = calibration.demand().service();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("shape", service.shape().name().toLowerCase(java.util.Locale.ROOT));
    tree.put("driver", service.driver().name().toLowerCase(java.util.Locale.ROOT));
    tree.put("knee", service.knee());
    List<Object> groups = new ArrayList<>();
    for (ServiceModel.Coefficient group : service.groups()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("calls", group.name());
      one.put("k", group.k());
      one.put("standard_error", group.standardError());
      groups.add(one);
    }
    tree.put("coefficients", groups);
    tree.put("explained_share", service.explained());
    tree.put("residual_log_sd", service.residual());
    tree.put("samples", service.samples());
    tree.put("in_flight_from", service.lowest());
    tree.put("in_flight_to", service.highest());
    return tree;
  }

  private Map<String, Object> selfCheckTree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("says", "The same replay with nobody refused, beside the lines it was made from");
    tree.put("shadow_refused_share", selfCheck.whole("shadow_refused_share").value());
    tree.put("held_ms_p50", selfCheck.of(Metric.HELD_P50).value());
    tree.put("held_ms_p95", selfCheck.of(Metric.HELD_P95).value());
    tree.put("queue_ms_p50", selfCheck.of(Metric.QUEUE_P50).value());
    tree.put("queue_ms_p95", selfCheck.of(Metric.QUEUE_P95).value());
    return tree;
  }

  private Map<String, Object> auditTree() {
    Audit audit = calibration.audit();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("leases", audit.leases());
    tree.put("agreeing_share", audit.agreeingShare());
    tree.put("mean_drift", audit.meanDrift());
    List<Object> minutes = new ArrayList<>();
    for (Audit.Drift drift : audit.drift()) {
      if (Math.abs(drift.meanDrift()) >= 0.5) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("minute", Instant.ofEpochMilli(drift.minute()).toString());
        one.put("calls", drift.calls());
        one.put("mean_drift", drift.meanDrift());
        minutes.add(one);
      }
    }
    tree.put("drifting_minutes", minutes);
    return tree;
  }
}
