package org.capacityobservatory.calibration;

import java.util.Arrays;

/**
 * How long each lane was at each level during a replay: occupancy, time at the limit and peaks.
 *
 * <p>Lane 0 is the cluster, 1 kNN, then the tasks, then the tiers; the last is all heavy calls that
 * run, also those that no lease counts.
 */
final class LaneClock {
  /** Levels from here on share one bucket; the mean stays exact. */
  private static final int LEVELS = 512;

  private final int tasks;
  private final int lanes;
  private final int[] level;
  private final long[] since;
  private final long[] atLevel;
  private final long[] integral;
  private final long[] atLimit;
  private final int[] limit;
  private final int[] peak;
  private long start = Long.MIN_VALUE;
  private long end;

  LaneClock(int tasks, int tiers) {
    this.tasks = tasks;
    lanes = 3 + tasks + tiers;
    level = new int[lanes];
    since = new long[lanes];
    atLevel = new long[lanes * LEVELS];
    integral = new long[lanes];
    atLimit = new long[lanes];
    limit = new int[lanes];
    peak = new int[lanes];
    Arrays.fill(limit, Integer.MAX_VALUE);
  }

  void begin(long nowMicros) {
    start = nowMicros;
    end = nowMicros;
    Arrays.fill(since, nowMicros);
  }

  void finish(long nowMicros) {
    for (int lane = 0; lane < lanes; lane++) {
      set(lane, nowMicros, level[lane]);
    }
    end = nowMicros;
  }

  void limits(int task, int cluster, int perTask, int knn, int[] tier) {
    // Time at the limit is booked up to now under the old one.
    limit[0] = cluster;
    limit[1] = knn;
    limit[2 + task] = perTask;
    System.arraycopy(tier, 0, limit, 2 + tasks, tier.length);
  }

  void cluster(long now, int count) {
    set(0, now, count);
  }

  void knn(long now, int count) {
    set(1, now, count);
  }

  void task(long now, int task, int count) {
    set(2 + task, now, count);
  }

  void tier(long now, int tier, int count) {
    set(2 + tasks + tier, now, count);
  }

  void running(long now, int count) {
    set(lanes - 1, now, count);
  }

  private void set(int lane, long now, int count) {
    long passed = now - since[lane];
    int before = level[lane];
    if (passed > 0) {
      atLevel[lane * LEVELS + Math.min(before, LEVELS - 1)] += passed;
      integral[lane] += before * passed;
      if (before >= limit[lane]) {
        atLimit[lane] += passed;
      }
      since[lane] = now;
    }
    level[lane] = count;
    if (count > peak[lane]) {
      peak[lane] = count;
    }
  }

  int lanes() {
    return lanes;
  }

  int runningLane() {
    return lanes - 1;
  }

  int taskLane(int task) {
    return 2 + task;
  }

  int tierLane(int tier) {
    return 2 + tasks + tier;
  }

  long spanMicros() {
    return end - start;
  }

  /** Call-µs in the lane. */
  long integralMicros(int lane) {
    return integral[lane];
  }

  double mean(int lane) {
    return spanMicros() == 0 ? 0 : integral[lane] / (double) spanMicros();
  }

  double shareAtLimit(int lane) {
    return spanMicros() == 0 ? 0 : atLimit[lane] / (double) spanMicros();
  }

  int peak(int lane) {
    return peak[lane];
  }

  /** The level that the lane stays at or under for this share of the time. */
  int quantile(int lane, double share) {
    long span = spanMicros();
    long wanted = (long) Math.ceil(share * span);
    long seen = 0;
    for (int l = 0; l < LEVELS; l++) {
      seen += atLevel[lane * LEVELS + l];
      if (seen >= wanted) {
        return l;
      }
    }
    return peak[lane];
  }
}
