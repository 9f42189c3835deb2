package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks round the config asked about: one limit at a time, one lane lifted, one fix under
 * discussion, and many configs at once; all under the same random numbers.
 */
final class Exploration {
  private static final int CURVE_SEEDS = 3;
  private static final int SCREEN_SEEDS = 2;
  private static final int MAX_CURVE_VALUE = 24;
  private static final int CALLS_REPLAYED_UNSCREENED = 20_000;
  private static final int BEST_OF_EACH_CLUSTER = 2;

  /** A share that moves less than this hasn't moved. */
  private static final double NOTABLE_SHARE = 0.01;

  private final Calibration calibration;
  private final Forecaster forecaster;
  private final Consumer<String> progress;

  Exploration(Calibration calibration, Consumer<String> progress) {
    this.calibration = calibration;
    this.forecaster = calibration.forecaster();
    this.progress = progress;
  }

  // ---- Curves ---------------------------------------------------------------------------------

  /** A limit's value and what it leads to. */
  record Point(int value, Forecast forecast) {}

  /** For each limit every value from 1 to where it stops mattering. */
  Map<String, List<Point>> curves() {
    Map<String, List<Integer>> values = new LinkedHashMap<>();
    for (String path : limitPaths()) {
      values.put(path, valuesOf(path));
    }
    List<Scenario> scenarios = new ArrayList<>();
    values.forEach(
        (path, list) -> list.forEach(value -> scenarios.add(asked(Map.of(path, value)))));
    List<Forecast> forecasts =
        forecaster.points(scenarios, seeds(CURVE_SEEDS), done -> told("curves", done, scenarios));
    Map<String, List<Point>> curves = new LinkedHashMap<>();
    int next = 0;
    for (Map.Entry<String, List<Integer>> entry : values.entrySet()) {
      List<Point> points = new ArrayList<>();
      for (int value : entry.getValue()) {
        points.add(new Point(value, forecasts.get(next++)));
      }
      curves.put(entry.getKey(), points);
    }
    return curves;
  }

  private void told(String what, int done, List<?> of) {
    progress.accept(what + ": " + done + " replays for " + of.size() + " configs");
  }

  private int seeds(int wanted) {
    return Math.min(wanted, calibration.seeds());
  }

  private List<String> limitPaths() {
    List<String> paths = new ArrayList<>();
    paths.add(LimiterConfig.CLUSTER);
    paths.add(LimiterConfig.PER_TASK);
    paths.add(LimiterConfig.ES2_KNN);
    paths.add(LimiterConfig.RESERVE);
    LimiterConfig config = calibration.candidate().last();
    for (String tier : calibration.demand().tiers()) {
      if (config.tiers().containsKey(tier)) {
        paths.add(LimiterConfig.TIERS + tier);
      }
      if (config.perUser().containsKey(tier)) {
        paths.add(LimiterConfig.PER_USER + tier);
      }
    }
    return paths;
  }

  /** From 1 (the reserve: 0) to the most that the lane ever holds when this limit is lifted. */
  private List<Integer> valuesOf(String path) {
    LimiterConfig config = calibration.candidate().last();
    int from = path.equals(LimiterConfig.RESERVE) ? 0 : 1;
    int to = path.equals(LimiterConfig.RESERVE) ? config.cluster() : peakWhenLifted(path);
    // A cluster below its reserve is no valid config.
    from = path.equals(LimiterConfig.CLUSTER) ? Math.max(from, config.reserveSingleRow()) : from;
    List<Integer> values = new ArrayList<>();
    for (int value = from; value <= Math.min(MAX_CURVE_VALUE, Math.max(from, to)); value++) {
      values.add(value);
    }
    return values;
  }

  private int peakWhenLifted(String path) {
    Forecast lifted =
        forecaster.point(asked(Map.of(path, LimiterConfig.MAX_LIMIT)), seeds(SCREEN_SEEDS));
    double peak;
    if (path.equals(LimiterConfig.PER_TASK)) {
      peak = 0;
      for (String task : calibration.demand().tasks()) {
        peak = Math.max(peak, lifted.whole("lanes.api_heavy_task." + task + ".peak").value());
      }
    } else if (path.equals(LimiterConfig.ES2_KNN)) {
      peak = lifted.whole("lanes.es2_knn.peak").value();
    } else if (path.equals(LimiterConfig.CLUSTER)) {
      peak = lifted.whole("lanes.api_heavy.peak").value();
    } else {
      // A user never holds more than its tier does.
      String tier = path.substring(path.indexOf('.') + 1);
      peak = lifted.whole("lanes.tier." + tier + ".peak").value();
    }
    return Double.isNaN(peak) ? 1 : (int) Math.ceil(peak);
  }

