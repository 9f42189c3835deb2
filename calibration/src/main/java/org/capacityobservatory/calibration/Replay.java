package org.capacityobservatory.calibration;

import java.util.Arrays;
import java.util.List;
import org.capacityobservatory.calibration.Scenario.Enforcement;
import org.capacityobservatory.calibration.ServiceModel.Driver;
import org.jspecify.annotations.Nullable;

/**
 * Replays demand through a limiter, worker by worker and client by client.
 *
 * <p>Discrete events: a client wants to send, a call ends, a lease lapses, a task picks a config
 * up. Everything random is drawn by {@link Draws} from seed, call and step, so one seed gives one
 * outcome, and two candidates under one seed differ only by what the candidates do.
 */
final class Replay {
  static final long SECOND = 1_000_000;
  static final long DAY = 86_400 * SECOND;
  static final long GIVE_UP_MICROS = 30 * 60 * SECOND;
  static final long GIVE_UP_SINGLE_ROW_MICROS = 5 * 60 * SECOND;
  static final long API_TIMEOUT_MICROS = 600 * SECOND;
  static final int DAILY_ALLOWANCE = 5000;

  private static final int WANT = 0;
  private static final int END = 1;
  private static final int LAPSE = 2;
  private static final int CONFIG = 3;
  private static final int DROP = 4;

  private static final int NONE = Demand.NONE;

  /** Levels of the stretch that are looked up; beyond them the last one is computed. */
  private static final int STRETCH_LEVELS = 64;

  // Steps of the draws.
  private static final int DRAW_REQUEST = 1;
  private static final int DRAW_THINK = 2;
  private static final int DRAW_TASK = 1000;
  private static final int DRAW_JITTER = 1_000_000;
  private static final int DRAW_SPREAD = 2_000_000;

  private final Demand d;
  private final Scenario scenario;
  private final long seed;
  private final Outcome out;
  private final LanePolicy policy;
  private final LaneClock clock;
  private final EventHeap heap = new EventHeap();
  private final int tasks;
  private final int workers;
  private final boolean[] enforcedSource;
  private final boolean[] obeyingSource;
  private final double[][] stretch;
  private final boolean sharing;
  private final boolean capAtSuggested;
  private final boolean retryFirst;
  private final boolean singleRowIgnoresBulk;
  private final boolean refusalsFree;

  // Tasks: workers and the queue for them.
  private final int[] busy;
  private final int[] queueHead;
  private final int[] queueTail;
  private final int[] queueNext;
  private final int[] taskOf;
  private int nextTask;

  // Calls.
  private final long[] requestedAt;
  private final long[] endsAt;
  private final int[] refusedFor;
  private final int[] pausesMet;
  private final boolean[] leased;

  // Tabs.
  private final long[] pausedUntil;
  private final long[] pauseLength;
  private final long[] pausedBySingleUntil;
  private final int[] tabRetrying;
  private final int[] tabSent;
  private final int[] deferredHead;
  private final int[] deferredTail;
  private final int[] deferredNext;

  // Stages of runs.
  private final int[] stageActive;
  private final int[] stageNext;
  private final int[] readyHead;
  private final int[] readyTail;
  private final int[] readyNext;

  // Users.
  private final int[] wanting;
  private final int[] streak;
  private final int[] usedToday;
  private final long[] today;
  private int activeUsers;

  // Sharing of work: calls that run, what is left of each, and since when at what rate.
  private final int[] running;
  private final int[] placeInRunning;
  private final double[] left;
  private int runningCount;
  private long sharedSince;

  private final int[] leaseHorizon;

  private final @Nullable ReplayLines lines;

