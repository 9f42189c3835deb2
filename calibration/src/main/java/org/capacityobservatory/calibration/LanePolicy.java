package org.capacityobservatory.calibration;

import java.util.EnumSet;
import java.util.Set;

/**
 * The OCL lanes: {@code api_heavy} with its reserve, {@code api_heavy_task}, {@code es2_knn},
 * {@code tier}, {@code user}, under the limiter's rules (docs/lines.md).
 */
final class LanePolicy implements AdmissionPolicy {
  static final int API_HEAVY = 1;
  static final int API_HEAVY_TASK = 2;
  static final int ES2_KNN = 4;
  static final int TIER = 8;
  static final int USER = 16;
  static final int LANES = 5;
  static final String[] LANE_NAMES = {"api_heavy", "api_heavy_task", "es2_knn", "tier", "user"};

  private final Demand demand;
  private final LaneClock clock;
  private final boolean reserveEverywhere;
  private final boolean retryAfterGrows;
  private final Limits[] limitsOfTask;
  private final int[] onTask;
  private final int[] inTier;
  private final int[] ofUser;
  private final int[] waitingForLane = new int[LANES];
  private int inCluster;
  private int inKnn;

  /** A config's limits by index. */
  @SuppressWarnings("ArrayRecordComponent") // Plain columns; nobody compares them.
  private record Limits(
      int cluster,
      int perTask,
      int knn,
      int reserve,
      int[] tier,
      int[] user,
      int retryBase,
      int retryMax,
      int retryPaused) {}

  LanePolicy(Demand demand, LaneClock clock, Set<WhatIf> whatIfs) {
    this.demand = demand;
    this.clock = clock;
    this.reserveEverywhere = whatIfs.contains(WhatIf.RESERVE_EVERYWHERE);
    this.retryAfterGrows = whatIfs.contains(WhatIf.RETRY_AFTER_GROWS);
    int tasks = Math.max(1, demand.names.tasks().size());
    limitsOfTask = new Limits[tasks];
    onTask = new int[tasks];
    inTier = new int[demand.names.tiers().size()];
    ofUser = new int[demand.names.userIds().size()];
  }

  @Override
  public Set<TraceField> needs() {
    return EnumSet.allOf(TraceField.class);
  }

  /** From now on a task works with this config; each picks a change up in its own time. */
  void configure(int task, LimiterConfig config) {
    int tiers = demand.names.tiers().size();
    int[] tierLimit = new int[tiers];
    int[] userLimit = new int[tiers];
    for (int t = 0; t < tiers; t++) {
      String tier = demand.names.tiers().get(t);
      // A tier that the config doesn't name has no such lane.
      tierLimit[t] = config.tiers().getOrDefault(tier, Integer.MAX_VALUE);
      userLimit[t] = config.perUser().getOrDefault(tier, Integer.MAX_VALUE);
    }
    limitsOfTask[task] =
        new Limits(
            config.cluster(),
            config.perTask(),
            config.es2Knn(),
            config.reserveSingleRow(),
            tierLimit,
            userLimit,
            config.retryBase(),
            config.retryMax(),
            config.retryPaused());
    clock.limits(task, config.cluster(), config.perTask(), config.es2Knn(), tierLimit);
  }

  private int clusterLimit(Limits limits, int call) {
    return demand.singleRow[call] ? limits.cluster() : limits.cluster() - limits.reserve();
  }

  private int reserved(Limits limits, int call) {
    return reserveEverywhere && !demand.singleRow[call] ? limits.reserve() : 0;
  }

  // A reserve that swallowed a whole small lane would shut batches out for good; one is left.
  private int taskLimit(Limits limits, int call) {
    int reserve = reserved(limits, call);
    return reserve == 0 ? limits.perTask() : Math.max(1, limits.perTask() - reserve);
  }

  private int knnLimit(Limits limits, int call) {
    int reserve = reserved(limits, call);
    return reserve == 0 ? limits.knn() : Math.max(1, limits.knn() - reserve);
  }

