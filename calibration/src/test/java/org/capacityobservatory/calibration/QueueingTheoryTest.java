package org.capacityobservatory.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.capacityobservatory.calibration.Scenario.Enforcement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The replay against closed forms: Erlang B, Erlang C, Little. */
class QueueingTheoryTest {
  private static final int CALLS = 200_000;
  private static final double MEAN_SECONDS = 2;
  private static final int BATCHES = 20;

  private static Demand poisson(double erlangs, boolean constant, long seed) {
    Random dice = new Random(seed);
    long[] at = new long[CALLS];
    long[] held = new long[CALLS];
    double now = 1e6;
    for (int i = 0; i < CALLS; i++) {
      now += -Math.log(1 - dice.nextDouble()) * MEAN_SECONDS / erlangs;
      at[i] = (long) (now * 1e6);
      double length = constant ? 1 : -Math.log(1 - dice.nextDouble());
      held[i] = Math.max(1, (long) (length * MEAN_SECONDS * 1e6));
    }
    return TestingTraces.open(at, held);
  }

  private static double erlangB(int servers, double erlangs) {
    double b = 1;
    for (int k = 1; k <= servers; k++) {
      b = erlangs * b / (k + erlangs * b);
    }
    return b;
  }

  private static double standardErrorOfMean(double[] values) {
    double[] means = new double[BATCHES];
    int size = values.length / BATCHES;
    for (int b = 0; b < BATCHES; b++) {
      means[b] = Arrays.stream(values, b * size, (b + 1) * size).average().orElse(0);
    }
    double mean = Arrays.stream(means).average().orElse(0);
    double variance = Arrays.stream(means).map(m -> (m - mean) * (m - mean)).sum() / (BATCHES - 1);
    return Math.sqrt(variance / BATCHES);
  }

  @ParameterizedTest
  @CsvSource({"1,0.5,false", "4,3,false", "4,3,true", "8,9,false", "8,9,true", "20,15,true"})
  void oneLaneWithoutRetriesLosesWhatErlangBSays(int limit, double erlangs, boolean constant) {
    Demand demand = poisson(erlangs, constant, 11 + limit);
    Scenario scenario =
        new Scenario(
            TestingTraces.always(TestingTraces.wide().with(Map.of("api_heavy.cluster", limit))),
            Enforcement.ALL,
            null,
            true,
            false,
            0,
            false,
            Set.of());

    Outcome outcome = Replay.run(demand, scenario, 1);

    double[] lost = Arrays.stream(outcome.refusals).mapToDouble(r -> r).toArray();
    double share = Arrays.stream(lost).average().orElse(0);
    double allowed = Math.max(0.005, 3 * standardErrorOfMean(lost));
    assertThat(share)
        .isBetween(erlangB(limit, erlangs) - allowed, erlangB(limit, erlangs) + allowed);
  }

  @ParameterizedTest
  @CsvSource({"1,0.6", "4,2.8", "8,6"})
  void workersAloneMakeCallsWaitAsErlangCSays(int workers, double erlangs) {
    Demand demand = poisson(erlangs, false, 5 + workers);
    Scenario scenario =
        new Scenario(
            TestingTraces.always(TestingTraces.wide()),
            Enforcement.ALL,
            null,
            true,
            true,
            workers,
            false,
            Set.of());

    Outcome outcome = Replay.run(demand, scenario, 1);

    double[] waits = Arrays.stream(outcome.queueMicros).mapToDouble(q -> q / 1e6).toArray();
    double b = erlangB(workers, erlangs);
    double delayed = b / (1 - erlangs / workers * (1 - b));
    double expected = delayed * MEAN_SECONDS / (workers - erlangs);
    double allowed = Math.max(0.02 * expected, 3 * standardErrorOfMean(waits));
    double mean = Arrays.stream(waits).average().orElse(0);
    assertThat(mean).isBetween(expected - allowed, expected + allowed);
  }

  @Test
  void workThatIsSharedAmongCallsTakesAsLongAsProcessorSharingSays() {
    double erlangs = 0.6;
    Demand plain = poisson(erlangs, true, 9);
    // 1 + 1·(n − 1) = n: each of n calls goes at 1/n of the speed.
    DemandDraft draft = new DemandDraft(plain);
    draft.service =
        new ServiceModel(
            ServiceModel.Shape.LINEAR,
            ServiceModel.Driver.SHARING,
            List.of(new ServiceModel.Coefficient("all", 1, 0)),
            List.of(0),
            1,
            0,
            0,
            CALLS,
            1,
            100);
    for (int c = 0; c < CALLS; c++) {
      draft.baseMicros[c] = plain.heldMicros[c];
    }
    Scenario scenario =
        new Scenario(
            TestingTraces.always(TestingTraces.wide()),
            Enforcement.ALL,
            null,
            true,
            true,
            0,
            true,
            Set.of());

    Outcome outcome = Replay.run(new Demand(draft), scenario, 1);

    double[] held = Arrays.stream(outcome.heldMicros).mapToDouble(h -> h / 1e6).toArray();
    double expected = MEAN_SECONDS / (1 - erlangs);
    double allowed = Math.max(0.02 * expected, 3 * standardErrorOfMean(held));
    assertThat(Arrays.stream(held).average().orElse(0))
        .isBetween(expected - allowed, expected + allowed);
  }

  @Test
  void occupancyIsLittlesLawExactly() {
    Demand demand = poisson(3, false, 3);
    Scenario scenario =
        Scenario.of(
            TestingTraces.always(TestingTraces.wide().with(Map.of("api_heavy.cluster", 4))),
            Enforcement.ALL);

    Outcome outcome = Replay.run(demand, scenario, 1);

    long held = Arrays.stream(outcome.heldMicros).sum();
    assertThat(outcome.clock.integralMicros(0)).isEqualTo(held);
    assertThat(outcome.clock.integralMicros(outcome.clock.runningLane())).isEqualTo(held);
  }
}
