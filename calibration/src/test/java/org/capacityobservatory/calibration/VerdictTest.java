package org.capacityobservatory.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The gate, the scorecard and the report. */
class VerdictTest {
  private static Gate gate(Calibration c, String yaml) {
    return Gate.of(c, c.predict(progress -> {}), Requirements.parse(yaml));
  }

  @Test
  void theGatePassesOnlyWhatIsProven() {
    try (Calibration c = Calibration.of(TestingTraces.shadow(), TestingTraces.options(4))) {
      String accepted = "accept_holes: [late_envelope_time]\n";
      assertThat(gate(c, "completeness_min: 0.99\n").verdict()).isEqualTo(Gate.Verdict.UNKNOWN);
      Gate pass = gate(c, accepted + "completeness_min: 0.99\nunavailable_share_max: 0.01\n");
      assertThat(pass.verdict()).isEqualTo(Gate.Verdict.PASS);
      assertThat(pass.tree()).containsKeys("limits", "headroom", "hash");
      assertThat(gate(c, accepted + "weekly_peak: true\n").verdict())
          .isEqualTo(Gate.Verdict.NOT_YET);
      assertThat(gate(c, accepted + "single_row_refused_share_max: 0.05\n").verdict())
          .isEqualTo(Gate.Verdict.NOT_YET);
      assertThat(gate(c, accepted + "aware_share_min: 0.9\n").verdict())
          .isEqualTo(Gate.Verdict.UNKNOWN);
      Estimate share = c.predict(progress -> {}).of(Metric.REFUSED_CALLS_SHARE);
      double between = (share.value() + share.high()) / 2;
      assertThat(
              gate(c, accepted + "constraints: ['refused_calls_share <= " + between + "']\n")
                  .verdict())
          .isEqualTo(Gate.Verdict.UNKNOWN);
      assertThat(pass.hash())
          .isEqualTo(
              gate(c, accepted + "completeness_min: 0.99\nunavailable_share_max: 0.01\n").hash());
    }
  }

  @Test
  void requirementsNameEveryMistake() {
    assertThatThrownBy(() -> Requirements.parse("min_hour: 2\ncompleteness_min: much\n"))
        .hasMessageContaining("min_hour is no requirement")
        .hasMessageContaining("completeness_min must be a number");
    assertThatThrownBy(() -> Constraint.one("wait.p95 < 3")).hasMessageContaining("no figure");
  }

  @Test
  void theScorecardHoldsThePredictionAgainstEnforcement() {
    String prediction;
    try (Calibration c = Calibration.of(TestingTraces.shadow(), TestingTraces.options(8))) {
      prediction = Json.write(CalibrationResult.of(c, progress -> {}).tree());
    }
    Scorecard card = Scorecard.of(prediction, TestingTraces.enforce());
    assertThat(card.enforcedLines()).isEqualTo(5685);
    Scorecard.Line held =
        card.lines().stream()
            .filter(l -> l.group().equals("all") && l.metric().equals("held_ms.p95"))
            .findFirst()
            .orElseThrow();
    assertThat(held.actual()).isEqualTo(4766);
    assertThat(Math.abs(held.error())).isLessThan(0.15);
    assertThat(card.lines())
        .extracting(Scorecard.Line::group)
        .contains("tier.preview", "day.2026-11-30", "lane.api_heavy");
    Map<String, Double> error = Scorecard.modelErrorIn(Json.write(card.tree()));
    assertThat(error.get("held_ms.p95")).isCloseTo(held.error(), within(1e-6));
  }

  @Test
  void theReportStandsAlone() {
    Options o = TestingTraces.options(2);
    Options explored =
        new Options(
            Map.of("tiers.preview", 1),
            o.enforcement(),
            null,
            true,
            true,
            4,
            true,
            2,
            1,
            2,
            true,
            List.of(
                Constraint.one("heavy_in_flight.p999 <= 6"),
                Constraint.one("heavy_in_flight.p999 >= 7")),
            Map.of());
    TestingWorld.Recipe recipe = new TestingWorld.Recipe();
    recipe.seconds = 240;
    try (Calibration c = Calibration.of(new TestingWorld(recipe).shadow(), explored)) {
      CalibrationResult result = CalibrationResult.of(c, progress -> {});
      Report report = new Report(result);
      assertThat(report.html())
          .contains("What would happen", "To whom", "How sure", "What to set", "<svg")
          .doesNotContain("http://", "https://", "<script", "src=");
      assertThat(report.markdown()).startsWith("# What these limits would do");
      assertThat(report.text()).contains("Which lane binds", "Fixes under discussion");
      assertThat(new Summary(result).whatToSet())
          .contains("heavy_in_flight.p999 <= 6 conflicts with heavy_in_flight.p999 >= 7");
      assertThat(result.curves).containsKeys("api_heavy.cluster", "tiers.preview");
      assertThat(result.tree()).containsKeys("in_force", "curves", "what_if", "recommendation");
    }
  }
}
