package org.capacityobservatory.calibration;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.capacityobservatory.log.CapacityCall;

/**
 * A small world with a known truth: users, runs, tasks and a limiter, written apart from the code
 * under test and without a line of it. It can run the same demand in shadow mode, which gives
 * lines, and enforced, which gives what really happened.
 *
 * <p>Objects and a priority queue; slow and plain on purpose.
 */
final class TestingWorld {
  /** What a world is made of; times in seconds. */
  static final class Recipe {
    long seed = 1;
    double seconds = 1200;
    int usersPerTier = 6;
    double singlesPerMinute = 38;
    double runsPerMinute = 2.5;
    DoubleUnaryOperator stretch = n -> 1 + 0.12 * (n - 1);
    int cluster = 4;
    int perTask = 2;
    int knn = 3;
    int reserve = 1;
    Map<String, Integer> tierLimits =
        Map.of("staff", 4, "core", 4, "early_access", 3, "preview", 2);
    Map<String, Integer> userLimits =
        Map.of("staff", 4, "core", 3, "early_access", 2, "preview", 1);
    int workers = 4;
  }

  /** What enforcement did. */
  record Truth(
      double refusedShare,
      double refusedShareSingle,
      double refusedShareRest,
      long refusedAttempts,
      double meanWait,
      double p95Wait,
      double heldP95Ms) {}

  private static final String[] TIERS = {"staff", "core", "early_access", "preview"};
  private static final double[] TIER_WEIGHT = {0.08, 0.25, 0.27, 0.4};
  static final long EPOCH = 1_796_032_080L;

  private final Recipe recipe;
  private final List<Call> calls = new ArrayList<>();
  private final Random dice;

  private static final class Run {
    String id = "";
    int width;
    int sent;
    final List<Call> batches = new ArrayList<>();
    final Deque<Call> reranksReady = new ArrayDeque<>();
    int reranking;
    double pausedUntil;
    double pause;
  }

  private static final class Call {
    int user;
    String tier = "";
    String endpoint = "$match";
    String source = "";
    boolean single;
    boolean knn = true;
    int rows = 25;
    double base;
    double at;
    double think;
    Run run = new Run();
    boolean inRun;
    boolean pausing;
    Call rerank = this;
    boolean isRerank;

    // What happens to it.
    double sent;
    double began;
    double held;
    double waited;
    int refusals;
    int task;
    int[] counts = new int[5];
    List<String> full = List.of();
  }

  TestingWorld(Recipe recipe) {
    this.recipe = recipe;
    dice = new Random(recipe.seed);
    invent();
  }

  private void invent() {
    double[][] rates = {{recipe.singlesPerMinute / 60, 0}, {recipe.runsPerMinute / 60, 1}};
    Map<Integer, Run> tabs = new HashMap<>();
    int runs = 0;
    for (double[] rate : rates) {
      for (double t = gap(rate[0]); t < recipe.seconds - 60; t += gap(rate[0])) {
        int tier = weighted();
        int user = 100 * (tier + 1) + dice.nextInt(recipe.usersPerTier);
        if (rate[1] == 0) {
          inventSingle(t, tier, user, tabs);
        } else {
          inventRun(t, tier, user, Integer.toString(2000 + runs++));
        }
      }
    }
  }

  private double gap(double rate) {
    return -Math.log(1 - dice.nextDouble()) / rate;
  }

  private int weighted() {
    double u = dice.nextDouble();
    int tier = 0;
    while (tier < 3 && u >= TIER_WEIGHT[tier]) {
      u -= TIER_WEIGHT[tier++];
    }
    return tier;
  }

  private double lognormal(double median, double sigma) {
    return median * Math.exp(sigma * dice.nextGaussian());
  }

  private void inventSingle(double t, int tier, int user, Map<Integer, Run> tabs) {
    Call call = new Call();
    call.at = t;
    call.tier = TIERS[tier];
    call.user = user;
    call.single = true;
    call.rows = 1;
    call.base = lognormal(0.36, 0.33);
    call.pausing = dice.nextBoolean();
    call.source = call.pausing ? "mapper-row" : "tbv3";
    call.run = call.pausing ? tabs.computeIfAbsent(user, u -> new Run()) : new Run();
    calls.add(call);
  }

