package org.capacityobservatory.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of calibration as real processes: exit codes, JSON paths, files whole or absent. */
class CalibrateIT {
  private static final String A = "../samples/shadow/api-a.log";
  private static final String B = "../samples/shadow/api-b.log";

  @TempDir private Path directory;

  @Test
  void calibrateThenScorecardThenGate() throws IOException {
    Path result = directory.resolve("result.json");
    try (TestingCommand command =
        TestingCommand.start(
            "calibrate",
            A,
            B,
            "--enforce-for",
            "all",
            "--seeds",
            "4",
            "--no-explore",
            "--format",
            "json",
            "--out",
            result.toString())) {
      assertThat(command.exitCode()).as(command.stderr()).isZero();
      assertThat(command.stdout()).isEmpty();
    }
    JsonNode json = new ObjectMapper().readTree(Files.readString(result, UTF_8));
    assertThat(json.at("/calls").asInt()).isEqualTo(1805);
    assertThat(json.at("/observed/shadow_refused_share").asDouble())
        .isCloseTo(1395 / 1805.0, within(1e-6));
    for (String path :
        new String[] {
          "/predicted/refused_calls_share",
          "/predicted/refused_attempts",
          "/predicted/attempts",
          "/predicted/wait_s/mean",
          "/predicted/wait_s/p50",
          "/predicted/wait_s/p95",
          "/predicted/wait_s/p99",
          "/predicted/held_ms/p50",
          "/predicted/held_ms/p95",
          "/predicted/queue_ms/p50",
          "/predicted/queue_ms/p95",
          "/predicted/by/single_row/true/refused_calls_share",
          "/predicted/by/single_row/false/wait_s/p95",
          "/predicted/by/tier/preview/held_ms/p95",
          "/predicted/by/endpoint/$rerank/refused_attempts",
          "/predicted/by/user/410/attempts"
        }) {
      for (String part : new String[] {"value", "low", "high"}) {
        assertThat(json.at(path).path(part).isNumber()).as(path + "/" + part).isTrue();
      }
    }
    try (TestingCommand command =
        TestingCommand.start(
            "scorecard",
            "--predicted",
            result.toString(),
            "../samples/enforce/api-a.log.gz",
            "../samples/enforce/api-b.log.gz")) {
      assertThat(command.exitCode()).as(command.stderr()).isZero();
      assertThat(command.stdout()).contains("actual 4766");
    }
    Path candidate = Files.writeString(directory.resolve("c.yaml"), "api_heavy: {cluster: 6}\n");
    Path require = Files.writeString(directory.resolve("r.yaml"), "weekly_peak: true\n");
    try (TestingCommand command =
        TestingCommand.start(
            "gate",
            "--candidate",
            candidate.toString(),
            "--require",
            require.toString(),
            "--seeds",
            "2",
            A,
            B)) {
      assertThat(command.exitCode()).as(command.stderr()).isEqualTo(3);
      assertThat(command.stdout()).startsWith("NOT YET");
    }
  }

  @Test
  void wrongUsageIsTwoAndAMissingLogIsOne() {
    exits(2, "calibrate");
    exits(2, "calibrate", A, "--set", "nothing.such=1");
    exits(2, "calibrate", A, "--clickhouse", "http://127.0.0.1:1");
    exits(1, "calibrate", directory.resolve("missing.log").toString());
  }

  private static void exits(int code, String... arguments) {
    try (TestingCommand command = TestingCommand.start(arguments)) {
      assertThat(command.exitCode()).as(command.stderr()).isEqualTo(code);
      assertThat(command.stderr()).isNotEmpty();
      assertThat(command.stdout()).isEmpty();
    }
  }
}
