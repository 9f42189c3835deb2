package org.capacityobservatory.calibration;

import java.util.Map;

/** The figures of a replay that belong to no group of calls: lanes, workers, runs, retries. */
final class WholeMeasures {
  private final Demand d;
  private final Outcome o;

  WholeMeasures(Demand demand, Outcome outcome) {
    d = demand;
    o = outcome;
  }

  void into(Map<String, Double> whole) {
    lanes(whole);
    binding(whole);
    runs(whole);
    retries(whole);
    fairness(whole);
  }

  private void lanes(Map<String, Double> whole) {
    LaneClock clock = o.clock;
    lane(whole, "api_heavy", 0);
    lane(whole, "es2_knn", 1);
    for (int task = 0; task < d.names.tasks().size(); task++) {
      lane(whole, "api_heavy_task." + d.names.tasks().get(task), clock.taskLane(task));
    }
    for (int tier = 0; tier < d.names.tiers().size(); tier++) {
      lane(whole, "tier." + d.names.tiers().get(tier), clock.tierLane(tier));
    }
    int running = clock.runningLane();
    whole.put("heavy_in_flight.mean", clock.mean(running));
    whole.put("heavy_in_flight.p999", (double) clock.quantile(running, 0.999));
    whole.put("heavy_in_flight.peak", (double) clock.peak(running));
  }

  private void lane(Map<String, Double> whole, String name, int lane) {
    whole.put("lanes." + name + ".occupancy", o.clock.mean(lane));
    whole.put("lanes." + name + ".time_at_limit", o.clock.shareAtLimit(lane));
    whole.put("lanes." + name + ".p999", (double) o.clock.quantile(lane, 0.999));
    whole.put("lanes." + name + ".peak", (double) o.clock.peak(lane));
  }

  /** Which lane stood in the way alone, and which only together with others. */
  private void binding(Map<String, Double> whole) {
    long refusals = 0;
    long[] alone = new long[LanePolicy.LANES];
    long[] together = new long[LanePolicy.LANES];
    for (int full = 1; full < o.refusedForLanes.length; full++) {
      long count = o.refusedForLanes[full];
      refusals += count;
      for (int lane = 0; lane < LanePolicy.LANES; lane++) {
        if ((full & (1 << lane)) != 0) {
          (Integer.bitCount(full) == 1 ? alone : together)[lane] += count;
        }
      }
    }
    for (int lane = 0; lane < LanePolicy.LANES; lane++) {
      String name = "binding." + LanePolicy.LANE_NAMES[lane];
      whole.put(name + ".alone", refusals == 0 ? 0 : Measures.share(alone[lane], refusals));
      whole.put(
          "refused_by_lane." + LanePolicy.LANE_NAMES[lane], (double) o.refusedWithScope[lane]);
      whole.put(name + ".together", refusals == 0 ? 0 : Measures.share(together[lane], refusals));
    }
  }

  /** How much longer runs take than they were recorded to: mean of the ratios. */
  private void runs(Map<String, Double> whole) {
    int runs = d.runs();
    long[] start = new long[runs];
    long[] end = new long[runs];
    java.util.Arrays.fill(start, Long.MAX_VALUE);
    java.util.Arrays.fill(end, Long.MIN_VALUE);
    for (int c = 0; c < d.calls; c++) {
      if (d.stage[c] != Demand.NONE) {
        int run = d.stages.run()[d.stage[c]];
        start[run] = Math.min(start[run], o.wantedAt[c]);
        end[run] = Math.max(end[run], o.endedAt[c]);
      }
    }
    double sum = 0;
    int counted = 0;
    for (int run = 0; run < runs; run++) {
      if (d.runSpanMicros[run] > 0 && end[run] >= start[run]) {
        sum += (end[run] - start[run]) / (double) d.runSpanMicros[run];
        counted++;
      }
    }
    whole.put("run_slowdown", counted == 0 ? Double.NaN : sum / counted);
  }

  private void retries(Map<String, Double> whole) {
    long attempts = 0;
    long burnt = 0;
    long held = 0;
    for (int c = 0; c < d.calls; c++) {
      attempts += o.attempts[c];
      burnt += d.match[c] ? o.refusals[c] : 0;
      held += o.heldMicros[c];
    }
    int most = 0;
    for (int used : o.mostAttemptsInDayOfUser) {
      most = Math.max(most, used);
    }
    whole.put("shadow_refused_share", Measures.share(o.passedThoughFull, d.calls));
    whole.put("retry_amplification", Measures.share(attempts, d.calls));
    whole.put("allowance.burnt_by_retries", (double) burnt);
    whole.put("allowance.most_used_in_a_day", (double) most);
    whole.put("held_s_total", held / 1e6);
  }

  private void fairness(Map<String, Double> whole) {
    long within = 0;
    int longest = 0;
    for (int user = 0; user < o.longestStreakOfUser.length; user++) {
      within += o.refusedWithinFairShareOfUser[user];
      longest = Math.max(longest, o.longestStreakOfUser[user]);
    }
    whole.put("fairness.refused_within_fair_share", (double) within);
    whole.put("fairness.longest_refused_streak", (double) longest);
    for (int user = 0; user < o.longestStreakOfUser.length; user++) {
      String name = "users." + d.names.userIds().get(user) + ".";
      whole.put(name + "refused_within_fair_share", (double) o.refusedWithinFairShareOfUser[user]);
      whole.put(name + "longest_refused_streak", (double) o.longestStreakOfUser[user]);
      whole.put(name + "held_s", o.leaseMicrosOfUser[user] / 1e6);
    }
  }
}
