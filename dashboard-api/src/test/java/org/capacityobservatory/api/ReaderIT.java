package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a reader does with the pages, over the calls of {@code samples/shadow}, in one browser: logs
 * in, saves a view, reads a call's story, watches calls come, asks what other limits would do, and
 * calibrates. Numbers are those that a script of its own counted in the files.
 */
@SuppressWarnings("NullAway.Init") // filled before all tests
class ReaderIT {
  private static final String CID = "9f8fca7c67704d388d4d70fd30e7d483";
  private static final String LIVE_CID = "11111111222222223333333344444444";

  /** Limits under which nobody can be refused. */
  private static final String BOUNDLESS =
      "&set=api_heavy.cluster:1000&set=api_heavy.per_task:1000&set=es2_knn:1000"
          + "&set=tiers.staff:1000&set=tiers.core:1000&set=tiers.early_access:1000"
          + "&set=tiers.preview:1000&set=per_user.staff:1000&set=per_user.core:1000"
          + "&set=per_user.early_access:1000&set=per_user.preview:1000";

  /** A replay takes its time on a busy machine. */
  private static final int PATIENCE_MS = 115_000;

  @TempDir private static Path directory;
  private static TestingDatabase database;
  private static TestingClient api;
  private static String token;
  private static String day;
  private static Map<String, JsonNode> seen;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    Instant now = Instant.now();
    day = now.truncatedTo(ChronoUnit.DAYS).minus(1, ChronoUnit.DAYS).toString().substring(0, 11);
    database = TestingDatabase.create();
    SampleRows.store(Path.of("../samples/shadow"), database, now);
    database.insert(
        "minutes_state",
        List.of(database.state(0, now.truncatedTo(ChronoUnit.MINUTES).minusSeconds(60))));
    TokenFile file = new TokenFile(directory.resolve("tokens.json"));
    token = file.create("on-call", Role.OPERATOR, InstantSource.system());
    api =
        TestingClient.start(
            new ApiConfig(
                "127.0.0.1",
                0,
                database.reader(),
                QueryLimits.DEFAULT,
                file.path(),
                null,
                database.writerConfig()),
            InstantSource.system());
    seen = walk();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static Map<String, JsonNode> walk() throws IOException, InterruptedException {
    Path watching = directory.resolve("watching");
    Map<String, Map<String, ?>> steps = new LinkedHashMap<>();
    access(steps);
    views(steps);
    rows(steps, watching);
    limits(steps);
    calibrations(steps);
    steps.put(
        "logged out", Map.of("click", List.of("settings", "log-out"), "says", "Who is there?"));

    CompletableFuture<Void> coming =
        CompletableFuture.runAsync(
            () -> {
              await().atMost(Duration.ofMinutes(5)).until(() -> Files.exists(watching));
              database.insert(
                  "calls",
                  List.of(
                      database.call(
                          Instant.now(), "shadow-refused", "cid", LIVE_CID, "tier", "core")));
            });
    List<JsonNode> answers = TestingBrowser.walk(api.url(), new ArrayList<>(steps.values()));
    coming.cancel(true);
    Map<String, JsonNode> byName = new HashMap<>();
    List<String> names = new ArrayList<>(steps.keySet());
    for (int i = 0; i < names.size(); i++) {
      byName.put(names.get(i), answers.get(i));
    }
    return byName;
  }

  private static void access(Map<String, Map<String, ?>> steps) {
    steps.put("asked", Map.of("go", "?refresh=0", "says", "Who is there?", "axe", true));
    steps.put(
        "wrong token",
        Map.of(
            "set",
            Map.of("token", "cap_wrong"),
            "then",
            "log-in",
            "says",
            "Not a token of this API"));
    steps.put(
        "logged in",
        Map.of(
            "set", Map.of("token", token), "then", "log-in", "expect", Map.of("calls", "1,805")));
    steps.put("who", Map.of("click", "settings", "expect", Map.of("role", "operator")));
    steps.put("closed", Map.of("key", "Escape"));
  }

  private static void views(Map<String, Map<String, ?>> steps) {
    steps.put(
        "view saved",
        Map.of(
            "go",
            "?page=lanes&refresh=0&lane=tier&from=-2d",
            "click",
            "saved-views",
            "set",
            Map.of("view-name", "Night shift"),
            "then",
            "save-view",
            "expect",
            Map.of("saved-view", "Night shift")));
    steps.put(
        "view opened", Map.of("go", "?refresh=0", "click", List.of("saved-views", "saved-view")));
    steps.put(
        "view removed",
        Map.of(
            "go",
            "?refresh=0",
            "click",
            List.of("saved-views", "remove-view"),
            "gone",
            "saved-view",
            "says",
            "No view has been saved."));
  }

