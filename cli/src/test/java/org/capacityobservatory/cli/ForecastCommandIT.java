package org.capacityobservatory.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.capacityobservatory.sql.Migrations;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A forecast from the command line into a real engine and back: stored, superseded, withdrawn. */
class ForecastCommandIT {
  @TempDir private static Path directory;
  private static LocalClickHouse server;

  @BeforeAll
  static void start() {
    server = LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("clickhouse")));
    ClickHouseConfig config =
        new ClickHouseConfig(
            server.url(),
            LocalClickHouse.WRITER,
            server.password(LocalClickHouse.WRITER),
            ClickHouseConfig.DEFAULT_DATABASE);
    Migrations.apply(new ClickHouseHttp(config, Duration.ofSeconds(30)), config);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void oneForecastSupersedesAnotherAndIsTakenBack() throws IOException {
    assertThat(run(0, "list")).isEqualTo("No forecast is stored: see capacity forecast store\n");
    // 30 of 90 attempts refused, at most 60 of 120; then none.
    Path first = prediction("first.json", 30, 60, 90);
    Path second = prediction("second.json", 0, 15, 60);
    JsonNode one = json(store(first, "2026-01-01T00:00:00Z"));
    assertThat(one.at("/refused_share/all/high").asDouble()).isEqualTo(0.5);
    assertThat(one.at("/limits/api_heavy").toString()).isEqualTo("[4,6]");
    JsonNode two = json(store(second, "2026-01-02T00:00:00Z"));

    assertThat(states()).containsExactly("in force 0.2", "superseded 0.5");

    assertThat(run(0, "withdraw", two.at("/id").asText())).contains("is withdrawn");
    assertThat(run(0, "withdraw", two.at("/id").asText())).contains("had been withdrawn already");
    assertThat(states()).containsExactly("withdrawn 0.2", "in force 0.5");
    assertThat(run(0, "list"))
        .contains(one.at("/id").asText() + "  in force  from 2026-01-01T00:00:00Z")
        .contains("all                  refused  33.3 % of attempts, at most  50.0 %")
        .contains("limits: api_heavy 4 or 6, api_heavy_task 3, es2_knn 5, tier.core 4");

    run(1, "withdraw", "00000000-0000-0000-0000-000000000000");
    Path none = Files.writeString(directory.resolve("none.json"), "{}");
    run(2, "store", "--predicted", none.toString());
    run(2, "store", "--predicted", first.toString(), "--by", " ");
  }

  private static String[] store(Path prediction, String from) {
    return new String[] {
      "store",
      "--predicted",
      prediction.toString(),
      "--from",
      from,
      "--format",
      "json",
      "--by",
      "me"
    };
  }

  private static List<String> states() throws IOException {
    List<String> states = new ArrayList<>();
    for (JsonNode forecast : json("list", "--format", "json").get("forecasts")) {
      states.add(
          forecast.at("/state").asText() + " " + forecast.at("/refused_share/all/high").asText());
    }
    return states;
  }

  private static Path prediction(String name, int refused, int most, int attempts)
      throws IOException {
    return Files.writeString(
        directory.resolve(name),
        """
        {"assumptions": {"enforce_for": "all"},
         "config": {"asked": {"api_heavy": {"cluster": 6, "per_task": 3}, "es2_knn": 5,
           "reserve_single_row": 2, "tiers": {"core": 4}}},
         "predicted": {
           "refused_attempts": {"value": %d, "low": 0, "high": %d},
           "attempts": {"value": %d, "low": 0, "high": 0}}}
        """
            .formatted(refused, most, attempts));
  }

  private static JsonNode json(String... arguments) throws IOException {
    return new ObjectMapper().readTree(run(0, arguments));
  }

  private static String run(int code, String... arguments) {
    List<String> all = new ArrayList<>(List.of("forecast"));
    all.addAll(List.of(arguments));
    all.addAll(
        List.of(
            "--clickhouse",
            server.url().toString(),
            "--clickhouse-user",
            LocalClickHouse.WRITER,
            "--clickhouse-password-file",
            server.passwordFile(LocalClickHouse.WRITER).toString()));
    try (TestingCommand command = TestingCommand.start(all.toArray(String[]::new))) {
      assertThat(command.exitCode()).as(command.stderr()).isEqualTo(code);
      return command.stdout();
    }
  }
}
