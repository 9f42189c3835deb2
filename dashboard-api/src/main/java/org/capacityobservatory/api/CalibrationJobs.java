package org.capacityobservatory.api;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.capacityobservatory.calibration.Calibration;
import org.capacityobservatory.calibration.CalibrationResult;
import org.capacityobservatory.calibration.Estimate;
import org.capacityobservatory.calibration.Gate;
import org.capacityobservatory.calibration.InvalidConfigException;
import org.capacityobservatory.calibration.Metric;
import org.capacityobservatory.calibration.Recording;
import org.capacityobservatory.calibration.Report;
import org.capacityobservatory.calibration.Requirements;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs calibrations, few at once, and keeps each change of their state as a row.
 *
 * <p>A job that is no longer here and whose row says that it waits or runs has ended with the API
 * that ran it.
 */
final class CalibrationJobs implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CalibrationJobs.class);
  private static final int AT_ONCE = 2;
  private static final int WAITING = 20;

  private final Store calls;
  private final StateStore state;
  private final InstantSource clock;
  private final Map<String, Job> running = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor executor;

  /**
   * Makes the runner.
   *
   * @param calls a store whose queries may give all calls of a range
   */
  CalibrationJobs(Store calls, StateStore state, InstantSource clock) {
    this.calls = calls;
    this.state = state;
    this.clock = clock;
    this.executor =
        new ThreadPoolExecutor(
            AT_ONCE,
            AT_ONCE,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(WAITING),
            work -> {
              Thread thread = new Thread(work, "calibration");
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
  }

  /** Ends a replay between two of its steps. */
  private static final class Cancelled extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** A calibration that waits or runs. */
  static final class Job {
    final UUID id;
    final ReplayQuestion question;
    final String startedBy;
    final Instant startedAt;
    private volatile String state = "waiting";
    private volatile String progress = "waiting for its turn";
    private volatile boolean cancelled;
    private long revision;

    Job(UUID id, ReplayQuestion question, String startedBy, Instant startedAt) {
      this.id = id;
      this.question = question;
      this.startedBy = startedBy;
      this.startedAt = startedAt;
    }

    String state() {
      return state;
    }

    String progress() {
      return cancelled ? "being cancelled" : progress;
    }

    private void go(String now) {
      if (cancelled) {
        throw new Cancelled();
      }
      progress = now;
    }
  }

  @Nullable Job find(String id) {
    return running.get(id);
  }

  /**
   * Takes a question.
   *
   * @throws ProblemException when too many wait already, or nothing can be kept
   */
  Job start(ReplayQuestion question, Caller caller) {
    state.require();
    Job job =
        new Job(
            UUID.randomUUID(),
            question,
            caller.name(),
            clock.instant().truncatedTo(ChronoUnit.MILLIS));
    running.put(job.id.toString(), job);
    try {
      keep(job, "waiting", null, null);
      executor.execute(() -> run(job));
    } catch (RejectedExecutionException e) {
      running.remove(job.id.toString());
      keep(job, "failed", "Too many calibrations waited already", null);
      throw new ProblemException(
          Problem.of(
              "too-many-calibrations",
              429,
              "Too many calibrations",
              AT_ONCE + " run and " + WAITING + " wait: try again when one has ended"));
    } catch (ProblemException e) {
      running.remove(job.id.toString());
      throw e;
    }
    return job;
  }

  /** Cancels a job; false when it isn't here any more. */
  boolean cancel(String id) {
    Job job = running.get(id);
    if (job == null) {
      return false;
    }
    job.cancelled = true;
    return true;
  }

  private void run(Job job) {
    try {
      job.go("reading calls");
      keep(job, "running", null, null);
      Recording recording =
          calls.using(
              "recorded-calls",
              jdbi ->
                  new RecordedCalls(jdbi)
                      .read(job.question.period().from(), job.question.period().to()));
      job.go("reading demand out of " + recording.calls().size() + " calls");
      try (Calibration calibration =
          Calibration.of(recording, job.question.options(recording, 1))) {
        CalibrationResult result = CalibrationResult.of(calibration, job::go);
        Requirements requirements = job.question.requirements();
        Gate gate =
            requirements == null ? null : Gate.of(calibration, result.predicted(), requirements);
        keep(job, "done", null, result, gate);
      }
    } catch (Cancelled e) {
      ended(job, "cancelled", null);
    } catch (ProblemException e) {
      ended(job, "failed", e.problem().detail());
    } catch (InvalidConfigException e) {
      ended(job, "failed", e.getMessage());
    } catch (RuntimeException e) {
      log.error("Calibration {} failed", job.id, e);
      ended(job, "failed", "This is a fault of the program; the API's log says more");
    } finally {
      running.remove(job.id.toString());
    }
  }

  private void ended(Job job, String state, @Nullable String problem) {
    try {
      keep(job, state, problem, null);
    } catch (ProblemException e) {
      log.warn("That calibration {} is {} can't be kept", job.id, state);
    }
  }

  private void keep(
      Job job, String state, @Nullable String problem, @Nullable CalibrationResult result) {
    keep(job, state, problem, result, null);
  }

  private void keep(
      Job job,
      String state,
      @Nullable String problem,
      @Nullable CalibrationResult result,
      @Nullable Gate gate) {
    job.revision++;
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("id", job.id.toString());
    row.put("revision", job.revision);
    row.put("state", state);
    row.put("problem", problem);
    row.put("started_by", job.startedBy);
    row.put("started_at", job.startedAt);
    boolean over = !state.equals("waiting") && !state.equals("running");
    row.put("ended_at", over ? clock.instant().truncatedTo(ChronoUnit.MILLIS) : null);
    row.put("request", Json.text(job.question.tree()));
    row.put("summary", result == null ? "" : Json.text(summary(result)));
    row.put("result", result == null ? "" : written(result, gate));
    row.put("report", result == null ? "" : new Report(result).html());
    this.state.write("calibration_jobs", row, "calibration:" + job.id + ":" + job.revision);
    job.state = state;
  }

  private static String written(CalibrationResult result, @Nullable Gate gate) {
    Map<String, Object> tree = new LinkedHashMap<>(result.tree());
    if (gate != null) {
      tree.put("gate", gate.tree());
    }
    return org.capacityobservatory.calibration.Json.write(tree);
  }

  private static Map<String, @Nullable Object> summary(CalibrationResult result) {
    Map<String, @Nullable Object> summary = new LinkedHashMap<>();
    Object calls = result.tree().get("calls");
    summary.put("calls", calls);
    summary.put("conclusive", result.cannotConclude().isEmpty());
    summary.put("shadow_refused_share", known(result.shadowRefusedShare()));
    summary.put("refused_calls_share", estimate(result.predicted().of(Metric.REFUSED_CALLS_SHARE)));
    return summary;
  }

  /** A figure as the API has it; null where there is nothing to tell. */
  static @Nullable Map<String, @Nullable Object> estimate(Estimate estimate) {
    if (!estimate.isKnown()) {
      return null;
    }
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("value", estimate.value());
    tree.put("low", known(estimate.low()));
    tree.put("high", known(estimate.high()));
    return tree;
  }

  static @Nullable Double known(double number) {
    return Double.isNaN(number) || Double.isInfinite(number) ? null : (Double) number;
  }

  /** Cancels what runs; their rows say so where there is still time. */
  @Override
  public void close() {
    running.values().forEach(job -> job.cancelled = true);
    executor.shutdownNow();
  }
}