  private void inventRun(double t, int tier, int user, String id) {
    Run run = new Run();
    run.id = id;
    run.width = tier == 3 ? 2 : 5;
    int batches = 4 + dice.nextInt(18);
    boolean reranks = dice.nextBoolean();
    for (int i = 0; i < batches; i++) {
      Call batch = new Call();
      batch.tier = TIERS[tier];
      batch.user = user;
      batch.source = "automatch";
      batch.base = lognormal(2.6, 0.36);
      batch.think = dice.nextDouble() * 0.2;
      batch.at = t + batch.think;
      batch.run = run;
      batch.inRun = true;
      batch.pausing = true;
      run.batches.add(batch);
      calls.add(batch);
      if (reranks) {
        Call rerank = new Call();
        rerank.tier = batch.tier;
        rerank.user = user;
        rerank.source = "automatch";
        rerank.endpoint = "$rerank";
        rerank.knn = false;
        rerank.base = lognormal(1.1, 0.36);
        rerank.run = run;
        rerank.inRun = true;
        rerank.pausing = true;
        rerank.isRerank = true;
        batch.rerank = rerank;
        calls.add(rerank);
      }
    }
  }

  // ---- Running it -----------------------------------------------------------------------------

  private record Event(double time, long serial, Runnable what) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          (a, b) ->
              a.time() != b.time()
                  ? Double.compare(a.time(), b.time())
                  : Long.compare(a.serial(), b.serial()));
  private long serial;
  private double now;
  private boolean enforcing;
  private boolean awareOnly;
  private int turn;
  private final int[] busy = new int[2];
  private final List<Deque<Call>> queues = List.of(new ArrayDeque<>(), new ArrayDeque<>());
  private int cluster;
  private int knn;
  private final int[] onTask = new int[2];
  private final Map<String, Integer> inTier = new HashMap<>();
  private final Map<Integer, Integer> ofUser = new HashMap<>();
  private Random jitter = new Random(7);

  private void later(double delay, Runnable what) {
    events.add(new Event(now + delay, serial++, what));
  }

  private void runAll(boolean enforce, boolean onlyAware) {
    enforcing = enforce;
    awareOnly = onlyAware;
    now = 0;
    turn = 0;
    jitter = new Random(recipe.seed + 77);
    for (Call call : calls) {
      call.waited = 0;
      call.refusals = 0;
      call.run.sent = 0;
      call.run.reranking = 0;
      call.run.pausedUntil = 0;
      if (!call.inRun) {
        events.add(new Event(call.at, serial++, () -> want(call)));
      } else if (!call.isRerank && call.run.batches.indexOf(call) < call.run.width) {
        events.add(new Event(call.at, serial++, () -> want(call)));
        call.run.sent = 0;
      }
    }
    for (Call call : calls) {
      if (call.inRun) {
        call.run.sent = Math.min(call.run.width, call.run.batches.size());
      }
    }
    while (!events.isEmpty()) {
      Event event = events.poll();
      now = event.time();
      event.what().run();
    }
  }

  private boolean obeysPauses(Call call) {
    return call.pausing;
  }

  private void want(Call call) {
    if (obeysPauses(call) && call.run.pausedUntil > now) {
      double wait = call.run.pausedUntil - now + jitter.nextDouble() * call.run.pause / 2;
      call.waited += wait;
      later(wait, () -> want(call));
      return;
    }
    call.sent = now;
    call.task = turn;
    turn = 1 - turn;
    if (busy[call.task] < recipe.workers) {
      begin(call);
    } else {
      queues.get(call.task).add(call);
    }
  }

  private int tierCount(Call call) {
    return inTier.getOrDefault(call.tier, 0);
  }

  private int userCount(Call call) {
    return ofUser.getOrDefault(call.user, 0);
  }

  private void begin(Call call) {
    int clusterLimit = recipe.cluster - (call.single ? 0 : recipe.reserve);
    int tierLimit = recipe.tierLimits.getOrDefault(call.tier, 0);
    int userLimit = recipe.userLimits.getOrDefault(call.tier, 0);
    List<String> full = new ArrayList<>();
    int ahead = 0;
    int[] counts = {cluster, onTask[call.task], knn, tierCount(call), userCount(call)};
    int[] limits = {clusterLimit, recipe.perTask, recipe.knn, tierLimit, userLimit};
    String[] names = {"api_heavy", "api_heavy_task", "es2_knn", "tier", "user"};
    for (int lane = 0; lane < 5; lane++) {
      if ((lane != 2 || call.knn) && counts[lane] >= limits[lane]) {
        full.add(names[lane]);
        ahead = Math.max(ahead, counts[lane] - limits[lane] + 1);
      }
    }
    boolean counted = enforcing && (!awareOnly || !call.source.equals("tbv3"));
    if (!full.isEmpty() && counted) {
      call.refusals++;
      double retryAfter = Math.min(30, 5 * ahead);
      if (obeysPauses(call) && now + retryAfter > call.run.pausedUntil) {
        call.run.pausedUntil = now + retryAfter;
        call.run.pause = retryAfter;
      }
      double wait = retryAfter * (1 + jitter.nextDouble() / 2);
      call.waited += wait;
      later(wait, () -> want(call));
      return;
    }
    call.full = full;
    busy[call.task]++;
    cluster++;
    onTask[call.task]++;
    knn += call.knn ? 1 : 0;
    inTier.merge(call.tier, 1, Integer::sum);
    ofUser.merge(call.user, 1, Integer::sum);
    call.counts = new int[] {cluster, onTask[call.task], knn, tierCount(call), userCount(call)};
    call.began = now;
    call.held = call.base * recipe.stretch.applyAsDouble(cluster);
    later(call.held, () -> end(call));
  }

  private void end(Call call) {
    busy[call.task]--;
    cluster--;
    onTask[call.task]--;
    knn -= call.knn ? 1 : 0;
    inTier.merge(call.tier, -1, Integer::sum);
    ofUser.merge(call.user, -1, Integer::sum);
    Deque<Call> queue = queues.get(call.task);
    while (!queue.isEmpty() && busy[call.task] < recipe.workers) {
      begin(queue.poll());
    }
    if (!call.inRun) {
      return;
    }
    Run run = call.run;
    if (call.isRerank) {
      run.reranking--;
    } else {
      if (call.rerank != call) {
        run.reranksReady.add(call.rerank);
      }
      if (run.sent < run.batches.size()) {
        Call next = run.batches.get(run.sent++);
        later(next.think, () -> want(next));
      }
    }
    while (run.reranking < 2 && !run.reranksReady.isEmpty()) {
      Call rerank = run.reranksReady.poll();
      run.reranking++;
      later(0, () -> want(rerank));
    }
  }

  // ---- What it gives --------------------------------------------------------------------------

  /** The lines of shadow mode. */
  Recording shadow() {
    runAll(false, false);
    Recording.Builder lines = new Recording.Builder();
    int n = 0;
    for (Call call : calls) {
      lines.line();
      lines.call(
          EPOCH * 1000 + Math.round((call.began + call.held) * 1000),
          "world-" + call.task,
          line(call, "c" + n++));
    }
    return lines.build();
  }

  private CapacityCall line(Call c, String cid) {
    long stampMillis = (long) Math.floor(c.sent) * 1000;
    int clusterLimit = recipe.cluster - (c.single ? 0 : recipe.reserve);
    return new CapacityCall(
        c.full.isEmpty() ? "admitted" : "shadow-refused",
        "shadow",
        false,
        c.endpoint,
        c.knn,
        false,
        (long) c.rows,
        c.single,
        c.tier,
        (long) c.user,
        c.full,
        c.full.isEmpty() ? null : c.full.get(0),
        (long) c.counts[0],
        (long) clusterLimit,
        (long) c.counts[1],
        (long) recipe.perTask,
        c.knn ? (long) c.counts[2] : null,
        c.knn ? (long) recipe.knn : null,
        (long) c.counts[3],
        (long) recipe.tierLimits.getOrDefault(c.tier, 0),
        (long) c.counts[4],
        (long) recipe.userLimits.getOrDefault(c.tier, 0),
        1L,
        c.full.isEmpty() ? null : 5L,
        Math.round(c.held * 1000),
        Math.round(c.began * 1000) - stampMillis,
        null,
        null,
        "task-" + c.task,
        c.source,
        null,
        c.run.id.isEmpty() ? null : c.run.id,
        cid,
        null,
        List.of(),
        "",
        List.of());
  }

  /** What enforcement does to the same demand. */
  Truth enforced(boolean onlyAware) {
    runAll(true, onlyAware);
    double[] waits = calls.stream().mapToDouble(c -> c.waited).sorted().toArray();
    double[] held = calls.stream().mapToDouble(c -> c.held).sorted().toArray();
    return new Truth(
        share(calls),
        share(calls.stream().filter(c -> c.single).toList()),
        share(calls.stream().filter(c -> !c.single).toList()),
        calls.stream().mapToLong(c -> c.refusals).sum(),
        Arrays.stream(waits).average().orElse(0),
        waits[(int) Math.ceil(0.95 * waits.length) - 1],
        1000 * held[(int) Math.ceil(0.95 * held.length) - 1]);
  }

  int size() {
    return calls.size();
  }

  private static double share(List<Call> of) {
    return of.stream().filter(c -> c.refusals > 0).count() / (double) of.size();
  }
}
