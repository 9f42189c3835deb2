package org.capacityobservatory.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.capacityobservatory.calibration.Scenario.Enforcement;
import org.junit.jupiter.api.Test;

/** Predictions from shadow lines alone against what enforcement then did. */
class PredictionTest {
  @Test
  void theSamplePairComesOutAsTheRealLimiterDidIt() {
    List<Map<String, Object>> clients = TestingTraces.clients();
    double[] waits = clients.stream().mapToDouble(c -> number(c, "waited")).sorted().toArray();
    long attempts = Math.round(clients.stream().mapToDouble(c -> number(c, "attempts")).sum());
    double refusedShare = refused(clients);
    try (Calibration c = Calibration.of(TestingTraces.shadow(), TestingTraces.options(20))) {
      Forecast f = c.predict(progress -> {});

      Estimate share = f.of(Metric.REFUSED_CALLS_SHARE);
      assertThat(share.value()).isCloseTo(refusedShare, within(0.03));
      assertThat(share.width()).isLessThanOrEqualTo(0.08);
      assertThat(share.holds(refusedShare)).isTrue();
      assertThat(f.of("single_row", "true", Metric.REFUSED_CALLS_SHARE).value())
          .isCloseTo(
              refused(clients.stream().filter(x -> number(x, "rows") == 1).toList()), within(0.05));
      assertThat(f.of("single_row", "false", Metric.REFUSED_CALLS_SHARE).value())
          .isCloseTo(
              refused(clients.stream().filter(x -> number(x, "rows") > 1).toList()), within(0.05));
      assertThat(f.of(Metric.REFUSED_ATTEMPTS).value())
          .isCloseTo((double) (attempts - clients.size()), withPercentage(15));
      assertThat(f.of(Metric.WAIT_MEAN).value())
          .isCloseTo(java.util.Arrays.stream(waits).average().orElse(0), withPercentage(25));
      assertThat(f.of(Metric.WAIT_P95).value())
          .isCloseTo(waits[(int) Math.ceil(0.95 * waits.length) - 1], withPercentage(25));
      assertThat(f.of(Metric.HELD_P95).value()).isCloseTo(4766, withPercentage(15));
      assertThat(f.of(Metric.QUEUE_P95).value()).isCloseTo(948, withPercentage(15));
    }
  }

  private static double number(Map<String, Object> client, String key) {
    return client.get(key) instanceof Number n ? n.doubleValue() : 0;
  }

  private static double refused(List<Map<String, Object>> clients) {
    // "attempts" of a call that waited counts refusals; 1 means let through at once.
    return clients.stream().filter(c -> number(c, "attempts") > 1).count()
        / (double) clients.size();
  }

  /** Twenty worlds with known truth: other demand, limits, stretch, and who is enforced. */
  @Test
  void intervalsHoldTheTruthOfOtherWorlds() {
    int held = 0;
    int asked = 0;
    double error = 0;
    double width = 0;
    List<String> misses = new ArrayList<>();
    for (int seed = 1; seed <= 20; seed++) {
      TestingWorld.Recipe recipe = new TestingWorld.Recipe();
      recipe.seed = seed;
      recipe.seconds = 900;
      recipe.runsPerMinute = 1.2 + seed % 4 * 0.4;
      if (seed % 3 == 1) {
        recipe.stretch = n -> Math.sqrt(n);
      }
      if (seed % 5 == 2) {
        recipe.cluster = 6;
        recipe.perTask = 3;
        recipe.knn = 5;
        recipe.reserve = 2;
      }
      boolean aware = seed % 2 == 0;
      TestingWorld world = new TestingWorld(recipe);
      Recording shadow = world.shadow();
      TestingWorld.Truth truth = world.enforced(aware);
      Demand demand = DemandReader.read(shadow, 4, new ArrayList<>());
      Scenario scenario =
          Scenario.of(ConfigTimeline.of(shadow), aware ? Enforcement.AWARE : Enforcement.ALL)
              .withAware(aware ? Set.of("automatch", "mapper-row") : null);
      try (Forecaster forecaster = new Forecaster(demand, 1, 2)) {
        Forecast f = forecaster.forecast(scenario, 5, done -> {});
        double[] actual = {
          truth.refusedShare(), truth.refusedAttempts(), truth.meanWait(), truth.heldP95Ms()
        };
        List<Metric> metrics =
            List.of(
                Metric.REFUSED_CALLS_SHARE,
                Metric.REFUSED_ATTEMPTS,
                Metric.WAIT_MEAN,
                Metric.HELD_P95);
        for (int i = 0; i < actual.length; i++) {
          asked++;
          if (f.of(metrics.get(i)).holds(actual[i])) {
            held++;
          } else {
            misses.add(seed + " " + metrics.get(i) + " " + f.of(metrics.get(i)) + " " + actual[i]);
          }
        }
        error += (f.of(Metric.REFUSED_CALLS_SHARE).value() - truth.refusedShare()) / 20;
        width += f.of(Metric.REFUSED_CALLS_SHARE).width() / 20;
      }
    }
    assertThat(held / (double) asked)
        .as("coverage; missed %s", misses)
        .isGreaterThanOrEqualTo(0.85);
    assertThat(error).as("mean error of the refused share").isCloseTo(0, within(0.02));
    assertThat(width).as("mean width of the refused share's interval").isLessThan(0.12);
  }

  @Test
  void aStretchIsFoundAsItIs() {
    TestingWorld.Recipe recipe = new TestingWorld.Recipe();
    recipe.stretch = n -> 1 + 0.3 * (n - 1);
    Demand demand = DemandReader.read(new TestingWorld(recipe).shadow(), 4, new ArrayList<>());

    ServiceModel service = demand.service();
    assertThat(service.shape()).isEqualTo(ServiceModel.Shape.LINEAR);
    assertThat(service.driver()).isEqualTo(ServiceModel.Driver.CLUSTER);
    ServiceModel.Coefficient k = service.groups().get(0);
    assertThat(k.k()).isCloseTo(0.3, within(3 * k.standardError()));
  }

  @Test
  void runsAreReadAsTheLoopsThatTheyWere() {
    TestingWorld.Recipe recipe = new TestingWorld.Recipe();
    Demand demand = DemandReader.read(new TestingWorld(recipe).shadow(), 4, new ArrayList<>());
    for (int s = 0; s < demand.stages.count(); s++) {
      int call = demand.stages.order()[demand.stages.first()[s]];
      boolean preview = demand.tiers().get(demand.tier[call]).equals("preview");
      int calls = demand.stages.first()[s + 1] - demand.stages.first()[s];
      int ruled = demand.stages.linked()[s] || preview ? 2 : Math.min(5, calls);
      assertThat(demand.stages.width()[s]).isLessThanOrEqualTo(ruled);
    }
    assertThat(demand.dealsInTurn).isTrue();
  }
}