  private Scenario asked(Map<String, Object> changes) {
    return calibration.scenario(calibration.candidate().with(changes));
  }

  // ---- Which lane binds -----------------------------------------------------------------------

  /**
   * What a lane does to the calls.
   *
   * @param alone share of refusals that only this lane brings about
   * @param together share where it is full beside others
   * @param liftedShare calls refused at least once if the lane were lifted
   * @param nextLane the lane most often full then; null when nothing is refused
   * @param says the answer in a sentence
   */
  record Binding(
      String lane,
      double alone,
      double together,
      double liftedShare,
      @Nullable String nextLane,
      String says) {}

  List<Binding> bindings(Forecast now) {
    List<Scenario> scenarios = new ArrayList<>();
    for (int lane = 0; lane < LanePolicy.LANES; lane++) {
      scenarios.add(asked(lifted(lane)));
    }
    List<Forecast> answers = forecaster.points(scenarios, seeds(CURVE_SEEDS), done -> {});
    Forecast base = forecaster.point(asked(Map.of()), seeds(CURVE_SEEDS));
    List<Binding> bindings = new ArrayList<>();
    for (int lane = 0; lane < LanePolicy.LANES; lane++) {
      bindings.add(binding(lane, now, base, answers.get(lane)));
    }
    return bindings;
  }

  private Map<String, Object> lifted(int lane) {
    Map<String, Object> changes = new LinkedHashMap<>();
    LimiterConfig config = calibration.candidate().last();
    switch (1 << lane) {
      case LanePolicy.API_HEAVY -> changes.put(LimiterConfig.CLUSTER, LimiterConfig.MAX_LIMIT);
      case LanePolicy.API_HEAVY_TASK ->
          changes.put(LimiterConfig.PER_TASK, LimiterConfig.MAX_LIMIT);
      case LanePolicy.ES2_KNN -> changes.put(LimiterConfig.ES2_KNN, LimiterConfig.MAX_LIMIT);
      case LanePolicy.TIER ->
          config
              .tiers()
              .keySet()
              .forEach(t -> changes.put(LimiterConfig.TIERS + t, LimiterConfig.MAX_LIMIT));
      default ->
          config
              .perUser()
              .keySet()
              .forEach(t -> changes.put(LimiterConfig.PER_USER + t, LimiterConfig.MAX_LIMIT));
    }
    return changes;
  }

  private Binding binding(int lane, Forecast now, Forecast base, Forecast lifted) {
    String name = LanePolicy.LANE_NAMES[lane];
    double alone = now.whole("binding." + name + ".alone").value();
    double together = now.whole("binding." + name + ".together").value();
    double before = base.of(Metric.REFUSED_CALLS_SHARE).value();
    double after = lifted.of(Metric.REFUSED_CALLS_SHARE).value();
    String next = mostBinding(lifted);
    double gain = before - after;
    String says;
    if (!(alone + together > 0)) {
      says = name + " never binds.";
    } else if (gain < NOTABLE_SHARE) {
      says =
          "Raising "
              + name
              + " gains nothing"
              + (next == null ? "." : ": " + next + " binds next.");
    } else {
      says =
          "Lifting "
              + name
              + " would spare "
              + Text.percent(gain)
              + " of calls a refusal"
              + (next == null ? "." : "; " + next + " binds next.");
    }
    return new Binding(name, alone, together, after, next, says);
  }

  private static @Nullable String mostBinding(Forecast forecast) {
    String most = null;
    double highest = 0;
    for (String name : LanePolicy.LANE_NAMES) {
      double full =
          forecast.whole("binding." + name + ".alone").value()
              + forecast.whole("binding." + name + ".together").value();
      if (full > highest) {
        highest = full;
        most = name;
      }
    }
    return most;
  }

  // ---- Fixes under discussion, beside limit changes -------------------------------------------

  /** A change and what it leads to. */
  record Alternative(String name, String title, Forecast forecast) {}

