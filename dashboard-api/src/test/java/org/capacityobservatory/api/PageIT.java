package org.capacityobservatory.api;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The pages in a real browser, over the sample lines, against the counts that their README states
 * or that are counted here from the lines.
 */
@SuppressWarnings("NullAway.Init") // filled before all tests
class PageIT {
  private static final ApiDescription DESCRIPTION = ApiDescription.read();

  private static TestingClient api;
  private static Instant now;
  private static List<SampleRows.Call> calls;

  /** Each page as it was seen, by its name; all in one browser, since starting one takes long. */
  private static Map<String, JsonNode> seen;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    TestingDatabase database = TestingDatabase.create();
    calls = SampleRows.store(Path.of("../samples/events"), database, now);
    api = TestingClient.start(database.reader(), now);
    seen = walk();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static Map<String, JsonNode> walk() throws IOException, InterruptedException {
    List<String> names = new ArrayList<>();
    List<Map<String, ?>> steps = new ArrayList<>();
    for (String page : pages()) {
      String query = "?refresh=0&page=" + page;
      names.add(page);
      steps.add(
          Map.of(
              "answers",
              described(),
              "go",
              query,
              "width",
              1280,
              "dark",
              false,
              "tables",
              true,
              "axe",
              true));
      names.add(page + " narrow");
      // The same page, so that nothing is asked again: a what-if takes its time.
      steps.add(Map.of("width", 320, "dark", true, "axe", true));
    }
    List<JsonNode> answers = TestingBrowser.walk(api.url(), steps);
    Map<String, JsonNode> seen = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      seen.put(names.get(i), answers.get(i));
    }
    return seen;
  }

  /**
   * Alarms have no rows here, and a what-if may take longer than a busy machine is given: their
   * pages are walked on the answers that the description shows.
   */
  private static Map<String, JsonNode> described() {
    Map<String, JsonNode> answers = new TreeMap<>();
    for (String path :
        List.of("/api/v1/alarms", "/api/v1/alarms/history", "/api/v1/alarms/silences")) {
      answers.put(path, DESCRIPTION.jsonContent(path).get("example"));
    }
    for (String path : List.of("/api/v1/what-if", "/api/v1/gate")) {
      answers.put(
          path, DESCRIPTION.jsonContent(new ApiDescription.Operation("POST", path)).get("example"));
    }
    return answers;
  }

  private static List<String> pages() {
    return List.of(
        "overview", "lanes", "latency", "people", "calls", "what-if", "alarms", "quality");
  }

  private static JsonNode page(String name) {
    return Objects.requireNonNull(seen.get(name), name);
  }

  private static Map<String, String> texts(JsonNode page) {
    Map<String, String> texts = new TreeMap<>();
    page.get("texts").properties().forEach(e -> texts.put(e.getKey(), e.getValue().asText()));
    return texts;
  }

  private static long count(Predicate<SampleRows.Call> which) {
    return calls.stream().filter(which).count();
  }

  @Test
  void theOverviewShowsTheNumbersOfTheSamples() {
    JsonNode page = page("overview");

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
            entry("complete-until", now.toString().substring(0, 19).replace('T', ' ')))
        .containsKeys("config-1", "config-2", "config-3", "config-4")
        .doesNotContainKey("untimed");
    assertWithinOnePercent(page, "held-p50", 720);
    assertWithinOnePercent(page, "held-p95", 5_973);
    assertWithinOnePercent(page, "held-p99", 8_283);
    assertWithinOnePercent(page, "queue-p50", 627);
    assertWithinOnePercent(page, "queue-p95", 4_960);
    assertWithinOnePercent(page, "queue-p99", 11_107);
  }

  private static void assertWithinOnePercent(JsonNode page, String testId, double expected) {
    assertThat(page.get("values").get(testId).asDouble())
        .as(testId)
        .isBetween(expected * 0.99, expected * 1.01);
  }

  /** What is drawn is the table's numbers; those are the API's, and those of the lines. */
  @Test
  void theChartDrawsEveryMinuteOfEveryDecision() {
    JsonNode series = api.json("/api/v1/decisions?group_by=tier").get("series");
    JsonNode table = page("overview").get("tables").get("Decisions over time as a table");

    assertThat(strings(table.get(0)))
        .containsExactly(
            "From (UTC)",
            "admitted (calls)",
            "unavailable (calls)",
            "shadow-refused (calls)",
            "Complete");
    assertThat(table.size() - 1).isEqualTo(series.get("times").size()).isEqualTo(17);
    Map<String, Map<Instant, Long>> counted =
        calls.stream()
            .collect(
                groupingBy(
                    call -> String.valueOf(call.get("decision")),
                    groupingBy(
                        call -> call.endedAt().truncatedTo(ChronoUnit.MINUTES), counting())));
    for (int i = 0; i < series.get("times").size(); i++) {
      Instant minute = Instant.parse(series.get("times").get(i).asText());
      List<String> row = strings(table.get(i + 1));
      List<String> decisions = List.of("admitted", "unavailable", "shadow-refused");
      for (int d = 0; d < decisions.size(); d++) {
        String decision = decisions.get(d);
        long expected = counted.getOrDefault(decision, Map.of()).getOrDefault(minute, 0L);
        assertThat(series.get("decisions").get(decision).get(i).asLong())
            .as("%s at %s", decision, minute)
            .isEqualTo(expected);
        assertThat(row.get(d + 1)).isEqualTo(Long.toString(expected));
      }
    }
  }

  private static List<String> strings(JsonNode list) {
    List<String> strings = new ArrayList<>();
    list.forEach(one -> strings.add(one.asText()));
    return strings;
  }

  @Test
  void theLanesShowWhoFoundThemFull() {
    Map<String, String> texts = texts(page("lanes"));

    for (String lane : List.of("api_heavy", "api_heavy_task", "es2_knn", "tier", "user")) {
      assertThat(texts)
          .contains(
              entry("lane-" + lane + "-calls", text(count(c -> SampleLanes.passed(c, lane)))),
              entry("lane-" + lane + "-full", text(count(c -> c.full().contains(lane)))),
              entry("lane-" + lane + "-alone", text(count(c -> c.full().equals(List.of(lane))))));
    }
    calls.stream()
        .filter(call -> !call.full().isEmpty())
        .collect(
            groupingBy(
                call -> String.join("+", call.full().stream().map(String::valueOf).toList()),
                counting()))
        .forEach((set, n) -> assertThat(texts).containsEntry("set-" + set, text(n)));
  }

  private static int heldMs(SampleRows.Call call) {
    return call.get("held_ms") instanceof Integer held ? held : 0;
  }

  private static String text(long number) {
    return String.format(java.util.Locale.ROOT, "%,d", number);
  }

  @Test
  void thePeakInFlightIsThatOfTheIntervals() {
    // Every call's start is where a peak can be: count those that had begun and had not ended.
    List<long[]> held =
        calls.stream()
            .filter(call -> call.get("held_ms") instanceof Integer)
            .map(
                call -> {
                  long end = call.endedAt().toEpochMilli();
                  return new long[] {end - heldMs(call), end};
                })
            .toList();
    long peak =
        held.stream()
            .mapToLong(one -> held.stream().filter(h -> h[0] <= one[0] && one[0] < h[1]).count())
            .max()
            .orElseThrow();

    assertThat(texts(page("lanes"))).containsEntry("peak-api_heavy", text(peak));
  }

  @Test
  void thePeopleShowWhoIsRefusedAndWhoFillsTheLanes() {
    JsonNode page = page("people");

    assertThat(texts(page))
        .contains(
            entry("usage-preview-calls", "520"),
            entry("usage-preview-refused", "320"),
            entry("usage-staff-calls", "79"),
            entry("users", text(calls.stream().map(c -> c.get("user_id")).distinct().count())),
            entry(
                "runs-total",
                text(
                    calls.stream()
                        .map(c -> c.get("automatch_run_id"))
                        .filter(run -> run != null)
                        .distinct()
                        .count())));
    double held =
        calls.stream()
            .filter(call -> call.get("held_ms") instanceof Integer)
            .mapToDouble(PageIT::heldMs)
            .sum();
    assertThat(page.get("values").get("lease-seconds").asDouble())
        .isBetween(held / 1000 - 0.01, held / 1000 + 0.01);
  }

  @Test
  void theWhatIfShowsTheAnswerAndWhatToTakeAlong() {
    JsonNode page = page("what-if");

    assertThat(texts(page))
        .contains(
            entry("whatif-shadow", "77.0 %"),
            entry("predicted-refused_calls_share", "61.5 %58.1 % to 64.9 %"),
            entry("take-command", "capacity set tiers.preview=3"));
    assertThat(texts(page).get("take-patch")).contains("\"preview\": 3");
  }

  @Test
  void theAlarmsShowWhatFires() {
    JsonNode page = page("alarms");

    assertThat(texts(page)).containsEntry("alarms-firing", "1");
    assertThat(page.get("tables").get("Alarms").get(1).get(0).asText()).isEqualTo("▲ firing");
    assertThat(page.get("tables").get("Changes of alarms").get(1).get(3).asText())
        .isEqualTo("◔ pending → ▲ firing");
    assertThat(page.get("tables").get("Silences").get(1).get(3).asText()).isEqualTo("Load test");
  }

  @Test
  void theQualityPageSaysWhatIsMissing() {
    JsonNode page = page("quality");

    // 37 calls were let through uncounted while Redis hung: no number here is without that hole.
    assertThat(texts(page)).containsEntry("loss-unavailable", "37");
    assertThat(page.get("values").get("sound").asText()).isEqualTo("false");
  }

  @Test
  void noPageHasAnErrorAsksAnotherHostOrIsWiderThanTheScreen() {
    assertThat(seen)
        .allSatisfy(
            (name, page) -> {
              assertThat(page.get("panels"))
                  .as(name)
                  .allSatisfy(
                      state -> assertThat(state.asText()).isIn("whole", "partial", "empty"));
              assertThat(page.get("console")).as(name).isEmpty();
              assertThat(page.get("requestsElsewhere")).as(name).isEmpty();
              assertThat(page.get("overflow").asInt()).as(name).isZero();
            });
  }

  @Test
  void everyPageIsAccessible() {
    assertThat(seen)
        .allSatisfy(
            (name, page) ->
                assertThat(page.path("violations")).as("WCAG 2.2 AA of %s", name).isEmpty());
  }

  /** What a reader's browser is sent, packed as a server in front would. */
  @Test
  void thePageIsSmall() throws IOException {
    long packed = 0;
    try (Stream<Path> files = Files.walk(Path.of("web/dist"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
          Files.copy(file, gzip);
        }
        packed += bytes.size();
      }
    }
    assertThat(packed).isLessThan(250_000);
  }

  @Test
  void aReaderFindsTheWay() throws IOException, InterruptedException {
    List<JsonNode> steps =
        TestingBrowser.walk(
            api.url(),
            List.of(
                Map.of("go", "?refresh=0", "click", "tier-staff-refused"),
                Map.of("key", "1"),
                Map.of("drag", "decisions"),
                Map.of("key", List.of("g", "l")),
                Map.of("key", "?"),
                Map.of("key", "Escape"),
                Map.of("key", "Tab")));

    // A number leads to its rows.
    assertThat(steps.get(0).get("url").asText())
        .endsWith(
            "?page=calls&refresh=0&f.decision=shadow-refused&f.decision=refused&f.tier=staff"
                + "&f.untimed=false");
    assertThat(steps.get(0).get("tables").get("Calls").size() - 1).isEqualTo(43);
    // A key leads to a page; a drag zooms to whole minutes, which then go with the reader.
    assertThat(steps.get(1).get("url").asText()).endsWith("/?refresh=0");
    assertThat(steps.get(2).get("url").asText())
        .matches(".*\\?from=[^&]*%3A00Z&to=[^&]*%3A00Z&refresh=0");
    assertThat(steps.get(2).get("values").get("calls").asInt()).isBetween(1, 1_078);
    assertThat(steps.get(3).get("url").asText())
        .matches(".*\\?page=lanes&from=[^&]*&to=[^&]*&refresh=0");
    // Help has the focus while it is open; then the reader tabs on, and sees where they are.
    assertThat(steps.get(4).get("focus").get("on").asText()).isNotEqualTo("body");
    assertThat(steps.get(6).get("focus").get("seen").asBoolean()).isTrue();
    assertThat(steps.get(6).get("console")).isEmpty();
  }

  @Test
  void aPanelThatFailsSaysSoAndTheRestWorks() throws IOException, InterruptedException {
    JsonNode page =
        TestingBrowser.walk(
                api.url(), List.of(Map.of("fail", "/api/v1/latency", "go", "?refresh=0")))
            .get(0);

    assertThat(page.get("panels").get("held-short").asText()).isEqualTo("error");
    assertThat(page.get("panels").get("queue-short").asText()).isEqualTo("error");
    assertThat(page.get("panels").get("headline").asText()).isEqualTo("whole");
    assertThat(texts(page)).containsEntry("calls", "1,079");
  }

  @Test
  void lineTextIsShownAndNeverRun() throws IOException, InterruptedException {
    TestingDatabase database = TestingDatabase.create();
    String script = "<img src=x onerror=\"document.title='broken'\">";
    database.insert(
        "calls",
        List.of(
            database.call(
                now.minusSeconds(60), "admitted", "request_source", script, "tier", script)));
    Instant minute = now.minusSeconds(60).truncatedTo(ChronoUnit.MINUTES);
    List<Map<String, @Nullable Object>> cells = new ArrayList<>();
    cells.add(database.decisions(minute, 0, 2, script, 1, "tier", script, "scope", script));
    database.insert("decisions_minute", cells);
    try (TestingClient marked = TestingClient.start(database.reader(), now)) {
      List<JsonNode> pages =
          TestingBrowser.walk(
              marked.url(),
              List.of(
                  Map.of("go", "?refresh=0", "tables", true),
                  Map.of("go", "?refresh=0&page=calls"),
                  Map.of("go", "?refresh=0&page=people")));

      assertThat(pages)
          .allSatisfy(
              page -> {
                assertThat(page.get("title").asText()).isEqualTo("Capacity observatory");
                assertThat(page.get("console")).isEmpty();
                assertThat(page.get("requestsElsewhere")).isEmpty();
              });
      assertThat(texts(pages.get(0))).containsEntry("tier-" + script + "-calls", "1");
      assertThat(pages.get(1).get("tables").get("Calls").toString())
          .contains("<img src=x onerror=\\\"document.title='broken'\\\">");
    }
  }

  @Test
  void saysThatNothingIsStoredYet() throws IOException, InterruptedException {
    try (TestingClient empty = TestingClient.start(TestingDatabase.create().reader(), now)) {
      List<JsonNode> pages =
          TestingBrowser.walk(
              empty.url(),
              pages().stream()
                  .map(page -> Map.of("answers", described(), "go", "?refresh=0&page=" + page))
                  .toList());

      assertThat(pages.get(0).get("panels").get("decisions").asText()).isEqualTo("empty");
      assertThat(texts(pages.get(0)))
          .containsEntry("refused-share", "–")
          .containsEntry("calls", "0");
      IntStream.range(0, pages.size())
          .forEach(
              i ->
                  assertThat(pages.get(i).get("panels"))
                      .as(pages().get(i))
                      .allSatisfy(state -> assertThat(state.asText()).isNotEqualTo("error")));
      assertThat(pages.get(pages.size() - 1).get("console")).isEmpty();
    }
  }

  /** A minute of a call each, and two in every tenth: 1,440 and 144 refused of them. */
  @Test
  void showsADayInStepsThatAddUp() throws IOException, InterruptedException {
    TestingDatabase database = TestingDatabase.create();
    Instant midnight = now.truncatedTo(ChronoUnit.DAYS).minus(1, ChronoUnit.DAYS);
    List<Map<String, @Nullable Object>> cells = new ArrayList<>();
    for (int minute = 0; minute < 1_440; minute++) {
      Instant at = midnight.plus(minute, ChronoUnit.MINUTES);
      cells.add(database.decisions(at, 0, 2, "admitted", 1, "tier", "core"));
      if (minute % 10 == 0) {
        cells.add(database.decisions(at, 0, 2, "shadow-refused", 1, "tier", "core"));
      }
    }
    database.insert("decisions_minute", cells);
    try (TestingClient day = TestingClient.start(database.reader(), now)) {
      JsonNode page =
          TestingBrowser.walk(day.url(), List.of(Map.of("go", "?refresh=0", "tables", true)))
              .get(0);

      assertThat(texts(page))
          .contains(
              entry("calls", "1,584"), entry("refused", "144"), entry("refused-share", "9.1 %"));
      JsonNode rows = page.get("tables").get("Decisions over time as a table");
      assertThat(rows.size() - 1).as("points, of at most 1,000").isEqualTo(720);
      assertThat(strings(rows.get(1)).subList(1, 3)).containsExactly("2", "1");
      assertThat(page.get("console")).isEmpty();
    }
  }

  @Test
  void saysThatClickHouseIsDown() throws IOException, InterruptedException {
    ClickHouseConfig nowhere =
        new ClickHouseConfig(URI.create("http://127.0.0.1:1"), "reader", "", "capacity");
    try (TestingClient down =
        TestingClient.start(ApiConfig.of(nowhere), InstantSource.fixed(now))) {
      JsonNode page = TestingBrowser.walk(down.url(), List.of(Map.of("go", "?refresh=0"))).get(0);

      assertThat(page.get("panels"))
          .allSatisfy(state -> assertThat(state.asText()).isEqualTo("error"));
      assertThat(page.get("requestsElsewhere")).isEmpty();
    }
  }
}
