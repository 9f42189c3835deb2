package org.capacityobservatory.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ShipSettingsTest {
  @TempDir Path folder;

  private final CommandLine command = new CommandLine(new ShipCommand());

  @Test
  void aFlagGoesBeforeTheEnvironmentAndThatBeforeTheFile() throws Exception {
    Path file =
        file("# ours", "kafka = file:1", "id=from-file", "metrics-port = 9100", "once=true");
    Map<String, String> env =
        Map.of("CAPACITY_SHIP_ID", "from-env", "CAPACITY_SHIP_METRICS_PORT", "9200", "HOME", "/x");
    command.parseArgs("--metrics-port", "9300", "a.log");
    ShipSettings settings = ShipSettings.load(file, env);
    assertThat(fillIn(settings)).isEmpty();
    assertThat(value("--kafka")).isEqualTo("file:1");
    assertThat(value("--id")).isEqualTo("from-env");
    assertThat(value("--metrics-port")).isEqualTo(9300);
    assertThat(value("--once")).isEqualTo(true);
    assertThat(settings.rows(command.getCommandSpec(), List.of("a.log")))
        .contains(
            new ShipSettings.Row("kafka", "file:1", file + " line 2"),
            new ShipSettings.Row("id", "from-env", "env CAPACITY_SHIP_ID"),
            new ShipSettings.Row("metrics-port", "9300", "flag"),
            new ShipSettings.Row("once", "true", file + " line 5"),
            new ShipSettings.Row("redact", "[]", "default"));
  }

  @Test
  void theEnvironmentsCommonNameForKafkaCountsToo() {
    command.parseArgs();
    ShipSettings settings = ShipSettings.load(null, Map.of("CAPACITY_KAFKA", "k:1"));
    assertThat(fillIn(settings)).isEmpty();
    assertThat(settings.rows(command.getCommandSpec(), List.of()))
        .contains(new ShipSettings.Row("kafka", "k:1", "env CAPACITY_KAFKA"));
  }

  @Test
  void everyProblemIsSaidAtOnceWithItsPlaceAndTheRemedy() throws Exception {
    Path file = file("kafak = k:1", "metrics-port = many", "dry-run = true");
    command.parseArgs();
    ShipSettings settings = ShipSettings.load(file, Map.of("CAPACITY_SHIP_ONCE", "perhaps"));
    List<String> problems = fillIn(settings);
    assertThat(problems).hasSize(4);
    assertThat(problems.get(0)).startsWith(file + " line 1: there is no setting kafak: remove it");
    assertThat(problems.get(1)).startsWith(file + " line 3: there is no setting dry-run");
    assertThat(problems.get(2))
        .startsWith(file + " line 2: metrics-port = many can't be used")
        .endsWith("correct it or remove it");
    assertThat(problems.get(3)).startsWith("env CAPACITY_SHIP_ONCE: once = perhaps can't be used");
  }

  @Test
  void filesAreAListOrNumbered() throws Exception {
    assertThat(ShipSettings.load(file("files = a.log,/b/*.log"), Map.of()).files())
        .containsExactly("a.log", "/b/*.log");
    assertThat(ShipSettings.load(file("files[0] = {a,b}.log", "files[1] = c"), Map.of()).files())
        .containsExactly("{a,b}.log", "c");
    assertThat(ShipSettings.load(null, Map.of("CAPACITY_SHIP_FILES", "x,y")).files())
        .containsExactly("x", "y");
    assertThat(ShipSettings.load(null, Map.of()).files()).isEmpty();
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> ShipSettings.load(folder.resolve("absent"), Map.of()))
        .withMessageContaining("absent can't be read: it isn't there");
  }

  private List<String> fillIn(ShipSettings settings) {
    return settings.fillIn(
        command.getCommandSpec(), new CommandLine(new ShipCommand()).getCommandSpec());
  }

  private @Nullable Object value(String option) {
    return command.getCommandSpec().findOption(option).getValue();
  }

  private Path file(String... lines) throws IOException {
    return Files.write(folder.resolve("ship.properties"), List.of(lines));
  }
}