  private Replay(Demand demand, Scenario scenario, long seed, @Nullable ReplayLines lines) {
    this.d = demand;
    this.lines = lines;
    this.scenario = scenario;
    this.seed = seed;
    tasks = Math.max(1, d.names.tasks().size());
    clock = new LaneClock(tasks, d.names.tiers().size());
    out = new Outcome(d.calls, d.names.userIds().size(), clock);
    policy = new LanePolicy(d, clock, scenario.whatIfs());
    workers = scenario.workers() == 0 ? Integer.MAX_VALUE : scenario.workers();
    capAtSuggested = scenario.whatIfs().contains(WhatIf.CAP_AT_SUGGESTED);
    retryFirst = scenario.whatIfs().contains(WhatIf.RETRY_FIRST);
    singleRowIgnoresBulk = scenario.whatIfs().contains(WhatIf.SINGLE_ROW_IGNORES_BULK_PAUSE);
    refusalsFree = scenario.whatIfs().contains(WhatIf.REFUSALS_FREE);
    int sources = d.names.sources().size();
    enforcedSource = new boolean[sources];
    obeyingSource = new boolean[sources];
    fillSources();
    sharing = scenario.fittedService() && d.service.driver() == Driver.SHARING;
    stretch = new double[d.names.stretchClasses().size()][STRETCH_LEVELS];
    for (int c = 0; c < stretch.length; c++) {
      for (int n = 0; n < STRETCH_LEVELS; n++) {
        stretch[c][n] = d.service.stretch(c, n);
      }
    }
    busy = new int[tasks];
    queueHead = filled(tasks);
    queueTail = filled(tasks);
    queueNext = filled(d.calls);
    taskOf = new int[d.calls];
    requestedAt = new long[d.calls];
    endsAt = new long[d.calls];
    refusedFor = new int[d.calls];
    pausesMet = new int[d.calls];
    leased = new boolean[d.calls];
    pausedUntil = new long[d.tabs];
    pauseLength = new long[d.tabs];
    pausedBySingleUntil = new long[d.tabs];
    tabRetrying = new int[d.tabs];
    tabSent = new int[d.tabs];
    deferredHead = filled(d.tabs);
    deferredTail = filled(d.tabs);
    deferredNext = filled(d.calls);
    int stages = d.stages.count();
    stageActive = new int[stages];
    stageNext = new int[stages];
    readyHead = filled(stages);
    readyTail = filled(stages);
    readyNext = filled(d.calls);
    int users = d.names.userIds().size();
    wanting = new int[users];
    streak = new int[users];
    usedToday = new int[users];
    today = new long[users];
    running = new int[sharing ? d.calls : 0];
    placeInRunning = new int[sharing ? d.calls : 0];
    left = new double[sharing ? d.calls : 0];
    leaseHorizon = new int[tasks];
  }

  /** Replays the demand once. */
  static Outcome run(Demand demand, Scenario scenario, long seed) {
    return new Replay(demand, scenario, seed, null).run();
  }

  /** Replays the demand once, and gives the lines that the limiter would write. */
  static List<RecordedCall> lines(Demand demand, Scenario scenario, long seed) {
    ReplayLines lines = new ReplayLines(demand, scenario);
    var unused = new Replay(demand, scenario, seed, lines).run();
    return lines.lines();
  }

  private static int[] filled(int count) {
    int[] array = new int[count];
    Arrays.fill(array, NONE);
    return array;
  }

  private void fillSources() {
    for (int s = 0; s < enforcedSource.length; s++) {
      var aware = scenario.aware();
      boolean isAware = aware == null || aware.contains(d.names.sources().get(s));
      enforcedSource[s] =
          scenario.enforcement() == Enforcement.ALL
              || (scenario.enforcement() == Enforcement.AWARE && isAware);
      obeyingSource[s] = isAware;
    }
  }

  private Outcome run() {
    if (d.calls > EventHeap.MAX_INDEX) {
      throw new IllegalArgumentException("More than " + EventHeap.MAX_INDEX + " calls in a replay");
    }
    long[] arrivals = arrivals();
    int cursor = 0;
    long now = arrivals.length == 0 ? 0 : requestedAt[call(arrivals, 0)];
    clock.begin(now);
    startConfig(now);
    startStages();
    nextTask = (int) (Draws.uniform(seed, 0, 0) * tasks);
    long events = 0;
    while (true) {
      long arrival =
          cursor < arrivals.length ? requestedAt[call(arrivals, cursor)] : Long.MAX_VALUE;
      long pending = heap.topTime();
      if (arrival == Long.MAX_VALUE && pending == Long.MAX_VALUE) {
        break;
      }
      events++;
      if (arrival < pending) {
        now = arrival;
        want(call(arrivals, cursor++), now);
        continue;
      }
      now = pending;
      int kind = heap.topKind();
      int index = heap.topIndex();
      heap.pop();
      switch (kind) {
        case WANT -> want(index, now);
        case END -> end(index, now);
        case LAPSE -> lapse(index, now);
        case DROP -> drop(index, now);
        default -> configure(index);
      }
    }
    out.events = events;
    clock.finish(now);
    return out;
  }

