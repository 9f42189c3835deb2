package org.capacityobservatory.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.capacityobservatory.metrics.TestingCalls.call;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LaneTalliesTest {
  private final Dimensions dimensions = TestingDimensions.silent();
  private final LaneTallies lanes = new LaneTallies();

  @Test
  void aCallPassesEveryLaneButTheOneForSemanticMatches() {
    add("'endpoint':'$match','semantic':false");
    add("'endpoint':'$rerank','semantic':true");
    add("'endpoint':'$match','semantic':true");
    add("'es2_knn_limit':3");

    assertThat(callsByLane())
        .isEqualTo(
            Map.of("api_heavy", 4L, "api_heavy_task", 4L, "es2_knn", 2L, "tier", 4L, "user", 4L));
  }

  @Test
  void fullAloneIsToldFromFullTogether() {
    add("'full':['tier']");
    add("'full':['api_heavy','tier']");
    add("'full':['tier','tier']");
    add("");

    assertThat(lanes.of("tier").full()).isEqualTo(3);
    assertThat(lanes.of("tier").fullAlone()).isEqualTo(2);
    assertThat(lanes.of("api_heavy").full()).isEqualTo(1);
    assertThat(lanes.of("api_heavy").fullAlone()).isZero();
    assertThat(lanes.of("user").full()).isZero();
  }

  @Test
  void nearTheLimitIsFromEightyPercentOn() {
    add("'in_flight':3,'limit':4"); // 75 %
    add("'in_flight':4,'limit':5"); // 80 %
    add("'in_flight':7,'limit':4"); // beyond, as shadow mode lets it
    add("'in_flight':4");
    add("'limit':4");

    LaneTally heavy = lanes.of("api_heavy");
    assertThat(heavy.calls()).isEqualTo(5);
    assertThat(heavy.measured()).isEqualTo(3);
    assertThat(heavy.nearLimit()).isEqualTo(2);
    assertThat(heavy.inFlightMax()).isEqualTo(7);
    assertThat(heavy.limitMin()).isEqualTo(4);
    assertThat(heavy.limitMax()).isEqualTo(5);
    assertThat(lanes.of("user").inFlightMax()).isNull();
  }

  @Test
  void aLaneNotKnownYetIsCountedUnderItsName() {
    add("'full':['api_heavy','gpu_heavy']");

    assertThat(lanes.of("gpu_heavy").full()).isEqualTo(1);
    assertThat(lanes.of("gpu_heavy").calls()).isEqualTo(1);
    assertThat(callsByLane()).containsKey("gpu_heavy");
  }

  @Test
  void occupancyGoesToEachLaneOfTheCall() {
    lanes.addOccupancy(call("'semantic':true,'endpoint':'$match'"), 400);
    lanes.addOccupancy(call("'semantic':false"), 100);

    assertThat(lanes.of("es2_knn").occupancyMs()).isEqualTo(400);
    assertThat(lanes.of("tier").occupancyMs()).isEqualTo(500);
    assertThat(lanes.of("tier").calls()).isZero();
  }

  private void add(String fields) {
    lanes.addCall(call(fields), dimensions);
  }

  private Map<String, Long> callsByLane() {
    Map<String, Long> calls = new TreeMap<>();
    lanes.forEach((lane, tally) -> calls.put(lane, tally.calls()));
    return calls;
  }
}
