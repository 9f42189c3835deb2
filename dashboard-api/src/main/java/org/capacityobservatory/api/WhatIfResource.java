package org.capacityobservatory.api;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.capacityobservatory.calibration.Calibration;
import org.capacityobservatory.calibration.ConfigText;
import org.capacityobservatory.calibration.Demand;
import org.capacityobservatory.calibration.Estimate;
import org.capacityobservatory.calibration.Finding;
import org.capacityobservatory.calibration.Forecast;
import org.capacityobservatory.calibration.InvalidConfigException;
import org.capacityobservatory.calibration.LimiterConfig;
import org.capacityobservatory.calibration.Metric;
import org.capacityobservatory.calibration.RecordedCall;
import org.capacityobservatory.calibration.Recording;
import org.capacityobservatory.calibration.Scenario.Enforcement;
import org.jspecify.annotations.Nullable;

/** What other limits would have done, answered while one waits. */
final class WhatIfResource implements AutoCloseable {
  private static final int MOST_CALLS = 20_000;
  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int KEPT = 4;

  private final Store store;
  private final InstantSource clock;
  private final Semaphore turn = new Semaphore(1, true);
  private final ExecutorService executor =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread thread = new Thread(work, "what-if");
            thread.setDaemon(true);
            return thread;
          });
  private final Map<Period, Recording> recordings = newest();
  private final Map<List<@Nullable Object>, Forecast> inForce = newest();

  WhatIfResource(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  private static <K, V> Map<K, V> newest() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > KEPT;
      }
    };
  }

  /** The answer; its parts are as the API's description has them. */
  record Answer(
      Instant from,
      Instant to,
      Instant asOf,
      long calls,
      String enforceFor,
      int seeds,
      long tookMs,
      Map<String, Object> config,
      Map<String, Object> changes,
      Map<String, Object> patch,
      String command,
      @Nullable Double shadowRefusedShare,
      List<String> cannotConclude,
      List<Told> findings,
      Map<String, Object> predicted,
      Map<String, Object> inForce) {}

  /** What the reader of the answer must know. */
  record Told(String code, String weight, long count, String text) {}

  Answer answer(Ask ask) {
    ReplayQuestion question = ReplayQuestion.of(ask, ReplayQuestion.FIELDS_OF_WHAT_IF);
    ask.parameters().check();
    checkPaths(question, ask.parameters());
    if (!inTurn()) {
      throw new ProblemException(
          Problem.of("busy", 429, "Others ask too", "One what-if runs at a time: try again"));
    }
    AtomicBoolean stop = new AtomicBoolean();
    Future<Answer> running =
        executor.submit(
            () -> {
              try {
                return replay(question, stop);
              } finally {
                turn.release();
              }
            });
    try {
      return running.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      stop.set(true);
      throw tooCostly("It took longer than " + LONGEST.toSeconds() + " s");
    } catch (InterruptedException e) {
      stop.set(true);
      Thread.currentThread().interrupt();
      throw tooCostly("It was interrupted");
    } catch (ExecutionException e) {
      throw problem(e, ask.parameters());
    }
  }

  private boolean inTurn() {
    try {
      return turn.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static RuntimeException problem(ExecutionException e, Parameters parameters) {
    if (e.getCause() instanceof ProblemException problem) {
      return problem;
    }
    if (e.getCause() instanceof InvalidConfigException broken) {
      broken.problems().forEach(one -> parameters.error("changes", one, "mend this value"));
      parameters.check();
    }
    return new IllegalStateException("A what-if failed", e.getCause());
  }

  /** Unknown paths and wrong types are told before any call is read. */
  private static void checkPaths(ReplayQuestion question, Parameters parameters) {
    question
        .changes()
        .forEach(
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

  private static ProblemException tooCostly(String detail) {
    return new ProblemException(
        Problem.of(
            "too-costly",
            422,
            "The question is too costly",
            detail + ": ask about a shorter range, or start a calibration"));
  }

  private Answer replay(ReplayQuestion question, AtomicBoolean stop) {
    long begun = System.nanoTime();
    Consumer<String> progress =
        step -> {
          if (stop.get()) {
            throw tooCostly("It was given up");
          }
        };
    Recording recording = recording(question.period());
    if (recording.calls().size() > MOST_CALLS) {
      throw tooCostly("The range has " + recording.calls().size() + " calls, over " + MOST_CALLS);
    }
    int threads = Math.max(1, Runtime.getRuntime().availableProcessors());
    ReplayQuestion plain =
        new ReplayQuestion(
            question.period(),
            question.changes(),
            question.enforceFor(),
            question.aware(),
            List.of(),
            false,
            question.workers());
    try (Calibration calibration = Calibration.of(recording, plain.options(recording, threads))) {
      Forecast predicted = calibration.predict(progress);
      List<@Nullable Object> key = new ArrayList<>();
      key.add(System.identityHashCode(recording));
      key.add(calibration.options().enforcement());
      key.add(question.aware());
      key.add(question.workers());
      Forecast today = inForce.get(key);
      if (today == null) {
        today = calibration.predict(calibration.inForce(), progress);
        inForce.put(key, today);
      }
      return answer(question, calibration, predicted, today, begun);
    }
  }

  private Answer answer(
      ReplayQuestion question,
      Calibration calibration,
      Forecast predicted,
      Forecast today,
      long begun) {
    Demand demand = calibration.demand();
    boolean all = calibration.options().enforcement() == Enforcement.ALL;
    return new Answer(
        question.period().from(),
        question.period().to(),
        clock.instant(),
        demand.size(),
        all ? "all" : "aware",
        calibration.seeds(),
        Duration.ofNanos(System.nanoTime() - begun).toMillis(),
        calibration.inForce().last().paths(),
        question.changes(),
        ConfigText.nested(question.changes()),
        ConfigText.setCommand(question.changes()),
        shadowRefused(calibration.recording()),
        calibration.findings().stream()
            .filter(f -> f.weight() == Finding.Weight.BLOCKS)
            .map(Finding::text)
            .toList(),
        calibration.findings().stream()
            .map(
                f ->
                    new Told(
                        f.code(), f.weight().name().toLowerCase(Locale.ROOT), f.count(), f.text()))
            .toList(),
        tree(predicted, demand),
        tree(today, demand));
  }

  private static @Nullable Double shadowRefused(Recording recording) {
    long calls = 0;
    long refused = 0;
    for (RecordedCall recorded : recording.calls()) {
      calls += recorded.call().decision().equals("refused") ? 0 : 1;
      refused += recorded.call().decision().equals("shadow-refused") ? 1 : 0;
    }
    return Shares.of(refused, calls);
  }

  /** Figures of all and by group; not by user, since a viewer may ask. */
  private static Map<String, Object> tree(Forecast forecast, Demand demand) {
    Map<String, List<String>> dimensions = new LinkedHashMap<>();
    dimensions.put("single_row", List.of("true", "false"));
    dimensions.put("tier", demand.tiers());
    dimensions.put("endpoint", List.of("$match", "$rerank"));
    dimensions.put("source", demand.sources());
    Map<String, Object> all = new LinkedHashMap<>();
    for (Metric metric : Metric.values()) {
      put(all, metric.path(), forecast.of(metric));
    }
    Map<String, Object> by = new LinkedHashMap<>();
    dimensions.forEach(
        (dimension, values) -> {
          Map<String, Object> groups = new LinkedHashMap<>();
          for (String value : values) {
            Map<String, Object> figures = new LinkedHashMap<>();
            for (Metric metric : Metric.values()) {
              put(figures, metric.path(), forecast.of(dimension, value, metric));
            }
            if (!figures.isEmpty()) {
              groups.put(value, figures);
            }
          }
          by.put(dimension, groups);
        });
    Map<String, Object> whole = new LinkedHashMap<>();
    forecast
        .whole()
        .forEach(
            (name, estimate) -> {
              if (!name.startsWith("users.")) {
                put(whole, name, estimate);
              }
            });
    return Map.of("all", all, "by", by, "whole", whole);
  }

  /** What is not known is left out. */
  private static void put(Map<String, Object> tree, String name, Estimate estimate) {
    Map<String, @Nullable Object> figure = CalibrationJobs.estimate(estimate);
    if (figure != null) {
      tree.put(name, figure);
    }
  }

  private Recording recording(Period period) {
    Recording known = recordings.get(period);
    if (known != null) {
      return known;
    }
    Recording read =
        store.using(
            "recorded-calls", jdbi -> new RecordedCalls(jdbi).read(period.from(), period.to()));
    // What may still grow is read anew each time.
    if (period.to().isBefore(clock.instant().minus(Duration.ofMinutes(30)))) {
      recordings.put(period, read);
    }
    return read;
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
