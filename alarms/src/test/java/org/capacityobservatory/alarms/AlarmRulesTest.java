package org.capacityobservatory.alarms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.capacityobservatory.alarms.AlarmExpression.Comparison;
import org.junit.jupiter.api.Test;

class AlarmRulesTest {
  @Test
  void everyShippedRuleIsInForm() throws IOException, AlarmRulesException {
    try (Stream<Path> files = Files.list(Path.of("rules"))) {
      for (Path file : files.toList()) {
        assertThat(AlarmRules.parse(file.getFileName().toString(), Files.newBufferedReader(file)))
            .isNotEmpty()
            .allSatisfy(
                rule -> {
                  assertThat(rule.labels().get("severity")).isIn("page", "ticket", "info");
                  assertThat(rule.annotations()).containsKeys("summary", "reason", "runbook");
                  assertThat(rule.annotations().get("summary"))
                      .as("texts that viewers see hold no user ids")
                      .doesNotContain("user_id");
                });
      }
    }
  }

  @Test
  void everyFileOfRulesIsShipped() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("rules"))) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(AlarmRules.SHIPPED);
    }
    assertThat(AlarmRules.shipped()).extracting(AlarmRule::name).doesNotHaveDuplicates();
  }

  @Test
  void anExpressionReadsAsItIsWritten() {
    for (AlarmRule rule : AlarmRules.shipped()) {
      assertThat(AlarmExpression.parse(rule.expression().toString())).isEqualTo(rule.expression());
    }
    assertThat(AlarmExpression.parse("user_refused_share [90m] by ( user_id )>= 1.50").toString())
        .isEqualTo("user_refused_share[1h30m] by (user_id) >= 1.5");
  }

  @Test
  void readsEveryField() throws AlarmRulesException {
    List<AlarmRule> rules =
        AlarmRules.parse(
            "r.yaml",
            new StringReader(
                """
                groups:
                  - name: g
                    rules:
                      - alert: A
                        expr: 'refused_share{tier="core", single_row="true"}[1h30m] by (mode) >= 0.25'
                        for: 90s
                        keep_firing_for: 2d
                        clear: 0.1
                        min_calls: 7
                        no_data: alert
                        labels: {severity: page}
                        annotations: {runbook: do this}
                """));

    assertThat(rules)
        .containsExactly(
            new AlarmRule(
                "A",
                new AlarmExpression(
                    Metric.REFUSED_SHARE,
                    Map.of("tier", "core", "single_row", "true"),
                    Duration.ofMinutes(90),
                    Set.of("mode"),
                    Comparison.AT_LEAST,
                    0.25),
                Duration.ofSeconds(90),
                Duration.ofDays(2),
                OptionalDouble.of(0.1),
                7,
                AlarmRule.NoData.ALERT,
                Map.of("severity", "page"),
                Map.of("runbook", "do this")));
  }

  @Test
  void namesEveryProblemWithItsLine() {
    assertThat(
            problemsOf(
                """
                groups:
                  - name: g
                    rules:
                      - alert: A
                        expr: nonsense
                        fore: 3m
                        annotations: {runbook: x}
                      - expr: 'lane_full_share{colour="red"}[5m] > 1'
                        for: soon
                        annotations: {runbook: x}
                      - alert: B
                        expr: 'refused_share[5m] > 0.5'
                        clear: 0.9
                        min_calls: many
                        no_data: perhaps
                      - alert: 'a b'
                        expr: 'lane_full_share[5m] > 0.5'
                        annotations: {runbook: x}
                      - alert: C
                        expr: 'lane_full_share{lane="api_hevy"}[90s] > 0.5'
                        annotations: {runbook: x}
                      - alert: D
                        expr: 'lane_full_share[90s] by (lane) > 0.5'
                        annotations: {runbook: x}
                      - alert: E
                        expr: 'events{kind="lease_lost"}[5m] > 0'
                        min_calls: 3
                        annotations: {runbook: x}
                      - alert: F
                        expr: 'refused_share[5m] by (tier) > 0.5'
                        annotations: {runbook: 'see {{ $labels.task }}'}
                """))
        .containsExactly(
            "r.yaml:6: a rule has no 'fore'; it has [alert, annotations, clear, expr, for,"
                + " keep_firing_for, labels, min_calls, no_data]",
            "r.yaml:5: 'expr': 'nonsense' isn't METRIC{label=\"value\"}[WINDOW] by (label) > NUMBER",
            "r.yaml:8: 'alert' is missing",
            "r.yaml:8: 'expr': lane_full_share has no label colour; it has [lane, task, tier]",
            "r.yaml:9: 'for': 'soon' isn't a duration such as 90s, 5m or 1h30m",
            "r.yaml:14: 'min_calls' is 'many', not a number",
            "r.yaml:15: 'no_data': 'perhaps' isn't ok, keep or alert",
            "r.yaml:11: annotation 'runbook' is missing: say what the person paged should do",
            "r.yaml:11: clear is 0.9: an alarm that starts at 0.5 must end on the other side of it",
            "r.yaml:16: 'alert': 'a b' must be letters, digits and _, at most 80, a letter first",
            "r.yaml:17: 'expr': lane_full_share adds up over every lane, which means nothing: name"
                + " one, {lane=\"…\"}, or split, by (lane)",
            "r.yaml:20: 'expr': label lane is never \"api_hevy\"; it is one of [api_heavy,"
                + " api_heavy_task, es2_knn, tier, user]",
            "r.yaml:23: 'expr': the window 90s must be whole minutes, from 1m to 1d",
            "r.yaml:25: min_calls: events counts things rather than a share of calls; leave"
                + " min_calls out",
            "r.yaml:31: annotation 'runbook': the series have no label task; they have [tier]: add"
                + " it to by (…)");
  }

  @Test
  void refusesWhatIsNoFileOfRules() {
    assertThat(problemsOf(""))
        .containsExactly("r.yaml:1: the file is empty; it starts with 'groups:'");
    assertThat(problemsOf("a: ["))
        .singleElement()
        .asString()
        .startsWith("r.yaml:1: this isn't YAML");
    assertThat(problemsOf("- 1")).first().isEqualTo("r.yaml:1: a file of rules must be a mapping");
    assertThat(problemsOf("groups: 3")).containsExactly("r.yaml:1: 'groups' must be a list");
  }

  private static List<String> problemsOf(String yaml) {
    AlarmRulesException refused =
        catchThrowableOfType(
            AlarmRulesException.class, () -> AlarmRules.parse("r.yaml", new StringReader(yaml)));
    assertThat(refused).isNotNull();
    return refused.problems();
  }
}
