package org.capacityobservatory.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.capacityobservatory.calibration.Scenario.Enforcement;

class ReplayPropertiesTest {
  private static Demand demand(int seed) {
    TestingWorld.Recipe recipe = new TestingWorld.Recipe();
    recipe.seed = seed;
    recipe.seconds = 300;
    return DemandReader.read(new TestingWorld(recipe).shadow(), 4, new java.util.ArrayList<>());
  }

  private static LimiterConfig limits(int cluster, int perTask, int knn, int tier) {
    return LimiterConfig.starting()
        .with(
            Map.of(
                "api_heavy.cluster", cluster,
                "reserve_single_row", Math.min(1, cluster),
                "api_heavy.per_task", perTask,
                "es2_knn", knn,
                "tiers.preview", tier));
  }

  @Property(tries = 40)
  void underEnforcementForAllNoLanePassesItsLimitAndEveryCallEndsOnce(
      @ForAll @IntRange(min = 1, max = 200) int seed,
      @ForAll @IntRange(min = 0, max = 8) int cluster,
      @ForAll @IntRange(min = 0, max = 4) int perTask,
      @ForAll @IntRange(min = 0, max = 6) int knn,
      @ForAll @IntRange(min = 0, max = 3) int tier) {
    Demand demand = demand(seed);
    LimiterConfig config = limits(cluster, perTask, knn, tier);

    Outcome o =
        Replay.run(demand, Scenario.of(TestingTraces.always(config), Enforcement.ALL), seed);

    LaneClock clock = o.clock;
    assertThat(clock.peak(0)).isLessThanOrEqualTo(cluster);
    assertThat(clock.peak(1)).isLessThanOrEqualTo(knn);
    for (int task = 0; task < demand.tasks().size(); task++) {
      assertThat(clock.peak(clock.taskLane(task))).isLessThanOrEqualTo(perTask);
    }
    int preview = demand.tiers().indexOf("preview");
    if (preview >= 0) {
      assertThat(clock.peak(clock.tierLane(preview))).isLessThanOrEqualTo(tier);
    }
    for (int c = 0; c < demand.size(); c++) {
      assertThat(o.endedAt[c]).isGreaterThan(0);
      if (o.ending[c] == Outcome.DONE) {
        assertThat(o.heldMicros[c]).isPositive();
        assertThat(o.attempts[c]).isEqualTo(o.refusals[c] + 1);
        // Nothing is tried again before its Retry-After, which is at least 5 s.
        assertThat(o.waitedMicros[c]).isGreaterThanOrEqualTo(5_000_000L * o.refusals[c]);
        // Wanted, waited, queued, held: in this order and nothing between.
        assertThat(o.endedAt[c] - o.wantedAt[c])
            .isGreaterThanOrEqualTo(o.waitedMicros[c] + o.queueMicros[c] + o.heldMicros[c]);
      } else {
        assertThat(o.ending[c]).isIn(Outcome.GAVE_UP, Outcome.OVER_ALLOWANCE);
        long most = demand.singleRow[c] ? Replay.GIVE_UP_SINGLE_ROW_MICROS : Replay.GIVE_UP_MICROS;
        assertThat(o.waitedMicros[c]).isLessThanOrEqualTo(most);
      }
    }
  }

  @Property(tries = 10)
  void aRunKeepsItsWidthAndALinkedCallComesAfterItsLeader(
      @ForAll @IntRange(min = 1, max = 50) int seed) {
    Demand demand = demand(seed);

    Outcome o =
        Replay.run(
            demand,
            Scenario.of(TestingTraces.always(LimiterConfig.starting()), Enforcement.ALL),
            seed);

    for (int c = 0; c < demand.size(); c++) {
      if (demand.link[c] != Demand.NONE) {
        assertThat(o.wantedAt[demand.link[c]]).isGreaterThanOrEqualTo(o.endedAt[c]);
      }
    }
    for (int s = 0; s < demand.stages.count(); s++) {
      for (int i = demand.stages.first()[s]; i < demand.stages.first()[s + 1]; i++) {
        long now = o.wantedAt[demand.stages.order()[i]];
        int going = 0;
        for (int j = demand.stages.first()[s]; j < demand.stages.first()[s + 1]; j++) {
          int other = demand.stages.order()[j];
          going += o.wantedAt[other] <= now && now < o.endedAt[other] ? 1 : 0;
        }
        assertThat(going).isLessThanOrEqualTo(demand.stages.width()[s]);
      }
    }
  }

  @Property(tries = 12)
  void underEveryFixAndEveryWayOfEnforcingEachCallEndsOnce(
      @ForAll @IntRange(min = 1, max = 50) int seed,
      @ForAll WhatIf whatIf,
      @ForAll Enforcement enforcement,
      @ForAll boolean closed,
      @ForAll boolean retries) {
    Demand demand = demand(seed);
    Scenario scenario =
        new Scenario(
            TestingTraces.always(limits(3, 2, 2, 1)),
            enforcement,
            Set.of("automatch"),
            closed,
            retries,
            4,
            true,
            Set.of(whatIf));

    Outcome o = Replay.run(demand, scenario, seed);

    int done = 0;
    for (int c = 0; c < demand.size(); c++) {
      assertThat(o.endedAt[c]).as("call " + c).isGreaterThan(0);
      done += o.ending[c] == Outcome.DONE ? 1 : 0;
    }
    if (enforcement == Enforcement.NOBODY) {
      assertThat(done).isEqualTo(demand.size());
    }
    assertThat(o.clock.integralMicros(0)).isEqualTo(java.util.Arrays.stream(o.heldMicros).sum());
  }

  @Property(tries = 5)
  void theNumberOfThreadsChangesNothing(@ForAll @IntRange(min = 1, max = 50) int seed) {
    Demand demand = demand(seed);
    Scenario scenario =
        Scenario.of(TestingTraces.always(LimiterConfig.starting()), Enforcement.ALL);
    List<String> answers = new java.util.ArrayList<>();
    for (int threads : new int[] {1, 3}) {
      try (Forecaster forecaster = new Forecaster(demand, seed, threads)) {
        answers.add(
            Json.write(
                CalibrationResult.forecastTree(forecaster.forecast(scenario, 2, done -> {}))));
      }
    }
    assertThat(answers.get(0)).isEqualTo(answers.get(1));
  }
}
