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
            .allSatisfy(rule -> assertThat(rule.labels()).containsKey("severity"));
      }
    }
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
                        expr: 'refused_share{tier="core", single_row="true"}[1h30m] >= 0.25'
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
                    "refused_share",
                    Map.of("tier", "core", "single_row", "true"),
                    Duration.ofMinutes(90),
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
                        expr: 'lane_full_share[5m] > 0.5'
                        clear: 0.9
                        min_calls: many
                        no_data: perhaps
                """))
        .containsExactly(
            "r.yaml:6: a rule has no 'fore'; it has [alert, annotations, clear, expr, for,"
                + " keep_firing_for, labels, min_calls, no_data]",
            "r.yaml:5: 'expr': 'nonsense' isn't METRIC{label=\"value\"}[WINDOW] > NUMBER",
            "r.yaml:8: 'alert' is missing",
            "r.yaml:8: 'expr': lane_full_share has no label colour; it has"
                + " [endpoint, lane, single_row, tier]",
            "r.yaml:9: 'for': 'soon' isn't a duration such as 90s, 5m or 1h30m",
            "r.yaml:14: 'min_calls' is 'many', not a number",
            "r.yaml:15: 'no_data': 'perhaps' isn't ok, keep or alert",
            "r.yaml:11: annotation 'runbook' is missing: say what the person paged should do",
            "r.yaml:11: clear is 0.9: an alarm that starts at 0.5 must end on the other side of it");
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