  /** Every switch and every limit raised by one, the least mean wait first. */
  List<Alternative> alternatives() {
    List<String> names = new ArrayList<>();
    List<String> titles = new ArrayList<>();
    List<Scenario> scenarios = new ArrayList<>();
    for (WhatIf whatIf : WhatIf.values()) {
      names.add(whatIf.word());
      titles.add(whatIf.title());
      scenarios.add(asked(Map.of()).withWhatIfs(Set.of(whatIf)));
    }
    Map<String, Object> paths = calibration.candidate().last().paths();
    for (String path : limitPaths()) {
      if (paths.get(path) instanceof Integer value && !path.equals(LimiterConfig.RESERVE)) {
        names.add(path + "=" + (value + 1));
        titles.add("Limit " + path + " from " + value + " to " + (value + 1));
        scenarios.add(asked(Map.of(path, value + 1)));
      }
    }
    List<Forecast> answers =
        forecaster.points(scenarios, seeds(CURVE_SEEDS), done -> told("what-if", done, scenarios));
    List<Alternative> alternatives = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      alternatives.add(new Alternative(names.get(i), titles.get(i), answers.get(i)));
    }
    alternatives.sort(
        Comparator.comparingDouble((Alternative a) -> a.forecast().of(Metric.WAIT_MEAN).value())
            .thenComparing(Alternative::name));
    return alternatives;
  }

  // ---- Recommendation -------------------------------------------------------------------------

  /** A screened config. */
  record Candidate(Map<String, Object> changes, Forecast forecast) {}

  /**
   * What screening came to.
   *
   * @param screened how many configs
   * @param pareto configs that no other beats in both mean wait and heavy calls in flight, among
   *     those that keep the constraints
   * @param chosen the recommended one; null when none keeps them all
   * @param reason why that one, or which constraints conflict
   */
  record Recommendation(
      int screened,
      List<Constraint> constraints,
      List<Candidate> pareto,
      @Nullable Candidate chosen,
      String reason) {}

  Recommendation recommend(List<Constraint> constraints) {
    List<Map<String, Object>> grid = screened(grid());
    List<Scenario> scenarios = new ArrayList<>();
    grid.forEach(
        changes -> scenarios.add(calibration.scenario(calibration.inForce().with(changes))));
    List<Forecast> answers =
        forecaster.points(
            scenarios, seeds(SCREEN_SEEDS), done -> told("screening", done, scenarios));
    List<Candidate> all = new ArrayList<>();
    for (int i = 0; i < grid.size(); i++) {
      all.add(new Candidate(grid.get(i), answers.get(i)));
    }
    List<Candidate> keeping =
        all.stream()
            .filter(
                c -> constraints.stream().allMatch(k -> k.keeps(k.figure(c.forecast()).value())))
            .toList();
    List<Candidate> pareto = pareto(keeping);
    if (pareto.isEmpty()) {
      return new Recommendation(
          all.size(), constraints, List.of(), null, conflict(all, constraints));
    }
    Candidate chosen = choose(pareto);
    return new Recommendation(all.size(), constraints, pareto, chosen, reason(chosen, all));
  }

  /**
   * Of a large demand only the most promising configs are replayed: the best of each cluster size.
   */
  private List<Map<String, Object>> screened(List<Map<String, Object>> grid) {
    Demand demand = calibration.demand();
    if (demand.size() <= CALLS_REPLAYED_UNSCREENED) {
      return grid;
    }
    List<LimiterConfig> configs = new ArrayList<>();
    grid.forEach(changes -> configs.add(calibration.inForce().with(changes).last()));
    double[] shares = OpenSweep.refusedShares(demand, configs);
    Map<Integer, List<Integer>> byCluster = new LinkedHashMap<>();
    for (int i = 0; i < grid.size(); i++) {
      byCluster.computeIfAbsent(configs.get(i).cluster(), c -> new ArrayList<>()).add(i);
    }
    List<Map<String, Object>> best = new ArrayList<>();
    for (List<Integer> alike : byCluster.values()) {
      alike.sort(Comparator.<Integer>comparingDouble(i -> shares[i]).thenComparing(i -> i));
      alike.stream().limit(BEST_OF_EACH_CLUSTER).forEach(i -> best.add(grid.get(i)));
    }
    return best;
  }

  private static double wait(Candidate candidate) {
    double wait = candidate.forecast().of(Metric.WAIT_MEAN).value();
    return Double.isNaN(wait) ? 0 : wait;
  }

  private static double heavy(Candidate candidate) {
    double heavy = candidate.forecast().whole("heavy_in_flight.p999").value();
    return Double.isNaN(heavy) ? 0 : heavy;
  }

  private static List<Candidate> pareto(List<Candidate> keeping) {
    List<Candidate> sorted = new ArrayList<>(keeping);
    sorted.sort(
        Comparator.comparingDouble(Exploration::heavy)
            .thenComparingDouble(Exploration::wait)
            .thenComparingInt(c -> c.changes().size()));
    List<Candidate> pareto = new ArrayList<>();
    double least = Double.MAX_VALUE;
    for (Candidate candidate : sorted) {
      if (wait(candidate) < least) {
        pareto.add(candidate);
        least = wait(candidate);
      }
    }
    return pareto;
  }

  /** The least wait; a config with fewer heavy calls wins when it waits within 5 % or 1 s of it. */
  private static Candidate choose(List<Candidate> pareto) {
    double least = pareto.stream().mapToDouble(Exploration::wait).min().orElse(0);
    for (Candidate candidate : pareto) {
      if (wait(candidate) <= Math.max(least * 1.05, least + 1)) {
        return candidate;
      }
    }
    return pareto.get(pareto.size() - 1);
  }

  private String reason(Candidate chosen, List<Candidate> all) {
    return "Of "
        + all.size()
        + " configs it waits least (mean "
        + Text.seconds(wait(chosen))
        + ", refused at least once "
        + Text.percent(chosen.forecast().of(Metric.REFUSED_CALLS_SHARE).value())
        + ") among those that keep every constraint, with "
        + Text.number(heavy(chosen))
        + " heavy calls in flight at p99.9.";
  }

  /** Constraints that no config keeps, else pairs that no config keeps together. */
  private static String conflict(List<Candidate> all, List<Constraint> constraints) {
    Set<String> alone = new LinkedHashSet<>();
    for (Constraint c : constraints) {
      double best = Double.NaN;
      for (Candidate candidate : all) {
        double figure = c.figure(candidate.forecast()).value();
        if (Double.isNaN(best) || (c.most() ? figure < best : figure > best)) {
          best = figure;
        }
      }
      if (!c.keeps(best)) {
        alone.add("no config keeps " + c + " (the best comes to " + Text.number(best) + ")");
      }
    }
    if (!alone.isEmpty()) {
      return "No config satisfies these constraints: " + String.join("; ", alone) + ".";
    }
    Set<String> pairs = new LinkedHashSet<>();
    for (int a = 0; a < constraints.size(); a++) {
      for (int b = a + 1; b < constraints.size(); b++) {
        Constraint one = constraints.get(a);
        Constraint two = constraints.get(b);
        boolean together =
            all.stream()
                .anyMatch(
                    c ->
                        one.keeps(one.figure(c.forecast()).value())
                            && two.keeps(two.figure(c.forecast()).value()));
        if (!together) {
          pairs.add(one + " conflicts with " + two);
        }
      }
    }
    return "No config satisfies these constraints: "
        + (pairs.isEmpty() ? "each pair can be kept, all at once can't" : String.join("; ", pairs))
        + ".";
  }

  /** Configs to screen: cluster, task and kNN limits, with tiers and users as now or wider. */
  private List<Map<String, Object>> grid() {
    LimiterConfig now = calibration.inForce().last();
    int tasks = Math.max(1, calibration.demand().tasks().size());
    int workers = calibration.options().workers();
    int most = workers == 0 ? 4 * now.cluster() + 4 : workers * tasks;
    int step = Math.max(1, most / 8);
    Set<Map<String, Object>> grid = new LinkedHashSet<>();
    grid.add(Map.of());
    for (int cluster = Math.max(1, step); cluster <= most; cluster += step) {
      int even = (cluster + tasks - 1) / tasks;
      for (int perTask : new LinkedHashSet<>(List.of(even, Math.min(even + 1, cluster)))) {
        for (int knn :
            new LinkedHashSet<>(List.of(Math.max(1, cluster - 1), cluster, now.es2Knn()))) {
          for (int wider = 0; wider <= 2; wider++) {
            grid.add(candidate(now, cluster, perTask, knn, wider));
          }
        }
      }
    }
    return new ArrayList<>(grid);
  }

  private static Map<String, Object> candidate(
      LimiterConfig now, int cluster, int perTask, int knn, int wider) {
    Map<String, Object> changes = new LinkedHashMap<>();
    put(changes, now, LimiterConfig.CLUSTER, cluster);
    put(changes, now, LimiterConfig.PER_TASK, perTask);
    put(changes, now, LimiterConfig.ES2_KNN, Math.min(knn, cluster));
    put(changes, now, LimiterConfig.RESERVE, Math.min(now.reserveSingleRow(), cluster - 1));
    now.tiers()
        .forEach(
            (tier, limit) ->
                put(changes, now, LimiterConfig.TIERS + tier, Math.min(limit + wider, cluster)));
    now.perUser()
        .forEach(
            (tier, limit) ->
                put(changes, now, LimiterConfig.PER_USER + tier, Math.min(limit + wider, cluster)));
    return changes;
  }

  private static void put(Map<String, Object> changes, LimiterConfig now, String path, int value) {
    if (!Integer.valueOf(value).equals(now.paths().get(path))) {
      changes.put(path, value);
    }
  }
}
