package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page in a real browser, over the sample lines, against the counts their README states. */
@SuppressWarnings("NullAway.Init") // filled before all tests
class PageIT {
  private static TestingClient api;
  private static Instant now;

  @BeforeAll
  static void start() throws IOException {
    now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    TestingDatabase database = TestingDatabase.create();
    SampleRows.store(Path.of("../samples/events"), database, now);
    api = TestingClient.start(database.reader(), now);
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static Map<String, String> texts(JsonNode page) {
    Map<String, String> texts = new TreeMap<>();
    page.get("texts").properties().forEach(e -> texts.put(e.getKey(), e.getValue().asText()));
    return texts;
  }

  @Test
  void showsTheNumbersOfTheSamples() throws IOException, InterruptedException {
    JsonNode page =
        TestingBrowser.read(
            api.url(),
            "--screenshot",
            "light:1280:target/page-light-1280.png",
            "--screenshot",
            "dark:1280:target/page-dark-1280.png",
            "--screenshot",
            "light:320:target/page-light-320.png",
            "--screenshot",
            "light:2560:target/page-light-2560.png",
            "--screenshot",
            "dark:2560:target/page-dark-2560.png");

    assertThat(texts(page))
        .contains(
            entry("calls", "1,079"),
            entry("refused", "609"),
            entry("refused-share", "56.4 %"),
            entry("decision-admitted", "433"),
            entry("decision-shadow-refused", "609"),
            entry("decision-unavailable", "37"),
            entry("scope-api_heavy", "352"),
            entry("scope-tier", "164"),
            entry("scope-user", "61"),
            entry("scope-api_heavy_task", "19"),
            entry("scope-es2_knn", "13"),
            entry("tier-staff-calls", "79"),
            entry("tier-staff-refused", "43"),
            entry("tier-core-calls", "172"),
            entry("tier-core-refused", "93"),
            entry("tier-early_access-calls", "308"),
            entry("tier-early_access-refused", "153"),
            entry("tier-preview-calls", "520"),
            entry("tier-preview-refused", "320"),
            entry("held-present", "1,042"),
            entry("held-missing", "37"),
            entry("queue-present", "1,079"),
            entry("lines-read", "2,216"),
            entry("not-ours", "1,133"),
            entry("dead", "0"),
            entry("dropped-at-source", "0"),
            entry("untimed", "0"),
            entry("complete-until", now.toString().substring(0, 19).replace('T', ' ')))
        .containsKeys("config-1", "config-2", "config-3", "config-4");
    assertWithinOnePercent(page, "held-p50", 720);
    assertWithinOnePercent(page, "held-p95", 5_973);
    assertWithinOnePercent(page, "held-p99", 8_283);
    assertWithinOnePercent(page, "queue-p50", 627);
    assertWithinOnePercent(page, "queue-p95", 4_960);
    assertWithinOnePercent(page, "queue-p99", 11_107);
    assertThat(page.get("panels"))
        .allSatisfy(state -> assertThat(state.asText()).isEqualTo("whole"));
    assertThat(page.get("console")).isEmpty();
    assertThat(page.get("requestsElsewhere")).isEmpty();
  }

  private static void assertWithinOnePercent(JsonNode page, String testId, double expected) {
    assertThat(page.get("values").get(testId).asDouble())
        .as(testId)
        .isBetween(expected * 0.99, expected * 1.01);
  }

  @Test
  void aNumberLeadsToItsRows() throws IOException, InterruptedException {
    JsonNode page = TestingBrowser.read(api.url(), "--click", "tier-staff-refused");

    assertThat(page.get("url").asText())
        .endsWith(
            "?f.decision=shadow-refused&f.decision=refused&f.tier=staff&f.untimed=false#calls");
    assertThat(page.get("console")).isEmpty();
  }

  @Test
  void lineTextIsShownAndNeverRun() throws IOException, InterruptedException {
    TestingDatabase database = TestingDatabase.create();
    String script = "<img src=x onerror=\"document.title='broken'\">";
    database.insert(
        "calls",
        List.of(database.call(now.minusSeconds(60), "admitted", "request_source", script)));
    Instant minute = now.minusSeconds(60).truncatedTo(ChronoUnit.MINUTES);
    List<Map<String, @Nullable Object>> cells = new ArrayList<>();
    cells.add(database.decisions(minute, 0, 2, script, 1, "tier", script, "scope", script));
    database.insert("decisions_minute", cells);
    try (TestingClient marked = TestingClient.start(database.reader(), now)) {
      JsonNode page = TestingBrowser.read(marked.url());

      assertThat(page.get("title").asText()).isEqualTo("Capacity observatory");
      assertThat(texts(page)).containsEntry("tier-" + script + "-calls", "1");
      assertThat(page.get("console")).isEmpty();
    }
  }

  @Test
  void saysThatNothingIsStoredYet() throws IOException, InterruptedException {
    try (TestingClient empty = TestingClient.start(TestingDatabase.create().reader(), now)) {
      JsonNode page =
          TestingBrowser.read(empty.url(), "--screenshot", "light:1280:target/page-empty.png");

      assertThat(page.get("panels").get("decisions").asText()).isEqualTo("empty");
      assertThat(page.get("panels").get("pipeline").asText()).isEqualTo("empty");
      assertThat(texts(page)).containsEntry("refused-share", "–").containsEntry("calls", "0");
      assertThat(page.get("console")).isEmpty();
    }
  }

  @Test
  void saysThatClickHouseIsDown() throws IOException, InterruptedException {
    ClickHouseConfig nowhere =
        new ClickHouseConfig(URI.create("http://127.0.0.1:1"), "reader", "", "capacity");
    try (TestingClient down =
        TestingClient.start(ApiConfig.of(nowhere), InstantSource.fixed(now))) {
      JsonNode page =
          TestingBrowser.read(down.url(), "--screenshot", "dark:1280:target/page-down.png");

      assertThat(page.get("panels"))
          .allSatisfy(state -> assertThat(state.asText()).isEqualTo("error"));
      assertThat(page.get("requestsElsewhere")).isEmpty();
    }
  }
}
