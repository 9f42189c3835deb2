package org.capacityobservatory.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code capacity up} from real files to the page in a real browser, and over a restart.
 *
 * <p>One stack serves all steps, in their order: starting one is what takes the time.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class UpIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Path SAMPLE = Path.of("..", "samples", "events");

  @TempDir private static Path directory;
  private static Path logs;
  private static Path data;
  private static TestingCommand up;
  private static String url;

  @BeforeAll
  static void start() throws IOException {
    logs = Files.createDirectory(directory.resolve("logs"));
    data = directory.resolve("data");
    for (String name : List.of("api-a.log", "api-b.log")) {
      Files.copy(SAMPLE.resolve(name), logs.resolve(name));
    }
    long startNanos = System.nanoTime();
    up = TestingCommand.start("up", "--logs", logs + "/*.log", "--data", data.toString());
    Awaitility.await()
        .atMost(TestingCommand.CEILING)
        .until(() -> up.stdout().contains("The page is at") || !up.isAlive());
    assertThat(up.isAlive()).as(up::stderr).isTrue();
    url = up.stdout().replaceAll("(?s).*(http://127\\.0\\.0\\.1:\\d+)/.*", "$1");
    System.out.printf("MEASURED up ready after %.1f s%n", (System.nanoTime() - startNanos) / 1e9);
  }

  @AfterAll
  static void stop() {
    up.close();
  }

  @Test
  @Order(1)
  void theApiTellsTheSamplesNumbers() {
    awaitCalls(1079);

    JsonNode decisions = get("/api/v1/decisions");
    assertThat(decisions.get("totals").toString())
        .isEqualTo("{\"admitted\":433,\"shadow-refused\":609,\"unavailable\":37}");
    assertThat(callsAndRefused("tier"))
        .containsExactlyInAnyOrder(
            "staff=79/43", "core=172/93", "early_access=308/153", "preview=520/320");
    assertThat(callsAndRefused("scope"))
        .containsExactlyInAnyOrder(
            "api_heavy=352/352",
            "tier=164/164",
            "user=61/61",
            "api_heavy_task=19/19",
            "es2_knn=13/13",
            "null=470/0");
    JsonNode lines = get("/api/v1/pipeline").get("lines");
    assertThat(lines.get("read").asLong()).isEqualTo(2216);
    assertThat(lines.get("not_ours").asLong()).isEqualTo(1133);
    assertThat(lines.get("dead").asLong()).isZero();
  }

  @Test
  @Order(2)
  void thePageShowsThem() throws IOException, InterruptedException {
    String browser = System.getenv("CAPACITY_CHROMIUM");
    assumeThat(browser)
        .as("CAPACITY_CHROMIUM names no Chrome or Chromium: start by ./run-tests")
        .isNotNull();
    Process reading =
        new ProcessBuilder("node", "e2e/read-page.mjs", url + "/", "--expect", "calls=1,079")
            .directory(Path.of("..", "dashboard-api", "web").toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    JsonNode page = JSON.readTree(new String(reading.getInputStream().readAllBytes(), UTF_8));
    assertThat(reading.waitFor()).isZero();

    JsonNode shown = page.get("values");
    assertThat(shown.get("calls").asText()).isEqualTo("1079");
    assertThat(shown.get("refused").asText()).isEqualTo("609");
    assertThat(shown.get("decision-admitted").asText()).isEqualTo("433");
    assertThat(shown.get("scope-api_heavy").asText()).isEqualTo("352");
    assertThat(shown.get("tier-preview-calls").asText()).isEqualTo("520");
    assertThat(shown.get("tier-preview-refused").asText()).isEqualTo("320");
    assertThat(shown.get("lines-read").asText()).isEqualTo("2216");
    assertThat(shown.get("held-p95").asDouble()).isBetween(5973 * 0.99, 5973 * 1.01);
    assertThat(shown.get("queue-p95").asDouble()).isBetween(4960 * 0.99, 4960 * 1.01);
    assertThat(page.get("texts").get("config-2").asText()).contains("tiers.preview 1 → 0");
    assertThat(page.get("console")).isEmpty();
    assertThat(page.get("requestsElsewhere")).isEmpty();
  }

  @Test
  @Order(3)
  void aLineThatIsWrittenNowIsSoonThere() throws IOException {
    String line =
        "%s stdout F {\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"mode\":\"shadow\"}\n"
            .formatted(Instant.now());
    long writtenNanos = System.nanoTime();
    Files.writeString(logs.resolve("api-b.log"), line, StandardOpenOption.APPEND);

    awaitCalls(1080);
    System.out.printf(
        "MEASURED a line is on the API %.1f s after it was written%n",
        (System.nanoTime() - writtenNanos) / 1e9);
  }

  @Test
  @Order(4)
  void aDeadProcessIsStartedAgain() {
    List<ProcessHandle> streams = up.descendantsWith("cli.Main streams");
    assertThat(streams).hasSize(1);
    streams.get(0).destroyForcibly();

    Awaitility.await()
        .atMost(TestingCommand.CEILING)
        .until(() -> up.stderr().contains("streams runs again"));
    assertThat(up.stderr()).contains("streams ended with exit code 137: starting it again");
  }

  @Test
  @Order(5)
  void theDataDirectoryHasOneOwnerAndThePortOneListener() {
    try (TestingCommand second =
            TestingCommand.start("up", "--once", "--data", data.toString(), "--logs", "x.log");
        TestingCommand samePort =
            TestingCommand.start(
                "up",
                "--port",
                Integer.toString(URI.create(url).getPort()),
                "--data",
                directory.resolve("other").toString())) {
      assertThat(second.exitCode()).isEqualTo(1);
      assertThat(second.stderr()).contains(data.toString()).contains("in use");
      assertThat(samePort.exitCode()).isEqualTo(1);
      assertThat(samePort.stderr())
          .contains("Port " + URI.create(url).getPort())
          .contains("in use");
    }
  }

  /**
   * Worked out from the lines alone by a script that knows nothing of this program: jq-like counts
   * per minute, then each rule by its text. The limiter's Redis hung in minute 09:55 (37 of 61
   * calls, 10.3 % of five minutes); config changes at 09:53:00, 09:56:40, 09:57:40 and 09:59:35;
   * users 200, 101 and 301 found api_heavy full with half of it theirs in 68, 66 and 81 % of their
   * calls of ten minutes; and over all minutes a third of the single-row calls would have been
   * refused, which holds from 09:52 on, when 50 are there. An end needs evidence: alarms on calls
   * that don't come any more stay.
   */
  @Test
  @Order(5)
  void theAlarmsFireOnTheSampleWhenTheyShould() {
    assertThat(Files.exists(data.resolve("logs/alarms.log"))).isTrue();
    String server = up.stderr().replaceAll("(?s).*ClickHouse is ready at (\\S+).*", "$1");
    Awaitility.await()
        .atMost(TestingCommand.CEILING)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () ->
                assertThat(backtest(server))
                    .containsExactly(
                        "09:54 firing ConfigChanged",
                        "09:55 resolved ConfigChanged",
                        "09:56 firing UserFillsLane{user_id=\"200\"}",
                        "09:56 firing LimiterUnavailable",
                        "09:57 firing UserFillsLane{user_id=\"101\"}",
                        "09:57 firing ConfigChanged",
                        "09:59 resolved ConfigChanged",
                        "10:00 firing ConfigChanged",
                        "10:01 firing InteractiveCallsWouldBeRefusedSlowly",
                        "10:01 resolved ConfigChanged",
                        "10:02 firing UserFillsLane{user_id=\"301\"}",
                        "10:03 resolved LimiterUnavailable"));
  }

  private static List<String> backtest(String server) {
    try (TestingCommand command =
        TestingCommand.start(
            "alarms",
            "backtest",
            "--clickhouse",
            server,
            "--clickhouse-password-file",
            data.resolve("clickhouse").resolve("secrets").resolve("default.password").toString(),
            "--from",
            "2026-11-30T09:48:00Z",
            "--to",
            "2026-11-30T10:05:00Z")) {
      assertThat(command.exitCode()).as(command::stderr).isZero();
      assertThat(command.stdout())
          .startsWith("Over this time you'd have been paged 1 times, of 8 alarms.");
      return command
          .stdout()
          .lines()
          .filter(line -> line.startsWith("2026-"))
          .map(
              line ->
                  line.replaceAll(
                      "2026-11-30T(\\d\\d:\\d\\d):00Z +(\\w+) +\\w+ +(\\S+).*", "$1 $2 $3"))
          .toList();
    }
  }

  @Test
  @Order(6)
  void controlCLeavesNothingBehindAndTheNextRunDoublesNothing() throws IOException {
    List<ProcessHandle> below = up.descendants();
    assertThat(below).hasSizeGreaterThanOrEqualTo(6);

    up.interrupt();
    up.exitCode();

    assertThat(below).noneMatch(ProcessHandle::isAlive);
    assertThat(isRefused(url)).isTrue();

    try (TestingCommand once =
        TestingCommand.start(
            "up",
            "--once",
            "--format",
            "json",
            "--logs",
            logs + "/*.log",
            "--data",
            data.toString())) {
      assertThat(once.exitCode()).as(once::stderr).isZero();
      JsonNode summary = JSON.readTree(once.stdout());
      assertThat(summary.get("calls").asLong()).isEqualTo(1080);
      assertThat(summary.at("/decisions/shadow-refused").asLong()).isEqualTo(609);
      assertThat(summary.at("/lines/read").asLong()).isEqualTo(2217);
    }
  }

  private static List<String> callsAndRefused(String groupBy) {
    List<String> words = new ArrayList<>();
    get("/api/v1/decisions?group_by=" + groupBy)
        .get("groups")
        .forEach(
            g ->
                words.add(g.get("value").asText() + "=" + g.get("calls") + "/" + g.get("refused")));
    return words;
  }

  private static void awaitCalls(long calls) {
    Awaitility.await()
        .atMost(TestingCommand.CEILING)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(
            () -> assertThat(get("/api/v1/decisions").get("calls").asLong()).isEqualTo(calls));
  }

  private static JsonNode get(String path) {
    try {
      String body =
          HTTP.send(HttpRequest.newBuilder(URI.create(url + path)).build(), BodyHandlers.ofString())
              .body();
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static boolean isRefused(String address) {
    try {
      HTTP.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.discarding());
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