  @Override
  public int full(int call, int task, long nowMicros) {
    Limits limits = limitsOfTask[task];
    int tier = demand.tier[call];
    int full = 0;
    if (inCluster >= clusterLimit(limits, call)) {
      full |= API_HEAVY;
    }
    if (onTask[task] >= taskLimit(limits, call)) {
      full |= API_HEAVY_TASK;
    }
    if (demand.knn[call] && inKnn >= knnLimit(limits, call)) {
      full |= ES2_KNN;
    }
    if (inTier[tier] >= limits.tier()[tier]) {
      full |= TIER;
    }
    if (ofUser[demand.user[call]] >= limits.user()[tier]) {
      full |= USER;
    }
    return full;
  }

  @Override
  public void acquire(int call, int task, long nowMicros) {
    change(call, task, nowMicros, 1);
  }

  @Override
  public void release(int call, int task, long nowMicros) {
    change(call, task, nowMicros, -1);
  }

  private void change(int call, int task, long nowMicros, int by) {
    int tier = demand.tier[call];
    inCluster += by;
    onTask[task] += by;
    inTier[tier] += by;
    ofUser[demand.user[call]] += by;
    clock.cluster(nowMicros, inCluster);
    clock.task(nowMicros, task, onTask[task]);
    clock.tier(nowMicros, tier, inTier[tier]);
    if (demand.knn[call]) {
      inKnn += by;
      clock.knn(nowMicros, inKnn);
    }
  }

  @Override
  public int retryAfterSeconds(int call, int task, int full) {
    Limits limits = limitsOfTask[task];
    int ahead = 0;
    for (int lane = 0; lane < LANES; lane++) {
      if ((full & (1 << lane)) != 0) {
        int limit = limit(limits, call, lane);
        if (limit == 0) {
          return limits.retryPaused();
        }
        int excess = count(call, task, lane) - limit + 1;
        ahead = Math.max(ahead, retryAfterGrows ? excess + waitingForLane[lane] : excess);
      }
    }
    return (int) Math.min(limits.retryMax(), (long) limits.retryBase() * ahead);
  }

  /** The lane that a refusal reports: a full lane whose limit is 0 if any, else the first full. */
  int scope(int call, int task, int full) {
    for (int lane = 0; lane < LANES; lane++) {
      if ((full & (1 << lane)) != 0 && limit(limitsOfTask[task], call, lane) == 0) {
        return lane;
      }
    }
    return Integer.numberOfTrailingZeros(full);
  }

  /** A lane's limit as a call on a task sees it; {@link Integer#MAX_VALUE} where it has none. */
  int limit(int call, int task, int lane) {
    return limit(limitsOfTask[task], call, lane);
  }

  private int limit(Limits limits, int call, int lane) {
    return switch (1 << lane) {
      case API_HEAVY -> clusterLimit(limits, call);
      case API_HEAVY_TASK -> taskLimit(limits, call);
      case ES2_KNN -> knnLimit(limits, call);
      case TIER -> limits.tier()[demand.tier[call]];
      default -> limits.user()[demand.tier[call]];
    };
  }

  /** Calls in a lane of a call on a task, now. */
  int count(int call, int task, int lane) {
    return switch (1 << lane) {
      case API_HEAVY -> inCluster;
      case API_HEAVY_TASK -> onTask[task];
      case ES2_KNN -> inKnn;
      case TIER -> inTier[demand.tier[call]];
      default -> ofUser[demand.user[call]];
    };
  }

  @Override
  public int suggested(int call, int task) {
    Limits limits = limitsOfTask[task];
    int tier = demand.tier[call];
    int own = ofUser[demand.user[call]];
    int room = Math.min(clusterLimit(limits, call) - inCluster, limits.tier()[tier] - inTier[tier]);
    if (demand.knn[call]) {
      room = Math.min(room, knnLimit(limits, call) - inKnn);
    }
    return Math.max(1, Math.min(limits.user()[tier], own + room));
  }

  int ofUser(int user) {
    return ofUser[user];
  }

  int clusterLimit(int task) {
    return limitsOfTask[task].cluster();
  }

  @Override
  public void waiting(int call, int full, int change) {
    for (int lane = 0; lane < LANES; lane++) {
      if ((full & (1 << lane)) != 0) {
        waitingForLane[lane] += change;
      }
    }
  }
}
