package org.capacityobservatory.alarms;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.capacityobservatory.localstack.ChildMain;
import org.capacityobservatory.sql.ClickHouseConfig;

/** The alarms' process, to be killed: Kafka, ClickHouse, its password, rules, receivers, name. */
final class TestingEvaluatorMain {
  private TestingEvaluatorMain() {}

  public static void main(String[] args) throws Exception {
    ChildMain child = ChildMain.arm();
    List<AlarmRule> rules = AlarmRules.read(List.of(Path.of(args[3])));
    AlarmsProcess process =
        AlarmsProcess.start(
            new AlarmsConfig(
                rules,
                // What a slow machine takes must not count as silence of the pipeline.
                new EvaluatorConfig(
                    args[5],
                    Duration.ofMillis(200),
                    Duration.ofHours(1),
                    Duration.ofHours(1),
                    Duration.ofHours(1),
                    Duration.ofMinutes(1)),
                new ClickHouseConfig(URI.create(args[1]), "default", args[2], "alarmed"),
                Map.of("bootstrap.servers", args[0])),
            Receivers.read(Path.of(args[4]), rules, InstantSource.system()),
            new SimpleMeterRegistry(),
            InstantSource.system());
    child.onStop(process::close);
    child.ready(Map.of());
    child.awaitStop();
  }
}
