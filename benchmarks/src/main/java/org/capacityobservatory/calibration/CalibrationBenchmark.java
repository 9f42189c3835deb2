package org.capacityobservatory.calibration;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.capacityobservatory.calibration.Scenario.Enforcement;

/**
 * Measures the replay and the sweep; how and what came out is in docs/calibration.md.
 *
 * <p>It stands in the package that it measures, since what it measures is package-private. Figures
 * are for each second of CPU time of a thread, so that a busy machine doesn't lower them.
 */
public final class CalibrationBenchmark {
  private static final int DAY_CALLS = 1_000_000;
  private static final long DAY_MICROS = 86_400_000_000L;

  private CalibrationBenchmark() {}

  /** Runs everything; arguments are log files for the closed loop, else only made-up demand. */
  public static void main(String[] arguments)
      throws IOException, InterruptedException, ExecutionException {
    if (arguments.length > 0) {
      closedLoop("recorded runs", recorded(arguments), 400);
    }
    Demand day = day();
    closedLoop("a day of 1,000,000 calls", day, 3);
    queue();
    for (int candidates : new int[] {25, 50, 100, 200}) {
      sweep(day, candidates, 1);
    }
    sweep(day, 200, 2);
    long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    say("heap in use at the end: %d MB", used >> 20);
  }

  private static void say(String form, Object... values) {
    System.out.println(String.format(Locale.ROOT, form, values));
  }

