package org.capacityobservatory.calibration;

import java.util.Arrays;
import java.util.List;

/**
 * Screens many configs at once over recorded calls: open, without retries, each call held as it was
 * recorded. A refused call holds nothing.
 *
 * <p>Which call begins or ends next is then the same for every config, so one pass over the calls
 * carries all configs along, lane counts side by side. It bounds what a closed replay says and is
 * meant for choosing which configs to replay.
 */
public final class OpenSweep {
  private final Demand demand;

  private final int configs;
  private final int tiers;
  private final int[] batchCluster;
  private final int[] singleCluster;
  private final int[] perTask;
  private final int[] knn;
  private final int[] tierLimit;
  private final int[] userLimit;

  private OpenSweep(Demand demand, List<LimiterConfig> candidates) {
    this.demand = demand;
    configs = candidates.size();
    tiers = demand.names.tiers().size();
    batchCluster = new int[configs];
    singleCluster = new int[configs];
    perTask = new int[configs];
    knn = new int[configs];
    tierLimit = new int[configs * tiers];
    userLimit = new int[configs * tiers];
    for (int k = 0; k < configs; k++) {
      LimiterConfig config = candidates.get(k);
      singleCluster[k] = config.cluster();
      batchCluster[k] = config.cluster() - config.reserveSingleRow();
      perTask[k] = config.perTask();
      knn[k] = config.es2Knn();
      for (int t = 0; t < tiers; t++) {
        String tier = demand.names.tiers().get(t);
        tierLimit[t * configs + k] = config.tiers().getOrDefault(tier, Integer.MAX_VALUE);
        userLimit[t * configs + k] = config.perUser().getOrDefault(tier, Integer.MAX_VALUE);
      }
    }
  }

  /**
   * Sweeps.
   *
   * @return for each candidate the share of calls refused
   */
  public static double[] refusedShares(Demand demand, List<LimiterConfig> candidates) {
    return new OpenSweep(demand, candidates).sweep();
  }

  private double[] sweep() {
    int calls = demand.calls;
    long[] ends = new long[calls];
    for (int c = 0; c < calls; c++) {
      ends[c] = demand.latest[c] + demand.heldMicros[c];
    }
    int[] byBegin = sortedBy(demand.latest);
    int[] byEnd = sortedBy(ends);
    int[] cluster = new int[configs];
    int[] inKnn = new int[configs];
    int[] onTask = new int[Math.max(1, demand.names.tasks().size()) * configs];
    int[] inTier = new int[tiers * configs];
    int[] ofUser = new int[demand.names.userIds().size() * configs];
    // One bit for each call that a config let in; a word covers 64 configs.
    int words = (configs + 63) / 64;
    long[] let = new long[calls * words];
    long[] refused = new long[configs];
    int nextEnd = 0;
    for (int call : byBegin) {
      while (nextEnd < calls && ends[byEnd[nextEnd]] <= demand.latest[call]) {
        int done = byEnd[nextEnd++];
        change(done, let, words, cluster, inKnn, onTask, inTier, ofUser);
      }
      decide(call, let, words, refused, cluster, inKnn, onTask, inTier, ofUser);
    }
    double[] shares = new double[configs];
    for (int k = 0; k < configs; k++) {
      shares[k] = calls == 0 ? Double.NaN : refused[k] / (double) calls;
    }
    return shares;
  }

  private static int[] sortedBy(long[] times) {
    int bits = 64 - Long.numberOfLeadingZeros(Math.max(1, times.length));
    long origin = Arrays.stream(times).min().orElse(0);
    long[] packed = new long[times.length];
    for (int i = 0; i < times.length; i++) {
      packed[i] = ((times[i] - origin) << bits) | i;
    }
    Arrays.sort(packed);
    int[] order = new int[times.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = (int) (packed[i] & ((1L << bits) - 1));
    }
    return order;
  }

  private void decide(
      int call,
      long[] let,
      int words,
      long[] refused,
      int[] cluster,
      int[] inKnn,
      int[] onTask,
      int[] inTier,
      int[] ofUser) {
    int task = demand.recordedTask[call] * configs;
    int tier = demand.tier[call] * configs;
    int user = demand.user[call] * configs;
    int isKnn = demand.knn[call] ? 1 : 0;
    int[] clusterLimit = demand.singleRow[call] ? singleCluster : batchCluster;
    for (int k = 0; k < configs; k++) {
      // Branch-free: a negative difference is room, and all must be negative.
      int room =
          (cluster[k] - clusterLimit[k])
              & (onTask[task + k] - perTask[k])
              & (inTier[tier + k] - tierLimit[tier + k])
              & (ofUser[user + k] - userLimit[tier + k])
              & ((inKnn[k] - knn[k]) | (isKnn - 1));
      int in = room >>> 31;
      cluster[k] += in;
      onTask[task + k] += in;
      inTier[tier + k] += in;
      ofUser[user + k] += in;
      inKnn[k] += in & isKnn;
      refused[k] += 1 - in;
      let[call * words + (k >> 6)] |= (long) in << k;
    }
  }

  private void change(
      int call,
      long[] let,
      int words,
      int[] cluster,
      int[] inKnn,
      int[] onTask,
      int[] inTier,
      int[] ofUser) {
    int task = demand.recordedTask[call] * configs;
    int tier = demand.tier[call] * configs;
    int user = demand.user[call] * configs;
    int isKnn = demand.knn[call] ? 1 : 0;
    for (int k = 0; k < configs; k++) {
      int in = (int) (let[call * words + (k >> 6)] >>> k) & 1;
      cluster[k] -= in;
      onTask[task + k] -= in;
      inTier[tier + k] -= in;
      ofUser[user + k] -= in;
      inKnn[k] -= in & isKnn;
    }
  }
}