  // ---- Arrivals -------------------------------------------------------------------------------

  private int indexBits;

  private int call(long[] arrivals, int i) {
    return (int) (arrivals[i] & ((1L << indexBits) - 1));
  }

  /** Calls that wait for no other, by request time: time and call packed into one sortable long. */
  private long[] arrivals() {
    indexBits = 64 - Long.numberOfLeadingZeros(Math.max(1, d.calls));
    long origin = d.calls == 0 ? 0 : Arrays.stream(d.earliest).min().orElse(0);
    long[] arrivals = new long[d.calls];
    int count = 0;
    for (int c = 0; c < d.calls; c++) {
      if (scenario.closed() && d.follower[c]) {
        continue;
      }
      long window = d.latest[c] - d.earliest[c];
      requestedAt[c] =
          d.earliest[c]
              + (window == 0 ? 0 : (long) (Draws.uniform(seed, c, DRAW_REQUEST) * (window + 1)));
      arrivals[count++] = ((requestedAt[c] - origin) << indexBits) | c;
    }
    long[] sorted = Arrays.copyOf(arrivals, count);
    Arrays.sort(sorted);
    return sorted;
  }

  private void startStages() {
    for (int s = 0; s < stageActive.length; s++) {
      int size = d.stages.first()[s + 1] - d.stages.first()[s];
      stageActive[s] = d.stages.linked()[s] ? 0 : Math.min(size, d.stages.width()[s]);
      stageNext[s] = stageActive[s];
    }
  }

  // ---- Config ---------------------------------------------------------------------------------

  private void startConfig(long now) {
    var steps = scenario.config().steps();
    int inForce = 0;
    for (int s = 1; s < steps.size(); s++) {
      if (steps.get(s).fromMillis() * 1000 <= now) {
        inForce = s;
      } else {
        for (int task = 0; task < tasks; task++) {
          long delay = (long) (Draws.uniform(seed, s, task) * ConfigTimeline.PICK_UP_MILLIS * 1000);
          heap.push(steps.get(s).fromMillis() * 1000 + delay, CONFIG, s * tasks + task);
        }
      }
    }
    for (int task = 0; task < tasks; task++) {
      configure(inForce * tasks + task);
    }
  }

  private void configure(int stepAndTask) {
    int task = stepAndTask % tasks;
    LimiterConfig config = scenario.config().steps().get(stepAndTask / tasks).config();
    policy.configure(task, config);
    // The last renewal comes within max_hold; the lease outlives it by its own length.
    int renewals = config.maxHoldSeconds() / config.renewSeconds();
    leaseHorizon[task] = renewals * config.renewSeconds() + config.leaseSeconds();
  }

  // ---- Clients --------------------------------------------------------------------------------

  /** A client wants to send a call, for the first time or again. */
  private void want(int call, long now) {
    if (out.attempts[call] == 0 && pausesMet[call] == 0) {
      if (out.wantedAt[call] == 0) {
        out.wantedAt[call] = now;
        if (wanting[d.user[call]]++ == 0) {
          activeUsers++;
        }
      }
      if (deferred(call)) {
        return;
      }
    }
    int tab = d.tab[call];
    boolean obeys = obeyingSource[d.source[call]];
    if (tab != NONE && obeys) {
      boolean bulkIgnored = singleRowIgnoresBulk && d.singleRow[call];
      long until = bulkIgnored ? pausedBySingleUntil[tab] : pausedUntil[tab];
      if (until > now) {
        // After the pause the calls spread over up to half of it.
        double spread = Draws.uniform(seed, call, DRAW_SPREAD + pausesMet[call]++);
        waitOrGiveUp(call, until - now + (long) (spread * pauseLength[tab] / 2), now);
        return;
      }
    }
    attempt(call, now);
  }

