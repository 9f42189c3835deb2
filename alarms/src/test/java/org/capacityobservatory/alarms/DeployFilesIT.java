package org.capacityobservatory.alarms;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The files of {@code deploy/}, by the tools that they are for, where these are installed. */
class DeployFilesIT {
  private static final Path DEPLOY = Path.of("..", "deploy");

  @Test
  void prometheusRulesPassTheirTests() throws Exception {
    String promtool = requireOnPath("promtool");
    Path folder = DEPLOY.resolve("prometheus");
    run(folder, promtool, "test", "rules", "capacity.rules.test.yml");
    run(folder, promtool, "check", "config", "prometheus.yml");
  }

  @Test
  void alertmanagersExampleIsInForm() throws Exception {
    String amtool = requireOnPath("amtool");
    run(DEPLOY.resolve("alertmanager"), amtool, "check-config", "alertmanager.yml");
  }

  @Test
  void theExampleOfReceiversIsInForm() throws Exception {
    List<Receiver> receivers =
        Receivers.read(
            DEPLOY.resolve("alertmanager/receivers.yaml"),
            AlarmRules.shipped(),
            InstantSource.system());
    assertThat(receivers).extracting(Receiver::name).containsExactly("alertmanager", "log");
    receivers.forEach(Receiver::close);
  }

  private static String requireOnPath(String name) {
    String program = TestingPrograms.onPath(name);
    assumeThat(program).as("%s isn't installed: this test is skipped", name).isNotEmpty();
    return program;
  }

  private static void run(Path folder, String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(new ArrayList<>(List.of(command)))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }
}