  private static double cpuSeconds() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
  }

  private static Demand recorded(String[] files) throws IOException {
    Recording.Builder recording = new Recording.Builder();
    for (String file : files) {
      try (InputStream in = Files.newInputStream(Path.of(file))) {
        new LogReader(recording).read(file, in);
      }
    }
    return DemandReader.read(recording.build(), 4, new ArrayList<>());
  }

  private static ConfigTimeline always(LimiterConfig config) {
    return new ConfigTimeline(
        List.of(new ConfigTimeline.Step(Long.MIN_VALUE, config)), List.of(), 0);
  }

  private static void closedLoop(String what, Demand demand, int times) {
    Scenario scenario = Scenario.of(always(LimiterConfig.starting()), Enforcement.ALL);
    for (int warm = 0; warm < 2; warm++) {
      Replay.run(demand, scenario, warm);
    }
    double best = 0;
    double calls = 0;
    for (int round = 0; round < 3; round++) {
      double from = cpuSeconds();
      long events = 0;
      for (int i = 0; i < times; i++) {
        events += Replay.run(demand, scenario, i).events;
      }
      double seconds = cpuSeconds() - from;
      if (events / seconds > best) {
        best = events / seconds;
        calls = (double) demand.size() * times / seconds;
      }
    }
    say(
        "closed loop, %s: %.1f million events/s a core, %.2f million calls/s a core",
        what, best / 1e6, calls / 1e6);
  }

  /** M/M/8 at 75 %: the same as benchmarks/peers/mmc.py. */
  private static void queue() {
    Random dice = new Random(1);
    int calls = 200_000;
    DemandDraft d = new DemandDraft(calls);
    d.names =
        new Demand.Names(
            List.of("core"), List.of(1L), List.of("x"), List.of("x"), List.of("x"), List.of("x"));
    long now = 0;
    for (int c = 0; c < calls; c++) {
      now += (long) (-Math.log(1 - dice.nextDouble()) * 1e6 / 6);
      d.earliest[c] = now;
      d.latest[c] = now;
      d.heldMicros[c] = Math.max(1, (long) (-Math.log(1 - dice.nextDouble()) * 1e6));
      d.baseMicros[c] = d.heldMicros[c];
      d.recordedConcurrency[c] = 1;
    }
    d.units = 1;
    Demand demand = new Demand(d);
    Scenario scenario =
        new Scenario(
            always(LimiterConfig.starting()),
            Enforcement.NOBODY,
            null,
            true,
            true,
            8,
            false,
            Set.of());
    double best = 0;
    for (int round = 0; round < 8; round++) {
      double from = cpuSeconds();
      Replay.run(demand, scenario, round);
      best = Math.max(best, calls / (cpuSeconds() - from));
    }
    say("M/M/8: %.2f million calls/s a core", best / 1e6);
  }

  private static void sweep(Demand day, int candidates, int threads)
      throws InterruptedException, ExecutionException {
    List<LimiterConfig> configs = new ArrayList<>();
    for (int i = 0; i < candidates; i++) {
      configs.add(
          LimiterConfig.starting()
              .with(
                  Map.of(
                      "api_heavy.cluster", 2 + i % 20,
                      "api_heavy.per_task", 1 + i % 11,
                      "es2_knn", 1 + i % 13)));
    }
    OpenSweep.refusedShares(day, configs.subList(0, Math.min(25, candidates)));
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    long from = System.nanoTime();
    List<Future<Double>> parts = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      List<LimiterConfig> part =
          configs.subList(t * candidates / threads, (t + 1) * candidates / threads);
      Callable<Double> work =
          () -> {
            double cpu = cpuSeconds();
            OpenSweep.refusedShares(day, part);
            return cpuSeconds() - cpu;
          };
      parts.add(pool.submit(work));
    }
    double cpu = 0;
    for (Future<Double> part : parts) {
      cpu += part.get();
    }
    pool.shutdown();
    say(
        "open sweep, %d configs, %d threads: %.0f million decisions/s a core, %.1f s in all",
        candidates,
        threads,
        (double) day.size() * candidates / cpu / 1e6,
        (System.nanoTime() - from) / 1e9);
  }

  /** A day: two thirds single-row calls, the rest in runs of 15 batches, five at a time. */
  private static Demand day() {
    Random dice = new Random(42);
    DemandDraft d = new DemandDraft(DAY_CALLS);
    List<Long> users = new ArrayList<>();
    for (long u = 0; u < 500; u++) {
      users.add(u);
    }
    d.names =
        new Demand.Names(
            List.of("core", "preview"),
            users,
            List.of("$match"),
            List.of("automatch", "tbv3"),
            List.of("batch", "single"),
            List.of("a", "b", "c", "d", "e", "f", "g", "h"));
    d.service = ServiceModel.flat(2, 0, 0, 0);
    long step = DAY_MICROS / DAY_CALLS;
    int run = 0;
    int[] order = new int[DAY_CALLS];
    int placed = 0;
    List<Integer> first = new ArrayList<>();
    for (int c = 0; c < DAY_CALLS; c++) {
      boolean inRun = c % 45 < 15;
      boolean begins = c % 45 == 0;
      d.user[c] = inRun ? (c / 45) % 500 : dice.nextInt(500);
      d.tier[c] = d.user[c] % 2;
      d.singleRow[c] = !inRun;
      d.stretchClass[c] = inRun ? 0 : 1;
      d.source[c] = inRun ? 0 : 1;
      d.recordedTask[c] = c % 8;
      d.match[c] = false;
      d.knn[c] = true;
      double mean = inRun ? 200_000 : 40_000;
      d.heldMicros[c] = Math.max(1000, (long) (-Math.log(1 - dice.nextDouble()) * mean));
      d.baseMicros[c] = d.heldMicros[c];
      d.recordedConcurrency[c] = 1;
      d.earliest[c] = c * step + dice.nextInt((int) step);
      d.latest[c] = d.earliest[c];
      if (inRun) {
        if (begins) {
          first.add(placed);
          run++;
        }
        d.stage[c] = run - 1;
        d.tab[c] = run - 1;
        d.unit[c] = run - 1;
        d.follower[c] = c % 45 >= 5;
        d.thinkHigh[c] = 100_000;
        order[placed++] = c;
      } else {
        d.unit[c] = run;
      }
    }
    first.add(placed);
    int[] width = new int[run];
    java.util.Arrays.fill(width, 5);
    int[] runs = new int[run];
    double[] think = new double[run];
    for (int r = 0; r < run; r++) {
      runs[r] = r;
      think[r] = 50_000;
    }
    d.stages =
        new Demand.Stages(
            first.stream().mapToInt(i -> i).toArray(),
            java.util.Arrays.copyOf(order, placed),
            width,
            new boolean[run],
            runs,
            think);
    d.units = run + 1;
    d.tabs = run;
    d.runSpanMicros = new long[run];
    return new Demand(d);
  }
}
