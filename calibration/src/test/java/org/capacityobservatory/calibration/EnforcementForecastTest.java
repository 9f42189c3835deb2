package org.capacityobservatory.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a prediction says in the terms of lines; numbers worked out by hand. */
class EnforcementForecastTest {
  @Test
  void sharesAreOfAttemptsAndLimitsAreWhatCallsSee() {
    EnforcementForecast forecast =
        EnforcementForecast.of(
            """
            {"program": {"name": "capacity calibrate", "version": "9"},
             "assumptions": {"enforce_for": "all"},
             "config": {"asked": {"api_heavy": {"cluster": 6, "per_task": 3}, "es2_knn": 5,
               "reserve_single_row": 2, "tiers": {"core": 4}, "per_user": {"core": 1}}},
             "predicted": {
               "refused_attempts": {"value": 40, "low": 20, "high": 60},
               "attempts": {"value": 140, "low": 120, "high": 160},
               "by": {"tier": {
                 "core": {"calls": 10, "refused_attempts": {"value": 0, "low": 0, "high": 2},
                   "attempts": {"value": 8, "low": 8, "high": 10}},
                 "staff": {"calls": 0, "refused_attempts": {"value": null},
                   "attempts": {"value": null}}}}}}
            """);
    // 100 attempts get through: 40 of 140, 20 of 120, 60 of 160; of core 8: 0 of 8, 2 of 10.
    assertThat(forecast.refusedShare()).containsOnlyKeys("all", "tier.core");
    is(forecast, "all", 40 / 140.0, 20 / 120.0, 60 / 160.0);
    is(forecast, "tier.core", 0, 0, 0.2);
    assertThat(forecast.limits())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "api_heavy", Set.of(6, 4),
                "api_heavy_task", Set.of(3),
                "es2_knn", Set.of(5),
                "tier.core", Set.of(4),
                "user.core", Set.of(1)));
    assertThat(forecast.enforceFor()).isEqualTo("all");
    assertThat(forecast.program()).isEqualTo("capacity calibrate 9");
  }

  @Test
  void whatIsNoWholePredictionIsRefused() {
    for (String text : List.of("{}", "[1]", "{\"predicted\": 1}")) {
      assertThatThrownBy(() -> EnforcementForecast.of(text))
          .isInstanceOf(InvalidConfigException.class);
    }
    assertThatThrownBy(() -> EnforcementForecast.of("{\"predicted\": {}}"))
        .hasMessageContaining("predicted.refused_attempts")
        .hasMessageContaining("config.asked is missing");
  }

  private static void is(
      EnforcementForecast forecast, String group, double value, double low, double high) {
    Estimate share = forecast.refusedShare().getOrDefault(group, Estimate.NOTHING);
    assertThat(share.value()).isCloseTo(value, within(1e-12));
    assertThat(share.low()).isCloseTo(low, within(1e-12));
    assertThat(share.high()).isCloseTo(high, within(1e-12));
  }
}
