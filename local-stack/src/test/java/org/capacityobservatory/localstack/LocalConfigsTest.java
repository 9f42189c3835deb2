package org.capacityobservatory.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class LocalConfigsTest {
  private static final Path DATA = Path.of("/data/x");

  @Test
  void defaults() {
    assertThat(LocalKafkaConfig.in(DATA))
        .isEqualTo(
            new LocalKafkaConfig(DATA, 0, Path.of("/data/kafka.log"), 512, Duration.ofMinutes(2)));
    assertThat(LocalClickHouseConfig.in(DATA))
        .isEqualTo(
            new LocalClickHouseConfig(
                DATA,
                0,
                Path.of("/data/clickhouse.log"),
                ZoneId.of("UTC"),
                16,
                Duration.ofMinutes(1),
                4096,
                Duration.ofMinutes(2)));
  }

  @Test
  void changesOneThingAtATime() {
    Path log = Path.of("/log/l");
    assertThat(LocalKafkaConfig.in(DATA).withPort(7).withLogFile(log))
        .isEqualTo(new LocalKafkaConfig(DATA, 7, log, 512, Duration.ofMinutes(2)));
    assertThat(
            LocalClickHouseConfig.in(DATA)
                .withPort(8)
                .withLogFile(log)
                .withTimeZone(ZoneId.of("Asia/Kolkata"))
                .withQueryLimits(3, Duration.ofSeconds(5)))
        .isEqualTo(
            new LocalClickHouseConfig(
                DATA,
                8,
                log,
                ZoneId.of("Asia/Kolkata"),
                3,
                Duration.ofSeconds(5),
                4096,
                Duration.ofMinutes(2)));
  }

  @Test
  void pathsBecomeAbsolute() {
    assertThat(LocalKafkaConfig.in(Path.of("a/../b")).directory())
        .isEqualTo(Path.of("b").toAbsolutePath());
  }

  @Test
  void everyProblemIsToldAtOnce() {
    assertThatThrownBy(() -> new LocalKafkaConfig(DATA, -1, DATA, 1, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("port", "-1", "heapMegabytes", "readyTimeout");
    assertThatThrownBy(
            () ->
                new LocalClickHouseConfig(
                    DATA, 70_000, DATA, ZoneId.of("UTC"), 0, Duration.ZERO, 1, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "port",
            "70000",
            "concurrentQueries",
            "queryTimeLimit",
            "memoryMegabytes",
            "readyTimeout");
  }
}