  private static void rows(Map<String, Map<String, ?>> steps, Path watching) {
    steps.put(
        "story",
        Map.of("go", "?page=calls&refresh=0&f.cid=" + CID, "click", "story", "says", "One call"));
    steps.put(
        "live",
        Map.of(
            "go",
            "?page=calls&refresh=0&live=1",
            "busy",
            true,
            "until",
            Map.of("live-state", "open"),
            "mark",
            watching.toString(),
            "after",
            Map.of("says", LIVE_CID)));
    steps.put(
        "slow",
        Map.of(
            "hold",
            "/api/v1/latency",
            "go",
            "?refresh=0",
            "busy",
            true,
            "expect",
            Map.of("calls", "1,805")));
    steps.put("no longer slow", Map.of("release", "/api/v1/latency"));
    steps.put(
        "sql",
        Map.of("click", List.of("headline-more", "headline-show-sql"), "says", "SET param_step_s"));
  }

  private static String range(String from, String to) {
    return "&refresh=0&from=" + day + from + "Z&to=" + day + to + "Z";
  }

  private static void limits(Map<String, Map<String, ?>> steps) {
    String all = "?page=what-if&enforce=all" + range("09:00:00", "11:00:00");
    steps.put(
        "what if",
        Map.of("go", all, "until", Map.of("gate-verdict", "NOT YET"), "timeoutMs", PATIENCE_MS));
    steps.put(
        "boundless",
        Map.of(
            "go",
            all + BOUNDLESS + "&require=min_hours:0.33&require=accept:late_envelope_time",
            "until",
            Map.of("gate-verdict", "PASS"),
            "axe",
            true,
            "timeoutMs",
            PATIENCE_MS));
  }

  private static void calibrations(Map<String, Map<String, ?>> steps) {
    String twoMinutes = "?page=what-if&enforce=all" + range("09:50:00", "09:52:00");
    String all = "?page=what-if&enforce=all" + range("09:00:00", "11:00:00");
    steps.put(
        "calibration started",
        Map.of(
            "go",
            all,
            "click",
            "calibrate",
            "busy",
            true,
            "there",
            "job-state",
            "timeoutMs",
            PATIENCE_MS));
    steps.put(
        "calibration cancelled",
        Map.of(
            "click",
            "cancel",
            "busy",
            true,
            "until",
            Map.of("job-state", "cancelled"),
            "timeoutMs",
            PATIENCE_MS));
    steps.put(
        "calibration done",
        Map.of(
            "go",
            twoMinutes,
            "click",
            "calibrate",
            "until",
            Map.of("job-state", "done"),
            "timeoutMs",
            PATIENCE_MS));
  }

  private static JsonNode step(String name) {
    return Objects.requireNonNull(seen.get(name), name);
  }

  private static String text(String step, String testId) {
    return step(step).get("texts").path(testId).asText();
  }

  private static String value(String step, String testId) {
    return step(step).get("values").path(testId).asText();
  }

  @Test
  void aTokenIsAskedForTakenOnceAndForgottenAtTheEnd() {
    assertThat(step("asked").get("dialog").asText()).isEqualTo("Who is there?");
    assertThat(step("asked").get("cookies")).isEmpty();
    assertThat(step("asked").get("violations")).isEmpty();
    assertThat(step("wrong token").get("dialog").asText()).isEqualTo("Who is there?");
    assertThat(step("wrong token").get("cookies")).isEmpty();
    assertThat(step("logged in").get("dialog").isNull()).isTrue();
    JsonNode cookie = step("logged in").get("cookies").get(0);
    assertThat(cookie.get("httpOnly").asBoolean()).isTrue();
    assertThat(cookie.get("sameSite").asText()).isEqualTo("Strict");
    assertThat(text("who", "role")).isEqualTo("operator");
    assertThat(step("logged out").get("dialog").asText()).isEqualTo("Who is there?");
    assertThat(step("logged out").get("cookies")).isEmpty();
  }

  @Test
  void aViewIsSavedOpenedAndRemoved() {
    assertThat(step("view opened").get("url").asText())
        .endsWith("/?page=lanes&from=-2d&refresh=0&lane=tier");
    assertThat(api.get("/api/v1/views", "Authorization", "Bearer " + token).body())
        .doesNotContain("Night shift");
  }