  private boolean deferred(int call) {
    int tab = d.tab[call];
    if (tab == NONE || !(retryFirst || capAtSuggested)) {
      return false;
    }
    boolean wait = retryFirst && tabRetrying[tab] > 0;
    if (capAtSuggested && d.stage[call] != NONE) {
      wait |= tabSent[tab] > 0 && tabSent[tab] >= policy.suggested(call, nextTask);
    }
    if (!wait) {
      tabSent[tab]++;
      return false;
    }
    if (deferredHead[tab] == NONE) {
      deferredHead[tab] = call;
    } else {
      deferredNext[deferredTail[tab]] = call;
    }
    deferredTail[tab] = call;
    deferredNext[call] = NONE;
    return true;
  }

  /** The tab may send what it held back. */
  private void releaseDeferred(int tab, long now) {
    int call = deferredHead[tab];
    deferredHead[tab] = NONE;
    while (call != NONE) {
      int next = deferredNext[call];
      out.waitedMicros[call] = now - out.wantedAt[call];
      heap.push(now, WANT, call);
      call = next;
    }
  }

  private void attempt(int call, long now) {
    int user = d.user[call];
    out.attempts[call]++;
    if (d.match[call] && !takeAllowance(user, now)) {
      finish(call, now, Outcome.OVER_ALLOWANCE);
      return;
    }
    int task;
    if (d.dealsInTurn) {
      task = nextTask;
      nextTask = nextTask + 1 == tasks ? 0 : nextTask + 1;
    } else {
      task = (int) (Draws.uniform(seed, call, DRAW_TASK + out.attempts[call]) * tasks);
    }
    taskOf[call] = task;
    requestedAt[call] = now;
    if (busy[task] < workers) {
      begin(call, task, now);
    } else {
      if (queueHead[task] == NONE) {
        queueHead[task] = call;
      } else {
        queueNext[queueTail[task]] = call;
      }
      queueTail[task] = call;
      queueNext[call] = NONE;
    }
  }

  private boolean takeAllowance(int user, long now) {
    long day = Math.floorDiv(now, DAY);
    if (today[user] != day) {
      today[user] = day;
      usedToday[user] = 0;
    }
    if (usedToday[user] >= DAILY_ALLOWANCE) {
      return false;
    }
    usedToday[user]++;
    if (usedToday[user] > out.mostAttemptsInDayOfUser[user]) {
      out.mostAttemptsInDayOfUser[user] = usedToday[user];
    }
    return true;
  }

  // ---- API tasks ------------------------------------------------------------------------------

  /** A worker takes the call up: refused, or running until its end. */
  private void begin(int call, int task, long now) {
    int full = policy.full(call, task, now);
    if (lines != null) {
      lines.met(call, task, full, policy);
    }
    if (full != 0 && enforcedSource[d.source[call]]) {
      refuse(call, task, full, now);
      return;
    }
    if (full != 0) {
      out.passedThoughFull++;
    }
    if (out.refusals[call] > 0) {
      stopRetrying(call, now);
    }
    streak[d.user[call]] = 0;
    policy.acquire(call, task, now);
    if (lines != null) {
      lines.acquired(call, task, policy);
    }
    leased[call] = true;
    busy[task]++;
    runningCount++;
    clock.running(now, runningCount);
    out.queueMicros[call] = now - requestedAt[call];
    out.loggedQueueMicros[call] = loggedQueueMicros(call, now);
    endsAt[call] = now;
    if (sharing) {
      runningCount--;
      share(now);
      placeInRunning[call] = runningCount;
      running[runningCount++] = call;
      left[call] = d.baseMicros[call];
      reschedule(now);
      return;
    }
    long held = heldMicros(call, task);
    out.heldMicros[call] = Math.min(held, API_TIMEOUT_MICROS);
    endsAt[call] = now + out.heldMicros[call];
    heap.push(endsAt[call], END, call);
    if (held > leaseHorizon[task] * SECOND && held <= API_TIMEOUT_MICROS) {
      heap.push(now + leaseHorizon[task] * SECOND, LAPSE, call);
    }
  }

