package org.capacityobservatory.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.capacityobservatory.calibration.Finding.Weight;
import org.junit.jupiter.api.Test;

/** What can't be concluded is said, in words. */
class BadInputTest {
  private static Recording with(Recording base, UnaryOperator<RecordedCall> change) {
    List<RecordedCall> calls = new ArrayList<>(base.calls().stream().map(change).toList());
    calls.sort(java.util.Comparator.comparingLong(RecordedCall::endedAtMillis));
    return new Recording(calls, base.changes(), base.read());
  }

  private static List<String> blocking(Recording recording) {
    try (Calibration c = Calibration.of(recording, TestingTraces.options(2))) {
      CalibrationResult.of(c, progress -> {}).tree();
      return c.findings().stream()
          .filter(f -> f.weight() == Weight.BLOCKS)
          .map(Finding::code)
          .distinct()
          .toList();
    }
  }

  @Test
  void theSampleIsGoodEvidenceButForAFewLateLines() {
    try (Calibration c = Calibration.of(TestingTraces.shadow(), TestingTraces.options(2))) {
      assertThat(c.findings()).extracting(Finding::code).containsOnly("late_envelope_time");
      assertThat(c.audit().agreeingShare()).isGreaterThan(0.99);
    }
  }

  @Test
  void clocksFiveSecondsApart() {
    Recording shadow = TestingTraces.shadow();
    Recording skewed =
        with(
            shadow,
            c ->
                "api-task-b".equals(c.call().task())
                    ? new RecordedCall(c.endedAtMillis() + 5000, c.source(), c.call())
                    : c);
    assertThat(blocking(skewed)).containsExactly("clocks_apart");
  }

  @Test
  void twoClustersMixed() {
    Recording shadow = TestingTraces.shadow();
    List<RecordedCall> both = new ArrayList<>(shadow.calls());
    both.addAll(TestingTraces.events().calls());
    both.sort(java.util.Comparator.comparingLong(RecordedCall::endedAtMillis));
    assertThat(blocking(new Recording(both, shadow.changes(), shadow.read())))
        .contains("clusters_mixed");
  }

  @Test
  void threeLinesOnlyRefusedLinesAndNone() {
    Recording shadow = TestingTraces.shadow();
    assertThat(blocking(new Recording(shadow.calls().subList(0, 3), List.of(), shadow.read())))
        .containsExactly("few_calls");
    Recording enforce = TestingTraces.enforce();
    List<RecordedCall> refused =
        enforce.calls().stream().filter(c -> "refused".equals(c.call().decision())).toList();
    assertThat(blocking(new Recording(refused, List.of(), enforce.read())))
        .contains("only_refused", "enforce_mode");
    assertThat(blocking(new Recording(List.of(), List.of(), enforce.read())))
        .containsExactly("no_calls");
  }

  @Test
  void linesWrittenUnderEnforcement() {
    assertThat(blocking(TestingTraces.enforce())).containsExactly("enforce_mode");
  }

  @Test
  void configChangesAreFollowedAndTheirHolesNamed() {
    Recording events = TestingTraces.events();
    ConfigTimeline timeline = ConfigTimeline.of(events);
    assertThat(timeline.steps()).hasSize(5);
    assertThat(timeline.unannounced()).isZero();
    assertThat(timeline.steps().get(2).config().tiers()).containsEntry("preview", 0);
    assertThat(timeline.last().cluster()).isEqualTo(6);
    List<RecordedChange> gap = new ArrayList<>(events.changes());
    gap.remove(1);
    assertThat(Evidence.of(new Recording(events.calls(), gap, events.read())))
        .extracting(Finding::code)
        .contains("config_versions_missing", "unavailable");
  }

  @Test
  void saneAnswersAtTheEdges() {
    Recording shadow = TestingTraces.shadow();
    Options options = TestingTraces.options(2);
    Map<String, Object> zero =
        Map.of("api_heavy.cluster", 0, "reserve_single_row", 0, "api_heavy.per_task", 0);
    try (Calibration c = Calibration.of(shadow, options.withChanges(zero))) {
      Forecast f = c.predict(progress -> {});
      // Some calls are given up in the pause that another's refusal brought on their tab.
      assertThat(f.of(Metric.REFUSED_CALLS_SHARE).value()).isBetween(0.7, 1.0);
      assertThat(f.of(Metric.GIVEN_UP_SHARE).value()).isEqualTo(1);
      assertThat(f.of(Metric.HELD_P95).isKnown()).isFalse();
    }
    Map<String, Object> huge = new java.util.LinkedHashMap<>();
    LimiterConfig.starting()
        .paths()
        .keySet()
        .forEach(
            path -> {
              if (path.startsWith("tiers.") || path.startsWith("per_user.")) {
                huge.put(path, LimiterConfig.MAX_LIMIT);
              }
            });
    huge.put("api_heavy.cluster", LimiterConfig.MAX_LIMIT);
    huge.put("api_heavy.per_task", LimiterConfig.MAX_LIMIT);
    huge.put("es2_knn", LimiterConfig.MAX_LIMIT);
    try (Calibration c = Calibration.of(shadow, options.withChanges(huge))) {
      Forecast f = c.predict(progress -> {});
      assertThat(f.of(Metric.REFUSED_CALLS_SHARE).value()).isZero();
      assertThat(f.of(Metric.WAIT_MAX).value()).isZero();
    }
  }

  @Test
  void aConfigThatBreaksRulesIsRefusedWithAllItsProblems() {
    assertThatThrownBy(
            () ->
                LimiterConfig.starting().with(Map.of("api_heavy.cluster", -1, "lease_seconds", 3)))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageContaining("api_heavy.cluster")
        .hasMessageContaining("lease_seconds");
    assertThatThrownBy(() -> LimiterConfig.starting().with(ConfigText.patch("{\"es3\": 1}")))
        .hasMessageContaining("es3 isn't a value");
    assertThat(ConfigText.patch("{\"api_heavy\":{\"cluster\":4,\"per_task\":2},\"es2_knn\":3}"))
        .containsEntry("api_heavy.cluster", 4)
        .containsEntry("es2_knn", 3);
    assertThat(ConfigText.setCommand(Map.of("tiers.preview", 1)))
        .isEqualTo("capacity set tiers.preview=1");
  }

  @Test
  void aHundredThousandSessionsAreDrawnWhole() {
    int sessions = 100_000;
    DemandDraft draft = new DemandDraft(TestingTraces.open(new long[sessions], new long[sessions]));
    for (int c = 0; c < sessions; c++) {
      draft.unit[c] = c;
    }
    draft.units = sessions;
    assertThat(new Resampler(new Demand(draft)).draw(1).size()).isEqualTo(sessions);
  }
}