  @Test
  void aCallsStoryTellsItsLanesItsNeighboursAndItsRun() {
    JsonNode story = step("story");
    assertThat(story.get("panels").get("story").asText()).isEqualTo("whole");
    assertThat(text("story", "story-decision")).isEqualTo("shadow-refused");
    // Counted in the files: 7 others in flight, and call 15 of the run's 22, 18 of them refused.
    assertThat(text("story", "story-neighbours")).isEqualTo("7");
    assertThat(text("story", "story-run")).isEqualTo("1051: call 15 of 22, 18 refused");
    JsonNode lanes = story.get("tables").get("The lanes it passed");
    assertThat(lanes.get(1).toString())
        .isEqualTo("[\"api_heavy\",\"8\",\"3\",\"full, and reported\"]");
  }

  @Test
  void aCallThatComesIsSeen() {
    JsonNode live = step("live").get("tables").get("Calls");
    assertThat(live.get(1).toString()).contains(LIVE_CID).contains("shadow-refused");
  }

  @Test
  void aSlowPanelKeepsNobodyWaiting() {
    JsonNode slow = step("slow").get("panels");
    assertThat(slow.get("held-short").asText()).isEqualTo("loading");
    assertThat(step("no longer slow").get("panels"))
        .allSatisfy(state -> assertThat(state.asText()).isIn("whole", "partial", "empty"));
  }

  @Test
  void theSqlBehindANumberIsShown() {
    assertThat(text("sql", "headline-sql"))
        .contains("decisions-by-step", "SET param_from_ms = '", "{step_s:UInt64}");
  }

  /** What the real limiter then did to the same demand: 59.1 % of calls were refused. */
  @Test
  void theWhatIfSaysWhatTheLimiterThenDid() {
    JsonNode page = step("what if");
    assertThat(text("what if", "whatif-shadow")).isEqualTo("77.3 %");
    String said = text("what if", "predicted-refused_calls_share");
    List<Double> numbers = new ArrayList<>();
    for (String part : said.split("[^0-9.]+", -1)) {
      if (!part.isEmpty()) {
        numbers.add(Double.valueOf(part));
      }
    }
    assertThat(numbers).as(said).hasSize(3);
    assertThat(59.1).isBetween(numbers.get(1), numbers.get(2));
    assertThat(numbers.get(0)).isBetween(numbers.get(1), numbers.get(2));
    assertThat(page.get("panels").get("prediction").asText()).isIn("whole", "partial");
  }

  /** 09:48:03.786 to 10:08:00.396 are 0.332 h; 54.2 % of single-row calls were refused. */
  @Test
  void theGatesVerdictSaysOfEachRequirementWhetherItHolds() {
    JsonNode rows = step("what if").get("tables").get("Each requirement");
    assertThat(rows.get(2).toString())
        .isEqualTo(
            "[\"at least 168 hours of evidence\",\"✗ not met\",\"0.332 hours\",\"ask about a longer"
                + " period\"]");
    assertThat(rows.get(3).get(1).asText()).isEqualTo("✓ met");
    assertThat(rows.get(5).get(0).asText())
        .isEqualTo("by.single_row.true.refused_calls_share <= 0.05");
    assertThat(rows.get(5).get(1).asText()).isEqualTo("✗ not met");
    assertThat(text("what if", "gate-verdict")).startsWith("✗ NOT YET");

    assertThat(text("boundless", "gate-verdict")).startsWith("✓ PASS");
    assertThat(text("boundless", "predicted-refused_calls_share")).startsWith("0.0 %");
    assertThat(step("boundless").get("tables").get("Each requirement"))
        .filteredOn(row -> row.get(1).asText().equals("✓ met"))
        .hasSize(2);
    assertThat(step("boundless").get("tables").get("Headroom by lane").size()).isGreaterThan(4);
    assertThat(step("boundless").get("violations")).isEmpty();
  }

  @Test
  void aCalibrationIsStartedWatchedCancelledAndRead() {
    assertThat(value("calibration started", "job-state")).isIn("waiting", "running");
    assertThat(text("calibration started", "job-state")).isNotEmpty();
    assertThat(text("calibration cancelled", "job-state")).isEqualTo("cancelled");
    assertThat(text("calibration done", "recommendation")).isNotEmpty();
    assertThat(text("calibration done", "job-gate-verdict")).startsWith("✗ NOT YET");
  }

  @Test
  void nothingIsSaidOnTheConsoleAndNobodyElseIsAsked() {
    JsonNode end = step("logged out");
    assertThat(end.get("requestsElsewhere")).isEmpty();
    // The browser itself tells of each 401: before the log-in, at the wrong token, after the end.
    assertThat(end.get("console"))
        .allSatisfy(line -> assertThat(line.asText()).contains("401 (Unauthorized)"));
  }
}