  /** The load balancer's stamp is a whole second. */
  private long loggedQueueMicros(int call, long now) {
    return now - Math.floorDiv(requestedAt[call], SECOND) * SECOND;
  }

  private long heldMicros(int call, int task) {
    if (!scenario.fittedService()) {
      return d.heldMicros[call];
    }
    int n = d.service.driver() == Driver.TASK ? busy[task] : runningCount;
    return Math.max(1, Math.round(d.baseMicros[call] * stretch(d.stretchClass[call], n)));
  }

  private double stretch(int stretchClass, int n) {
    return n < STRETCH_LEVELS ? stretch[stretchClass][n] : d.service.stretch(stretchClass, n);
  }

  /** Books the work done since the last change, while runningCount calls shared. */
  private void share(long now) {
    long passed = now - sharedSince;
    for (int i = 0; i < runningCount; i++) {
      int call = running[i];
      left[call] -= passed / stretch(d.stretchClass[call], runningCount);
    }
    sharedSince = now;
  }

  private void reschedule(long now) {
    for (int i = 0; i < runningCount; i++) {
      int call = running[i];
      double rest = Math.max(0, left[call]) * stretch(d.stretchClass[call], runningCount);
      endsAt[call] = now + Math.max(i == runningCount - 1 ? 1 : 0, Math.round(rest));
      heap.push(endsAt[call], END, call);
    }
  }

  private void end(int call, long now) {
    if (endsAt[call] != now) {
      return; // Overtaken: the call's end was moved.
    }
    int task = taskOf[call];
    if (sharing) {
      if (placeInRunning[call] == NONE) {
        return;
      }
      out.heldMicros[call] = now - requestedAt[call] - out.queueMicros[call];
      share(now);
      int last = running[--runningCount];
      running[placeInRunning[call]] = last;
      placeInRunning[last] = placeInRunning[call];
      placeInRunning[call] = NONE;
      reschedule(now);
    } else {
      runningCount--;
    }
    clock.running(now, runningCount);
    boolean killed = out.heldMicros[call] >= API_TIMEOUT_MICROS;
    if (killed) {
      // Nobody releases a killed call's leases: they lapse.
      heap.push(now + leaseAfterKill(task), DROP, call);
    } else if (leased[call]) {
      release(call, now);
    }
    busy[task]--;
    if (lines != null && !killed) {
      lines.ended(call, task, enforcedSource[d.source[call]], now, out);
    }
    finish(call, now, killed ? Outcome.KILLED : Outcome.DONE);
    takeUpNext(task, now);
  }

  private long leaseAfterKill(int task) {
    int horizon = leaseHorizon[task];
    return Math.min(60, Math.max(0, horizon - API_TIMEOUT_MICROS / SECOND)) * SECOND;
  }

  private void takeUpNext(int task, long now) {
    while (queueHead[task] != NONE && busy[task] < workers) {
      int next = queueHead[task];
      queueHead[task] = queueNext[next];
      begin(next, task, now);
    }
  }

  private void lapse(int call, long now) {
    if (endsAt[call] > now && leased[call]) {
      release(call, now);
    }
  }

  private void drop(int call, long now) {
    if (leased[call]) {
      release(call, now);
    }
  }

  private void release(int call, long now) {
    leased[call] = false;
    policy.release(call, taskOf[call], now);
  }

  // ---- Refusals -------------------------------------------------------------------------------

