package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Grafana's dashboards: made from the named queries, and each panel's SQL on the real engine. */
@SuppressWarnings("NullAway.Init") // filled before all tests
class GrafanaIT {
  private static final Path GRAFANA = Path.of("../deploy/grafana");
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static Instant now;
  private static ClickHouseConfig reader;

  @BeforeAll
  static void store() throws IOException {
    now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    TestingDatabase database = TestingDatabase.create();
    SampleRows.store(Path.of("../samples/events"), database, now);
    reader = database.reader();
  }

  @Test
  void theDashboardsAreWhatTheQueriesMake() throws IOException, InterruptedException {
    Process make =
        new ProcessBuilder("node", GRAFANA.resolve("make-dashboards.mjs").toString(), "--check")
            .redirectErrorStream(true)
            .start();
    String said = new String(make.getInputStream().readAllBytes(), UTF_8);

    assertThat(make.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(make.exitValue()).as(said).isZero();
  }

  @Test
  void everyPanelHasAPlaceADatasourceVariableAndAnIdOfItsOwn() throws IOException {
    for (JsonNode dashboard : dashboards()) {
      Set<Integer> ids = new TreeSet<>();
      Set<String> variables = new TreeSet<>();
      dashboard
          .get("templating")
          .get("list")
          .forEach(one -> variables.add("${" + one.get("name").asText() + "}"));

      assertThat(dashboard.get("uid").asText()).matches("capacity-[a-z]+");
      for (JsonNode panel : dashboard.get("panels")) {
        String title = panel.get("title").asText();
        assertThat(ids.add(panel.get("id").asInt())).as(title).isTrue();
        JsonNode place = panel.get("gridPos");
        assertThat(place.get("x").asInt() + place.get("w").asInt())
            .as(title)
            .isLessThanOrEqualTo(24);
        for (JsonNode target : panel.get("targets")) {
          assertThat(variables).as(title).contains(target.get("datasource").get("uid").asText());
        }
      }
    }
  }

  /** Each panel's rows are those of the samples; what a panel counts is in their README. */
  @Test
  void everyPanelsSqlRunsAndCountsTheSamples() throws IOException, InterruptedException {
    Map<String, JsonNode> rows = new HashMap<>();
    for (JsonNode dashboard : dashboards()) {
      for (JsonNode panel : dashboard.get("panels")) {
        for (JsonNode target : panel.get("targets")) {
          if (target.has("rawSql")) {
            rows.put(panel.get("title").asText(), ask(target.get("rawSql").asText()));
          }
        }
      }
    }

    assertThat(rows).hasSize(12);
    assertThat(sum(of(rows, "Decisions"), "calls")).isEqualTo(1_079);
    assertThat(of(rows, "Refused, or would be").get(0).get("refused_share").asDouble())
        .isBetween(0.5644, 0.5645);
    assertThat(sum(of(rows, "By tier"), "refused")).isEqualTo(609);
    assertThat(of(rows, "By tier").get(0).get("tier").asText()).isEqualTo("preview");
    assertThat(of(rows, "By tier").get(0).get("calls").asInt()).isEqualTo(520);
    assertThat(sum(of(rows, "By lane reported"), "refused")).isEqualTo(609);
    assertThat(sum(of(rows, "Lanes full together"), "calls")).isEqualTo(609);
    assertThat(of(rows, "Held time")).isNotEmpty().allSatisfy(GrafanaIT::risesFromP50ToP99);
    assertThat(of(rows, "Queueing delay")).isNotEmpty().allSatisfy(GrafanaIT::risesFromP50ToP99);
    assertThat(of(rows, "Sources")).hasSize(2);
    assertThat(of(rows, "Share of calls that find a lane full"))
        .isNotEmpty()
        .allSatisfy(row -> assertThat(row.get("full_share").asDouble()).isBetween(0.0, 1.0));
    assertThat(of(rows, "Calls in flight, mean")).isNotEmpty();
  }

  /** The same percentiles as the API tells of the same minute. */
  @Test
  void thePercentilesAreTheApis() throws IOException, InterruptedException {
    Map<String, JsonNode> panels = new HashMap<>();
    for (JsonNode dashboard : dashboards()) {
      dashboard.get("panels").forEach(panel -> panels.put(panel.get("title").asText(), panel));
    }
    JsonNode rows = ask(of(panels, "Held time").get("targets").get(0).get("rawSql").asText());
    try (TestingClient api = TestingClient.start(reader, now)) {
      JsonNode series = api.json("/api/v1/latency?measure=held_ms&step=60").get("series");
      Map<String, JsonNode> byTime = new HashMap<>();
      rows.forEach(row -> byTime.put(row.get("time").asText().substring(0, 19), row));
      for (int i = 0; i < series.get("times").size(); i++) {
        JsonNode row =
            of(byTime, series.get("times").get(i).asText().substring(0, 19).replace('T', ' '));
        for (String p : List.of("p50", "p95", "p99")) {
          if (!series.get(p).get(i).isNull()) {
            assertThat(row.get(p).asLong()).as(p).isEqualTo(series.get(p).get(i).asLong());
          }
        }
      }
    }
  }

  private static JsonNode of(Map<String, JsonNode> all, String name) {
    return Objects.requireNonNull(all.get(name), name);
  }

  private static void risesFromP50ToP99(JsonNode row) {
    assertThat(row.get("p50").asDouble()).isLessThanOrEqualTo(row.get("p95").asDouble());
    assertThat(row.get("p95").asDouble()).isLessThanOrEqualTo(row.get("p99").asDouble());
  }

  private static long sum(JsonNode rows, String column) {
    long sum = 0;
    for (JsonNode row : rows) {
      sum += row.get(column).asLong();
    }
    return sum;
  }

  private static List<JsonNode> dashboards() throws IOException {
    try (Stream<Path> files = Files.list(GRAFANA.resolve("dashboards"))) {
      return files.sorted().map(GrafanaIT::read).toList();
    }
  }

  private static JsonNode read(Path file) {
    try {
      return TestingClient.parse(Files.readString(file));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Asks as Grafana would: with its variables put in, by a user that may only read. */
  private static JsonNode ask(String rawSql) throws IOException, InterruptedException {
    String sql =
        rawSql
            .replace("$__from", Long.toString(now.minus(Duration.ofDays(2)).toEpochMilli()))
            .replace("$__to", Long.toString(now.toEpochMilli()))
            .replace("$__interval_ms", "15000");
    assertThat(sql).doesNotContain("$__");
    String login = reader.user() + ":" + reader.password();
    HttpResponse<String> answer =
        HTTP.send(
            HttpRequest.newBuilder(URI.create(reader.url() + "/?database=" + reader.database()))
                .timeout(Duration.ofSeconds(60))
                .header("X-ClickHouse-Database", reader.database())
                .header("X-ClickHouse-Format", "JSON")
                .header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8)))
                .POST(HttpRequest.BodyPublishers.ofString(sql))
                .build(),
            BodyHandlers.ofString(UTF_8));
    assertThat(answer.statusCode()).as("%s\n%s", sql, answer.body()).isEqualTo(200);
    return TestingClient.parse(answer.body()).get("data");
  }
}
