package org.capacityobservatory.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code capacity alarms check} and {@code test}: what they say, and their exit codes. */
class AlarmsCommandIT {
  private static final Path ALARMS = Path.of("..", "alarms");

  @TempDir private Path directory;

  @Test
  void rulesAreCheckedAndTestedByTheCommandLine() throws IOException {
    Path wrong = directory.resolve("wrong.yaml");
    Files.writeString(wrong, "groups: [{name: g, rules: [{alert: A, expr: nonsense}]}]\n");
    Path failing = directory.resolve("failing.yaml");
    Files.writeString(
        failing,
        """
        rule_files: [%s]
        tests:
          - input_series:
              - {series: config_changes, values: '1'}
            alert_rule_test:
              - {eval_time: 1m, alertname: ConfigChanged, exp_alerts: []}
        """
            .formatted(ALARMS.resolve("rules/limiter.yaml").toAbsolutePath()));
    try (TestingCommand good =
            TestingCommand.start(
                "alarms", "check", ALARMS.resolve("rules/limiter.yaml").toString());
        TestingCommand bad = TestingCommand.start("alarms", "check", wrong.toString());
        TestingCommand tests =
            TestingCommand.start(
                "alarms", "test", ALARMS.resolve("rule-tests/limiter.yaml").toString());
        TestingCommand fails = TestingCommand.start("alarms", "test", failing.toString())) {
      assertThat(good.exitCode()).as(good::stderr).isZero();
      assertThat(good.stdout()).isEqualTo("7 rules, in form\n");
      assertThat(bad.exitCode()).isEqualTo(1);
      assertThat(bad.stdout()).contains(wrong + ":1: 'expr': 'nonsense' isn't METRIC");
      assertThat(tests.exitCode()).as(tests::stderr).isZero();
      assertThat(tests.stdout()).endsWith("limiter.yaml: 21 checks, 0 failed\n");
      assertThat(fails.exitCode()).isEqualTo(3);
      assertThat(fails.stdout())
          .contains(failing + ":6: test: ConfigChanged after 1m: fires [{severity=info}]");
    }
  }
}
