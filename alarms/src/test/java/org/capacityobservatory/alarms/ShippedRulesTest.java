package org.capacityobservatory.alarms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule tests of {@code alarms/rule-tests}, and the reading of such files. */
class ShippedRulesTest {
  private static final Path TESTS = Path.of("rule-tests");
  private static final Pattern NAMED = Pattern.compile("- name: (\\w+) (fires|doesn't)");

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "saturation.yaml",
        "refusals.yaml",
        "limiter.yaml",
        "pipeline.yaml",
        "no-data.yaml"
      })
  void firesWhenItShouldAndOnlyThen(String file) throws Exception {
    RuleTests.Result result = RuleTests.run(TESTS.resolve(file));
    assertThat(result.failures()).isEmpty();
    assertThat(result.checks()).isPositive();
  }

  @Test
  void everyShippedRuleHasMinutesThatFireItAndMinutesThatMustNot() throws IOException {
    Set<String> fire = new TreeSet<>();
    Set<String> mustNot = new TreeSet<>();
    for (String file : AlarmRules.SHIPPED) {
      Matcher named = NAMED.matcher(Files.readString(TESTS.resolve(file)));
      while (named.find()) {
        (named.group(2).equals("fires") ? fire : mustNot).add(named.group(1));
      }
    }
    List<String> rules = AlarmRules.shipped().stream().map(AlarmRule::name).sorted().toList();
    assertThat(fire).containsExactlyElementsOf(rules);
    assertThat(mustNot).containsExactlyElementsOf(rules);
  }

  @Test
  void aTestThatFailsSaysWhereAndHow() throws Exception {
    Path rules = TESTS.resolve("no-data-rules.yaml").toAbsolutePath();
    Path file = directory.resolve("t.yaml");
    Files.writeString(
        file,
        """
        rule_files: [%s]
        tests:
          - name: early
            input_series:
              - series: 'refused_share{tier="core"}'
                values: '30/100x4'
            alert_rule_test:
              - {eval_time: 5m, alertname: RefusedShare, exp_alerts: []}
              - eval_time: 5m
                alertname: RefusedShare
                exp_alerts:
                  - exp_labels: {severity: page}
                    exp_annotations: {summary: other}
        """
            .formatted(rules));

    RuleTests.Result result = RuleTests.run(file);
    assertThat(result.checks()).isEqualTo(2);
    assertThat(result.failures())
        .containsExactly(
            file + ":8: early: RefusedShare after 5m: fires [{severity=page}], expected []",
            file
                + ":9: early: RefusedShare after 5m: says {runbook=none, summary=30 % are refused},"
                + " expected {summary=other}");
  }

  @Test
  void aFileThatIsNotInFormNamesEveryProblem() throws IOException {
    Path rules = TESTS.resolve("no-data-rules.yaml").toAbsolutePath();
    Path file = directory.resolve("t.yaml");
    Files.writeString(
        file,
        """
        rule_files: [%s]
        evaluation_interval: 30s
        tests:
          - input_series:
              - series: 'refused_shares'
                values: '1/2'
              - series: 'refused_share{lane="tier"}'
                values: '1/2'
              - series: 'refused_share'
                values: '1/2y3'
            alert_rule_test:
              - {eval_time: soon, alertname: Nothing}
        """
            .formatted(rules));
    AlarmRulesException refused =
        catchThrowableOfType(AlarmRulesException.class, () -> RuleTests.run(file));
    assertThat(refused.problems().stream().map(p -> p.substring(file.toString().length())))
        .satisfiesExactly(
            p -> assertThat(p).startsWith(":2: 'evaluation_interval' is always 1m here"),
            p -> assertThat(p).startsWith(":5: 'series': there is no metric refused_shares"),
            p -> assertThat(p).startsWith(":7: 'series': 'lane=\"tier\"' isn't label"),
            p -> assertThat(p).startsWith(":10: 'values': '1/2y3' isn't PART, PART/WHOLE or _"),
            p -> assertThat(p).startsWith(":12: 'eval_time': 'soon' isn't a duration"),
            p -> assertThat(p).startsWith(":12: 'alertname': there is no alert Nothing"));
  }
}
