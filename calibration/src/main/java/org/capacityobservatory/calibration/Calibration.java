package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.capacityobservatory.calibration.Finding.Weight;
import org.capacityobservatory.calibration.Scenario.Enforcement;
import org.jspecify.annotations.Nullable;

/**
 * Answers what limits would do to recorded demand: one recording, read once, and then asked.
 *
 * <p>Same recording, options and version give the same answers, whatever the number of threads.
 */
public final class Calibration implements AutoCloseable {
  /** The demand that a default number of seeds is meant for; larger ones need fewer. */
  private static final int CALLS_FOR_ALL_SEEDS = 20_000;

  private static final int DEFAULT_SEEDS = 20;
  private static final int FEWEST_SEEDS = 2;

  private final Recording recording;
  private final Options options;
  private final ConfigTimeline inForce;
  private final ConfigTimeline candidate;
  private final Demand demand;
  private final Audit audit;
  private final List<Finding> findings;
  private final Forecaster forecaster;
  private final int seeds;

  private Calibration(Recording recording, Options options) {
    this.recording = recording;
    this.options = options;
    inForce = ConfigTimeline.of(recording);
    candidate = inForce.with(options.changes());
    findings = new ArrayList<>(Evidence.of(recording));
    audit = Audit.of(recording);
    findings.addAll(audit.findings());
    demand = DemandReader.read(recording, options.workers(), findings);
    if (inForce.unannounced() > 0) {
      findings.add(
          new Finding(
              "config_change_unseen",
              Weight.HOLE,
              inForce.unannounced(),
              "Limits in the lines changed "
                  + inForce.unannounced()
                  + " times without a line that announces it: a change line is lost."));
    }
    forecaster = new Forecaster(demand, options.seed(), options.threads());
    seeds = options.seeds() > 0 ? options.seeds() : defaultSeeds(demand.size());
    addModelFindings();
  }

  /**
   * Reads demand and config out of a recording.
   *
   * @throws InvalidConfigException when the changes break the limiter's rules
   */
  public static Calibration of(Recording recording, Options options) {
    return new Calibration(recording, options);
  }

  private static int defaultSeeds(int calls) {
    long affordable = (long) DEFAULT_SEEDS * CALLS_FOR_ALL_SEEDS / Math.max(1, calls);
    return (int) Math.max(FEWEST_SEEDS, Math.min(DEFAULT_SEEDS, affordable));
  }

  private void addModelFindings() {
    ServiceModel service = demand.service();
    int most = 0;
    for (ConfigTimeline.Step step : candidate.steps()) {
      most = Math.max(most, step.config().cluster());
    }
    int reach =
        options.workers() == 0
            ? most
            : Math.min(most, options.workers() * Math.max(1, demand.tasks().size()));
    if (options.fittedService() && service.samples() > 0 && reach > service.highest()) {
      findings.add(
          new Finding(
              "stretch_extrapolated",
              Weight.HOLE,
              reach,
              "The candidate lets "
                  + reach
                  + " heavy calls run at once; the lines show at most "
                  + service.highest()
                  + ", beyond that the stretch is extrapolated."));
    }
    if (options.aware() != null) {
      List<String> unknown = new ArrayList<>(options.aware());
      unknown.removeAll(demand.sources());
      if (!unknown.isEmpty()) {
        unknown.sort(Comparator.naturalOrder());
        findings.add(
            new Finding(
                "unknown_source",
                Weight.NOTE,
                unknown.size(),
                "No call comes from "
                    + String.join(", ", unknown)
                    + "; the sources are "
                    + String.join(", ", demand.sources())
                    + "."));
      }
    }
  }

  /** The scenario that the options ask for, under some config. */
  Scenario scenario(ConfigTimeline config) {
    return new Scenario(
        config,
        options.enforcement(),
        options.aware(),
        options.closed(),
        options.retries(),
        options.workers(),
        options.fittedService(),
        java.util.Set.of());
  }

  /** The config in force, read from the lines. */
  public ConfigTimeline inForce() {
    return inForce;
  }

  /** The config asked about. */
  public ConfigTimeline candidate() {
    return candidate;
  }

  /** The demand read from the lines. */
  public Demand demand() {
    return demand;
  }

  /** What was recorded. */
  public Recording recording() {
    return recording;
  }

  /** What was asked. */
  public Options options() {
    return options;
  }

  /** The limiter's log held against itself. */
  public Audit audit() {
    return audit;
  }

  /** What the reader of a result must know, the gravest first. */
  public List<Finding> findings() {
    return findings.stream()
        .sorted(Comparator.comparing(Finding::weight).reversed().thenComparing(Finding::code))
        .toList();
  }

  /** Replays for each answer. */
  public int seeds() {
    return seeds;
  }

  Forecaster forecaster() {
    return forecaster;
  }

  /** Predicts the config asked about, with intervals. */
  public Forecast predict(Consumer<String> progress) {
    return predict(candidate, progress);
  }

  /** Predicts a config, with intervals. */
  public Forecast predict(ConfigTimeline config, Consumer<String> progress) {
    int all = seeds * 5;
    Forecast forecast =
        forecaster.forecast(
            scenario(config), seeds, done -> progress.accept("replay " + done + " of " + all));
    return forecast.widened(options.modelError());
  }

  /**
   * The lines that the limiter would write if the config asked about were in force: one replay of
   * the demand, by event time. What a replay can't know, such as failures of the limiter, is in
   * none of them; nor are calls that the API's timeout kills.
   *
   * @param replay 0 to {@link #seeds()} − 1: the replays that {@link #predict} rests on
   */
  public List<RecordedCall> linesOf(int replay) {
    if (replay < 0 || replay >= seeds) {
      throw new IllegalArgumentException("Replay " + replay + ": 0 to " + (seeds - 1));
    }
    return Replay.lines(demand, scenario(candidate), options.seed() + replay);
  }

  /** What shadow mode itself does to the demand: the model held against the lines. */
  Forecast selfCheck() {
    Scenario nobody = scenario(inForce).withEnforcement(Enforcement.NOBODY);
    return forecaster.point(nobody, Math.min(seeds, 10));
  }

  /**
   * How far the answer hangs on who is aware: all sources, each alone not aware, and none.
   *
   * @return the sources taken as aware, and what follows
   */
  Map<List<String>, Forecast> awareDependence() {
    List<List<String>> choices = new ArrayList<>();
    List<String> sources = demand.sources();
    choices.add(sources);
    if (sources.size() > 1) {
      for (String without : sources) {
        choices.add(sources.stream().filter(s -> !s.equals(without)).toList());
      }
    }
    choices.add(List.of());
    List<Scenario> scenarios = new ArrayList<>();
    for (List<String> aware : choices) {
      scenarios.add(scenario(candidate).withAware(java.util.Set.copyOf(aware)));
    }
    List<Forecast> answers = forecaster.points(scenarios, Math.min(seeds, 5), done -> {});
    Map<List<String>, Forecast> byChoice = new LinkedHashMap<>();
    for (int i = 0; i < choices.size(); i++) {
      byChoice.put(choices.get(i), answers.get(i));
    }
    return byChoice;
  }

  /** First and last event time, epoch ms; null without calls. */
  long @Nullable [] period() {
    List<RecordedCall> calls = recording.calls();
    if (calls.isEmpty()) {
      return null;
    }
    return new long[] {calls.get(0).endedAtMillis(), calls.get(calls.size() - 1).endedAtMillis()};
  }

  @Override
  public void close() {
    forecaster.close();
  }
}