  private void refuse(int call, int task, int full, long now) {
    int user = d.user[call];
    if (lines != null) {
      lines.refused(call, task, now, loggedQueueMicros(call, now));
    }
    out.refusedForLanes[full]++;
    out.refusedWithScope[policy.scope(call, task, full)]++;
    if (++streak[user] > out.longestStreakOfUser[user]) {
      out.longestStreakOfUser[user] = streak[user];
    }
    if ((long) (policy.ofUser(user) + 1) * activeUsers <= policy.clusterLimit(task)) {
      out.refusedWithinFairShareOfUser[user]++;
    }
    if (refusalsFree && d.match[call]) {
      usedToday[user]--;
    }
    boolean first = out.refusals[call]++ == 0;
    int source = d.source[call];
    if (!scenario.retries()) {
      finish(call, now, Outcome.GONE);
      return;
    }
    if (!obeyingSource[source]) {
      finish(call, now, Outcome.FAILED);
      return;
    }
    int retryAfter = policy.retryAfterSeconds(call, task, full);
    if (!first) {
      policy.waiting(call, refusedFor[call], -1);
    }
    refusedFor[call] = full;
    policy.waiting(call, full, 1);
    int tab = d.tab[call];
    if (tab != NONE) {
      if (first) {
        tabRetrying[tab]++;
      }
      pause(tab, now, retryAfter * SECOND, d.singleRow[call]);
    }
    double jitter = 1 + Draws.uniform(seed, call, DRAW_JITTER + out.refusals[call]) / 2;
    waitOrGiveUp(call, (long) (retryAfter * SECOND * jitter), now);
  }

  private void pause(int tab, long now, long length, boolean bySingleRow) {
    if (now + length > pausedUntil[tab]) {
      pausedUntil[tab] = now + length;
      pauseLength[tab] = length;
    }
    if (bySingleRow && now + length > pausedBySingleUntil[tab]) {
      pausedBySingleUntil[tab] = now + length;
    }
  }

  private void waitOrGiveUp(int call, long wait, long now) {
    long most = d.singleRow[call] ? GIVE_UP_SINGLE_ROW_MICROS : GIVE_UP_MICROS;
    if (out.waitedMicros[call] + wait > most) {
      finish(call, now, Outcome.GAVE_UP);
      return;
    }
    out.waitedMicros[call] += wait;
    heap.push(now + wait, WANT, call);
  }

  private void stopRetrying(int call, long now) {
    if (refusedFor[call] == 0) {
      return;
    }
    policy.waiting(call, refusedFor[call], -1);
    refusedFor[call] = 0;
    int tab = d.tab[call];
    if (tab != NONE && --tabRetrying[tab] == 0 && retryFirst) {
      releaseDeferred(tab, now);
    }
  }

  // ---- Ends -----------------------------------------------------------------------------------

  private void finish(int call, long now, byte ending) {
    out.ending[call] = ending;
    out.endedAt[call] = now;
    out.leaseMicrosOfUser[d.user[call]] += out.heldMicros[call];
    if (out.refusals[call] > 0) {
      stopRetrying(call, now);
    }
    if (--wanting[d.user[call]] == 0) {
      activeUsers--;
    }
    int tab = d.tab[call];
    if (tab != NONE) {
      tabSent[tab]--;
      if (capAtSuggested) {
        releaseDeferred(tab, now);
      }
    }
    if (scenario.closed() && d.stage[call] != NONE) {
      moveOn(call, d.stage[call], now);
    }
  }

  /** What waited for this call, in its own stage and in the one linked to it. */
  private void moveOn(int call, int stage, long now) {
    stageActive[stage]--;
    if (d.stages.linked()[stage]) {
      int ready = readyHead[stage];
      if (ready != NONE) {
        readyHead[stage] = readyNext[ready];
        sendLater(ready, stage, now);
      }
    } else {
      int place = d.stages.first()[stage] + stageNext[stage];
      if (place < d.stages.first()[stage + 1]) {
        stageNext[stage]++;
        sendLater(d.stages.order()[place], stage, now);
      }
    }
    int linked = d.link[call];
    if (linked != NONE) {
      int other = d.stage[linked];
      if (stageActive[other] < d.stages.width()[other]) {
        sendLater(linked, other, now);
      } else {
        if (readyHead[other] == NONE) {
          readyHead[other] = linked;
        } else {
          readyNext[readyTail[other]] = linked;
        }
        readyTail[other] = linked;
        readyNext[linked] = NONE;
      }
    }
  }

  private void sendLater(int call, int stage, long now) {
    stageActive[stage]++;
    long think =
        ThinkTimes.draw(
            d.thinkLow[call],
            d.thinkHigh[call],
            d.stages.meanThinkMicros()[stage],
            Draws.uniform(seed, call, DRAW_THINK));
    heap.push(now + think, WANT, call);
  }
}
