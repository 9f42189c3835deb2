package org.capacityobservatory.api;

import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
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
import java.util.function.Supplier;
import org.capacityobservatory.calibration.Forecast;
import org.capacityobservatory.calibration.InvalidConfigException;
import org.capacityobservatory.calibration.Recording;
import org.capacityobservatory.calibration.Scenario.Enforcement;
import org.jspecify.annotations.Nullable;

/**
 * Replays that are answered while one waits: one at a time, ended when they take too long, and with
 * the last calls and forecasts kept for the next question.
 */
final class Replays implements AutoCloseable {
  private static final int MOST_CALLS = 20_000;
  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** After so long no call of a period can still be on its way. */
  private static final Duration SETTLED = Duration.ofMinutes(30);

  private static final int KEPT_PERIODS = 4;
  private static final int KEPT_FORECASTS = 16;

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
  private final Map<Period, Recording> recordings = newest(KEPT_PERIODS);
  private final Map<Replayed, Forecast> forecasts = newest(KEPT_FORECASTS);

  Replays(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /** What is done with the calls; it calls {@code progress} between steps, which may end it. */
  interface Work<T> {
    T with(Recording recording, Consumer<String> progress);
  }

  /** What a forecast follows from. */
  private record Replayed(
      Recording recording,
      Enforcement enforcement,
      @Nullable List<String> aware,
      @Nullable Long workers,
      Map<String, Object> changes) {}

  private static <K, V> Map<K, V> newest(int kept) {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > kept;
      }
    };
  }

  /**
   * Does some work, no two at the same time.
   *
   * @throws ProblemException when the limits asked about are wrong, others wait too long already,
   *     or the question is too costly
   */
  <T> T run(ReplayQuestion question, Parameters parameters, Work<T> work) {
    question.checkPaths(parameters);
    if (!inTurn()) {
      throw new ProblemException(
          Problem.of("busy", 429, "Others ask too", "One what-if runs at a time: try again"));
    }
    AtomicBoolean stop = new AtomicBoolean();
    Future<T> running =
        executor.submit(
            () -> {
              try {
                return work.with(recording(question.period()), progress(stop));
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
      throw problem(e, parameters);
    }
  }

  /** The forecast of some changes: made by {@code replay}, unless it was lately. */
  Forecast forecast(
      Recording recording,
      ReplayQuestion question,
      Map<String, Object> changes,
      Supplier<Forecast> replay) {
    Replayed key =
        new Replayed(
            recording,
            question.enforcement(recording),
            question.aware(),
            question.workers(),
            Map.copyOf(changes));
    Forecast known = forecasts.get(key);
    if (known == null) {
      known = replay.get();
      forecasts.put(key, known);
    }
    return known;
  }

  private boolean inTurn() {
    try {
      return turn.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static Consumer<String> progress(AtomicBoolean stop) {
    return step -> {
      if (stop.get()) {
        throw tooCostly("It was given up");
      }
    };
  }

  private static RuntimeException problem(ExecutionException e, Parameters parameters) {
    if (e.getCause() instanceof ProblemException problem) {
      return problem;
    }
    if (e.getCause() instanceof InvalidConfigException broken) {
      broken.problems().forEach(one -> parameters.error("changes", one, "mend this value"));
      parameters.check();
    }
    return new IllegalStateException("A replay failed", e.getCause());
  }

  private static ProblemException tooCostly(String detail) {
    return new ProblemException(
        Problem.of(
            "too-costly",
            422,
            "The question is too costly",
            detail + ": ask about a shorter range, or start a calibration"));
  }

  /** What a replay reads. */
  static List<Overheard> queries(Period period) {
    Map<String, Object> ends = Map.of("from_ms", period.fromMs(), "to_ms", period.toMs());
    return List.of(
        new Overheard("recorded-calls", ends, Map.of()),
        new Overheard("recorded-changes", ends, Map.of()));
  }

  private Recording recording(Period period) {
    Recording recording = recordings.get(period);
    if (recording == null) {
      recording =
          store.using(
              "recorded-calls", jdbi -> new RecordedCalls(jdbi).read(period.from(), period.to()));
      // What may still grow is read anew each time.
      if (period.to().isBefore(clock.instant().minus(SETTLED))) {
        recordings.put(period, recording);
      }
    }
    if (recording.calls().size() > MOST_CALLS) {
      throw tooCostly("The range has " + recording.calls().size() + " calls, over " + MOST_CALLS);
    }
    return recording;
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
