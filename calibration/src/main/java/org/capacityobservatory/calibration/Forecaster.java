package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/**
 * Predicts what a scenario would do: replays under several seeds, and for the intervals under as
 * many resampled demands with the service model moved within its errors.
 *
 * <p>Every replay belongs to its index, and results are put together in the order of indices, so
 * the number of threads changes nothing but the time taken.
 */
final class Forecaster implements AutoCloseable {
  /** Resampled replays for each seed. */
  private static final int RESAMPLES_PER_SEED = 4;

  private static final double LOW = 0.05;
  private static final double HIGH = 0.95;

  /** Seeds of resampled replays are far from those of the plain ones. */
  private static final long RESAMPLED = 1_000_003;

  private final Demand demand;
  private final Groups groups;
  private final Resampler resampler;
  private final ExecutorService threads;
  private final long seed;

  Forecaster(Demand demand, long seed, int threads) {
    this.demand = demand;
    this.seed = seed;
    this.groups = new Groups(demand.names);
    this.resampler = new Resampler(demand);
    this.threads =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread thread = new Thread(task, "replay");
              thread.setDaemon(true);
              return thread;
            });
  }

  Groups groups() {
    return groups;
  }

  Demand demand() {
    return demand;
  }

  /** Means over seeds, without intervals. */
  Forecast point(Scenario scenario, int seeds) {
    return summarize(replays(scenario, seeds), List.of());
  }

  /**
   * Means over seeds with 90 % intervals.
   *
   * @param progress told the number of replays done
   */
  Forecast forecast(Scenario scenario, int seeds, IntConsumer progress) {
    List<Callable<Measures>> work = new ArrayList<>();
    for (int s = 0; s < seeds; s++) {
      work.add(plain(scenario, s));
    }
    for (int r = 0; r < seeds * RESAMPLES_PER_SEED; r++) {
      work.add(resampled(scenario, r));
    }
    List<Measures> all = run(work, progress);
    return summarize(all.subList(0, seeds), all.subList(seeds, all.size()));
  }

  List<Measures> replays(Scenario scenario, int seeds) {
    List<Callable<Measures>> work = new ArrayList<>();
    for (int s = 0; s < seeds; s++) {
      work.add(plain(scenario, s));
    }
    return run(work, done -> {});
  }

  /** Many scenarios at once under the same seeds: common random numbers. */
  List<Forecast> points(List<Scenario> scenarios, int seeds, IntConsumer progress) {
    List<Callable<Measures>> work = new ArrayList<>();
    for (Scenario scenario : scenarios) {
      for (int s = 0; s < seeds; s++) {
        work.add(plain(scenario, s));
      }
    }
    List<Measures> all = run(work, progress);
    List<Forecast> forecasts = new ArrayList<>();
    for (int i = 0; i < scenarios.size(); i++) {
      forecasts.add(summarize(all.subList(i * seeds, (i + 1) * seeds), List.of()));
    }
    return forecasts;
  }

  private Callable<Measures> plain(Scenario scenario, int index) {
    return () -> Measures.of(demand, groups, Replay.run(demand, scenario, seed + index));
  }

  private Callable<Measures> resampled(Scenario scenario, int index) {
    return () -> {
      long drawSeed = seed * 31 + RESAMPLED + index;
      Demand drawn = resampler.draw(drawSeed).withMovedService(Draws.normal(drawSeed, 0, 7));
      return Measures.of(drawn, groups, Replay.run(drawn, scenario, drawSeed));
    };
  }

  private List<Measures> run(List<Callable<Measures>> work, IntConsumer progress) {
    List<Future<Measures>> futures = new ArrayList<>();
    work.forEach(task -> futures.add(threads.submit(task)));
    List<Measures> results = new ArrayList<>();
    try {
      for (Future<Measures> future : futures) {
        results.add(future.get());
        progress.accept(results.size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while replaying", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("A replay failed", e.getCause());
    } finally {
      futures.forEach(future -> future.cancel(true));
    }
    return results;
  }

  private Forecast summarize(List<Measures> plain, List<Measures> resampled) {
    int count = groups.keys().size();
    Estimate[][] byGroup = new Estimate[count][Measures.METRICS];
    long[] calls = plain.isEmpty() ? new long[count] : plain.get(0).callsOfGroup;
    for (int g = 0; g < count; g++) {
      for (Metric metric : Metric.values()) {
        int group = g;
        byGroup[g][metric.place()] =
            estimate(
                plain.stream().mapToDouble(m -> m.byGroup[group][metric.place()]).toArray(),
                resampled.stream().mapToDouble(m -> m.byGroup[group][metric.place()]).toArray(),
                metric.isShare());
      }
    }
    Map<String, Estimate> whole = new LinkedHashMap<>();
    if (!plain.isEmpty()) {
      for (String name : plain.get(0).whole.keySet()) {
        whole.put(
            name,
            estimate(
                plain.stream().mapToDouble(m -> value(m, name)).toArray(),
                resampled.stream().mapToDouble(m -> value(m, name)).toArray(),
                false));
      }
    }
    return new Forecast(groups, byGroup, calls, whole);
  }

  private static double value(Measures measures, String name) {
    Double value = measures.whole.get(name);
    return value == null ? Double.NaN : value;
  }

  /**
   * Mean of the plain replays; the bounds lie as far from it as the resampled replays' 5 % and 95 %
   * points lie from their own mean, so that a resample's bias doesn't move the centre.
   */
  static Estimate estimate(double[] plain, double[] resampled, boolean share) {
    double value = mean(plain);
    if (Double.isNaN(value)) {
      return Estimate.NOTHING;
    }
    double[] known = Arrays.stream(resampled).filter(v -> !Double.isNaN(v)).sorted().toArray();
    if (known.length == 0) {
      return new Estimate(value, value, value);
    }
    double centre = mean(known);
    double low = Math.max(0, value + quantile(known, LOW) - centre);
    double high = Math.max(value, value + quantile(known, HIGH) - centre);
    return new Estimate(value, Math.min(value, low), share ? Math.min(1, high) : high);
  }

  private static double mean(double[] values) {
    double sum = 0;
    int known = 0;
    for (double value : values) {
      if (!Double.isNaN(value)) {
        sum += value;
        known++;
      }
    }
    return known == 0 ? Double.NaN : sum / known;
  }

  /** Linear between order statistics. */
  private static double quantile(double[] sorted, double p) {
    double place = p * (sorted.length - 1);
    int below = (int) Math.floor(place);
    int above = Math.min(sorted.length - 1, below + 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
