package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.capacityobservatory.sql.Migrations;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every resource on a real engine against numbers worked out by hand. */
// NullAway.Init: filled before all tests. TimeInStaticInitializer: the run's own day is meant.
@SuppressWarnings({"NullAway.Init", "TimeInStaticInitializer"})
class ApiContractIT {
  private static final ApiDescription DESCRIPTION = ApiDescription.read();

  /** Yesterday at ten: rows are removed by their age. */
  private static final Instant M0 =
      Instant.now().truncatedTo(ChronoUnit.DAYS).minus(14, ChronoUnit.HOURS);

  /** Books were written then, by a source at its end. */
  private static final Instant WRITTEN = M0.plusSeconds(6 * 60 + 30);

  private static final Instant NOW = M0.plusSeconds(7 * 60);
  private static TestingClient api;

  @BeforeAll
  static void start() {
    TestingDatabase database = TestingDatabase.create();
    insertMinutes(database);
    insertCalls(database);
    insertLatency(database);
    database.insert(
        "config_changes",
        List.of(
            database.configChange(
                minute(1),
                "version",
                1,
                "changed_by",
                "Ann",
                "note",
                "for Bob",
                "mode",
                "shadow",
                "change_source",
                "api",
                "changes",
                "{\"tiers.preview\":[2,1]}"),
            database.configChange(minute(2), "version", 2, "log_dropped", 2),
            database.configChange(minute(3), "changes", "no JSON")));
    database.insert(
        "pipeline_books",
        List.of(
            database.books("file:a", WRITTEN.minusSeconds(60), 1),
            database.books(
                "file:a",
                WRITTEN,
                27,
                "lines_read",
                40,
                "not_ours",
                10,
                "quarantined",
                2,
                "pending",
                1,
                "dropped_at_source",
                5,
                "behind_bytes",
                64),
            database.books("file:b", M0, 0, "state", "ended", "lines_read", 3, "not_ours", 3)));
    database.insert(
        "minutes_state", List.of(database.state(0, minute(6)), database.state(1, minute(7))));
    database.insert(
        "dead_letters",
        List.of(
            database.deadLetter("ship", "too_long", M0),
            database.deadLetter("ship", "too_long", M0),
            database.deadLetter("streams", "not_json", M0, "source", "file:other")));
    api = TestingClient.start(database.reader(), NOW);
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static Instant minute(int n) {
    return M0.plusSeconds(n * 60L);
  }

  /**
   * 22 calls in minutes 0, 1 and 3: admitted 8, shadow-refused 7, refused 1, unavailable 4,
   * deferred 2.
   */
  private static void insertMinutes(TestingDatabase database) {
    Object[] core = {"mode", "shadow", "endpoint", "$match", "single_row", false, "tier", "core"};
    List<Map<String, @Nullable Object>> first =
        List.of(
            database.decisions(minute(0), 0, 2, "admitted", 3, core),
            database.decisions(minute(0), 9, 20, "admitted", 2, core),
            database.decisions(
                minute(1),
                12,
                26,
                "shadow-refused",
                7,
                "mode",
                "shadow",
                "endpoint",
                "$match",
                "single_row",
                true,
                "tier",
                "preview",
                "scope",
                "tier"),
            database.decisions(
                minute(3),
                30,
                62,
                "refused",
                1,
                "mode",
                "enforce",
                "endpoint",
                "$rerank",
                "single_row",
                false,
                "scope",
                "user"),
            database.decisions(minute(3), 30, 62, "unavailable", 4),
            database.decisions(
                minute(3),
                30,
                62,
                "deferred",
                2,
                "mode",
                "shadow",
                "endpoint",
                "$match",
                "single_row",
                false,
                "tier",
                "gold"));
    database.insert("decisions_minute", first);
    // A later revision of the first partial replaces it; another partition's partial adds to it.
    database.insert(
        "decisions_minute", List.of(database.decisions(minute(0), 0, 4, "admitted", 5, core)));
    Map<String, @Nullable Object> otherPartition =
        database.decisions(minute(0), 0, 2, "admitted", 1, core);
    otherPartition.put("lines_partition", 1);
    database.insert("decisions_minute", List.of(otherPartition));
  }

  /** The same 22 calls and two without a time. */
  private static void insertCalls(TestingDatabase database) {
    List<Map<String, @Nullable Object>> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      calls.add(
          database.call(
              M0.plusMillis(i * 1_000L + 604),
              "admitted",
              "mode",
              "shadow",
              "endpoint",
              "$match",
              "single_row",
              false,
              "tier",
              "core",
              "request_source",
              i < 5 ? "automatch" : null,
              "user_id",
              1_001,
              "held_ms",
              i,
              "cid",
              "c" + i));
    }
    for (int i = 0; i < 7; i++) {
      calls.add(
          database.call(
              minute(1),
              "shadow-refused",
              "mode",
              "shadow",
              "endpoint",
              "$match",
              "single_row",
              true,
              "tier",
              "preview",
              "scope",
              "tier",
              "full",
              List.of("tier", "user"),
              "request_source",
              "<img src=x onerror=alert(1)>",
              "unknown",
              "{\"secret\":\"x\"}"));
    }
    calls.add(
        database.call(
            minute(3),
            "refused",
            "mode",
            "enforce",
            "endpoint",
            "$rerank",
            "single_row",
            false,
            "scope",
            "user",
            "log_dropped",
            3,
            "null_keys",
            List.of("tier")));
    for (int i = 0; i < 4; i++) {
      calls.add(
          database.call(minute(3).plusMillis(i), "unavailable", "error", "it's gone \\ \"x\""));
    }
    for (int i = 0; i < 2; i++) {
      calls.add(
          database.call(
              minute(3),
              "deferred",
              "mode",
              "shadow",
              "endpoint",
              "$match",
              "single_row",
              false,
              "tier",
              "gold"));
    }
    for (int i = 0; i < 2; i++) {
      calls.add(database.call(minute(2), "admitted", "time_source", "read", "tier", "core"));
    }
    database.insert("calls", calls);
    // The same row again, as a paused writer may leave it: no query counts it twice.
    database.insert("calls", calls.subList(0, 1));
  }

  /** held_ms: 5 once, 100 once, and 1000..1007 three times, of which the midpoint is 1003. */
  private static void insertLatency(TestingDatabase database) {
    Object[] core = {"endpoint", "$match", "single_row", false, "tier", "core"};
    database.insert(
        "latency_minute",
        List.of(
            database.latency(minute(0), 0, "held_ms", 1, 2_100, new long[] {100, 1, 317, 2}, core),
            database.latency(minute(0), 7, "held_ms", 0, 1_007, new long[] {317, 1}, core),
            database.latency(
                minute(3), 30, "held_ms", 0, 5, new long[] {5, 1}, "endpoint", "$rerank"),
            database.latency(minute(3), 30, "held_ms", 4, 0, new long[] {}),
            database.latency(minute(0), 0, "queue_ms", 0, 250, new long[] {0, 1, 125, 2}, core)));
  }

  private static JsonNode described(String path, String query) {
    JsonNode answer = api.json(path + query);
    assertThat(DESCRIPTION.differences(path, answer)).as(path + query).isEmpty();
    assertThat(answer.toString()).doesNotContain("NaN").doesNotContain("Infinity");
    return answer;
  }

  private static JsonNode decisions(String query) {
    return described("/api/v1/decisions", query);
  }

  private static JsonNode json(String text) {
    return TestingClient.parse(text.replace('\'', '"'));
  }

  @Test
  void countsAllThereIs() {
    JsonNode answer = decisions("");

    assertThat(answer.get("totals"))
        .isEqualTo(
            json("{'admitted':8,'deferred':2,'refused':1,'shadow-refused':7,'unavailable':4}"));
    assertThat(answer.get("calls").asLong()).isEqualTo(22);
    assertThat(answer.get("refused").asLong()).isEqualTo(8);
    assertThat(answer.get("refused_share").asDouble()).isEqualTo(8.0 / 22);
    assertThat(answer.get("untimed").asLong()).isEqualTo(2);
    assertThat(answer.get("from").asText()).isEqualTo(M0.toString());
    assertThat(answer.get("to").asText()).isEqualTo(minute(4).toString());
    assertThat(answer.get("complete_until").asText()).isEqualTo(minute(6).toString());
    JsonNode series = answer.get("series");
    assertThat(series.get("step").asInt()).isEqualTo(60);
    assertThat(series.get("calls")).isEqualTo(json("[8,7,0,7]"));
    assertThat(series.get("refused")).isEqualTo(json("[0,7,0,1]"));
    assertThat(series.get("refused_share").get(1).asDouble()).isEqualTo(1.0);
    assertThat(series.get("refused_share").get(2).isNull()).isTrue();
    assertThat(series.get("complete")).isEqualTo(json("[true,true,true,true]"));
    assertThat(series.get("decisions").get("unavailable")).isEqualTo(json("[0,0,0,4]"));
  }

  @Test
  void outsideTheDataIsNullAndAnEmptyMinuteInsideIsZero() {
    JsonNode answer = decisions("?from=" + minute(-1) + "&to=" + minute(8));

    // Minutes 4 and 5 are complete and empty; of 6 and 7 nobody knows.
    assertThat(answer.get("series").get("calls")).isEqualTo(json("[null,8,7,0,7,0,0,null,null]"));
    assertThat(answer.get("series").get("complete"))
        .isEqualTo(json("[true,true,true,true,true,true,true,false,false]"));
    assertThat(answer.get("series").get("current_incomplete").asBoolean()).isTrue();
  }

  @Test
  void aRangeIsWidenedToMinutesAndSaysSo() {
    JsonNode answer =
        decisions("?from=" + minute(1).plusSeconds(30) + "&to=" + minute(3).plusMillis(1));

    assertThat(answer.get("from").asText()).isEqualTo(minute(1).toString());
    assertThat(answer.get("to").asText()).isEqualTo(minute(4).toString());
    assertThat(answer.get("calls").asLong()).isEqualTo(14);
    assertThat(answer.get("untimed").asLong()).isEqualTo(2);
  }

  @Test
  void relativeTimesCountFromNow() {
    JsonNode answer = decisions("?from=-4m&to=-3m");

    assertThat(answer.get("from").asText()).isEqualTo(minute(3).toString());
    assertThat(answer.get("calls").asLong()).isEqualTo(7);
  }

  @Test
  void aPeriodWithoutCallsHasNoShare() {
    JsonNode answer = decisions("?from=" + minute(4) + "&to=" + minute(6));

    assertThat(answer.get("calls").asLong()).isZero();
    assertThat(answer.get("refused_share").isNull()).isTrue();
    assertThat(answer.get("totals")).isEqualTo(json("{}"));
  }

  @Test
  void stepsAddUp() {
    JsonNode series = decisions("?step=120&from=" + minute(0) + "&to=" + minute(4)).get("series");

    assertThat(series.get("step").asInt()).isEqualTo(120);
    assertThat(series.get("calls")).isEqualTo(json("[15,7]"));
  }

  @Test
  void withoutItsSeriesAnAnswerIsTheSame() {
    for (String question :
        List.of(
            "/api/v1/decisions?group_by=tier",
            "/api/v1/decisions?from=" + minute(0) + "&to=" + minute(2),
            "/api/v1/latency?measure=held_ms",
            "/api/v1/latency?measure=queue_ms&group_by=tier")) {
      ObjectNode whole = (ObjectNode) api.json(question);
      ObjectNode without = (ObjectNode) api.json(question + "&series=false");

      assertThat(whole.remove("series").get("times")).isNotEmpty();
      assertThat(without.remove("series").get("times")).isEmpty();
      whole.remove("as_of");
      without.remove("as_of");
      assertThat((JsonNode) without).isEqualTo(whole);
    }
  }

  @Test
  void groupsByEachDimension() {
    assertThat(groups("tier"))
        .isEqualTo(json("[['core',8,0],['preview',7,7],[null,5,1],['gold',2,0]]"));
    assertThat(groups("scope")).isEqualTo(json("[[null,14,0],['tier',7,7],['user',1,1]]"));
    assertThat(groups("endpoint")).isEqualTo(json("[['$match',17,7],[null,4,0],['$rerank',1,1]]"));
    assertThat(groups("single_row")).isEqualTo(json("[[false,11,1],[true,7,7],[null,4,0]]"));
    assertThat(groups("mode")).isEqualTo(json("[['shadow',17,7],[null,4,0],['enforce',1,1]]"));
    assertThat(groups("request_source"))
        .isEqualTo(json("[[null,10,1],['<img src=x onerror=alert(1)>',7,7],['automatch',5,0]]"));
  }

  private static JsonNode groups(String dimension) {
    JsonNode answer = decisions("?group_by=" + dimension);
    assertThat(answer.get("other").isNull()).isTrue();
    List<String> groups = new ArrayList<>();
    for (JsonNode group : answer.get("groups")) {
      groups.add(
          "[" + group.get("value") + "," + group.get("calls") + "," + group.get("refused") + "]");
      // The rows behind the number are as many as it says.
      JsonNode rows = api.json(group.get("rows").asText() + "&limit=1000").get("calls");
      assertThat(rows.size()).as(group.get("rows").asText()).isEqualTo(group.get("calls").asInt());
    }
    return TestingClient.parse("[" + String.join(",", groups) + "]");
  }

  @Test
  void showsTheFiftyMostFrequentSourcesAndTheRestTogether() {
    TestingDatabase database = TestingDatabase.create();
    List<Map<String, @Nullable Object>> calls = new ArrayList<>();
    for (int i = 0; i < 53; i++) {
      for (int n = 0; n < (i < 50 ? 2 : 1); n++) {
        calls.add(database.call(M0, n == 0 ? "refused" : "admitted", "request_source", "s" + i));
      }
    }
    database.insert("calls", calls);
    database.insert("decisions_minute", List.of(database.decisions(M0, 0, 2, "admitted", 1)));
    try (TestingClient many = TestingClient.start(database.reader(), NOW)) {
      JsonNode answer = many.json("/api/v1/decisions?group_by=request_source");

      assertThat(DESCRIPTION.differences("/api/v1/decisions", answer)).isEmpty();
      assertThat(answer.get("groups")).hasSize(50);
      assertThat(answer.get("groups"))
          .allSatisfy(g -> assertThat(g.get("calls").asInt()).isEqualTo(2));
      assertThat(answer.get("other"))
          .isEqualTo(
              json(
                  "{'values':3,'calls':3,'refused':3,'refused_share':1.0,'totals':{'refused':3}}"));
    }
  }

  @Test
  void tellsPercentilesOfTheCallsThatHaveAValue() {
    JsonNode answer = described("/api/v1/latency", "?group_by=endpoint");

    // 5, 100, 1003, 1003, 1003: ranks 3, 5 and 5 of 5.
    assertThat(answer.get("measure").asText()).isEqualTo("held_ms");
    assertThat(answer.get("present").asLong()).isEqualTo(5);
    assertThat(answer.get("missing").asLong()).isEqualTo(5);
    assertThat(answer.get("sum").asLong()).isEqualTo(3_112);
    assertThat(answer.get("mean").asDouble()).isEqualTo(3_112 / 5.0);
    assertThat(answer.get("p50").asLong()).isEqualTo(1_003);
    assertThat(answer.get("p95").asLong()).isEqualTo(1_003);
    assertThat(answer.get("p99").asLong()).isEqualTo(1_003);
    assertThat(answer.get("bias").isNull()).isTrue();
    JsonNode groups = answer.get("groups");
    assertThat(groups).hasSize(3);
    // $match has 4 values and 1 call without, (none) 4 calls without any, $rerank one value.
    assertThat(groups.get(0).get("value").asText()).isEqualTo("$match");
    assertThat(groups.get(0).get("p50").asLong()).isEqualTo(1_003);
    assertThat(groups.get(1).get("value").isNull()).isTrue();
    assertThat(groups.get(1).get("present").asLong()).isZero();
    assertThat(groups.get(1).get("p50").isNull()).isTrue();
    assertThat(groups.get(1).get("mean").isNull()).isTrue();
    assertThat(groups.get(2).get("value").asText()).isEqualTo("$rerank");
    assertThat(groups.get(2).get("p99").asLong()).isEqualTo(5);
    JsonNode series = answer.get("series");
    assertThat(series.get("present")).isEqualTo(json("[4,0,0,1]"));
    assertThat(series.get("missing")).isEqualTo(json("[1,0,0,4]"));
    assertThat(series.get("p50")).isEqualTo(json("[1003,null,null,5]"));
  }

  @Test
  void saysThatQueueingIsMeasuredHigh() {
    JsonNode answer = described("/api/v1/latency", "?measure=queue_ms&group_by=tier");

    assertThat(answer.get("bias").get("high_by_min").asInt()).isZero();
    assertThat(answer.get("bias").get("high_by_max").asInt()).isEqualTo(999);
    assertThat(answer.get("p50").asLong()).isEqualTo(125);
    assertThat(answer.get("groups").get(0).get("value").asText()).isEqualTo("core");
  }

  @Test
  void listsCallsNewestFirstWithoutPersonalData() {
    JsonNode answer = described("/api/v1/calls", "?cid=c3");

    assertThat(answer.get("calls")).hasSize(1);
    JsonNode call = answer.get("calls").get(0);
    assertThat(call.get("ended_at").asText()).isEqualTo(M0.plusMillis(3_604).toString());
    assertThat(call.get("held_ms").asLong()).isEqualTo(3);
    assertThat(call.get("queue_ms").isNull()).isTrue();
    assertThat(call.get("position").isNumber()).isTrue();
    assertThat(call.has("user_id")).isFalse();
    List<String> times = new ArrayList<>();
    JsonNode all = described("/api/v1/calls", "");
    all.get("calls").forEach(c -> times.add(c.get("ended_at").asText()));
    assertThat(times)
        .hasSize(24)
        .isSortedAccordingTo((a, b) -> Instant.parse(b).compareTo(Instant.parse(a)));
    assertThat(all.toString()).doesNotContain("1001").doesNotContain("\"x\"");
  }

  @Test
  void tellsOnlyTheNamesOfKeysItDoesNotKnow() {
    JsonNode call = described("/api/v1/calls", "?tier=preview&limit=1").get("calls").get(0);

    assertThat(call.get("unknown_keys")).isEqualTo(json("['secret']"));
    assertThat(call.get("full")).isEqualTo(json("['tier','user']"));
    assertThat(call.get("request_source").asText()).isEqualTo("<img src=x onerror=alert(1)>");
  }

  @Test
  void filtersCalls() {
    assertThat(count("?decision=refused&decision=shadow-refused")).isEqualTo(8);
    assertThat(count("?decision=refused&tier=core")).isZero();
    assertThat(count("?scope=tier")).isEqualTo(7);
    assertThat(count("?endpoint=%24rerank")).isEqualTo(1);
    assertThat(count("?single_row=true")).isEqualTo(7);
    assertThat(count("?mode=enforce")).isEqualTo(1);
    assertThat(count("?request_source=automatch")).isEqualTo(5);
    assertThat(count("?source=file:a")).isEqualTo(24);
    assertThat(count("?source=file:b")).isZero();
    assertThat(count("?untimed=true")).isEqualTo(2);
    assertThat(count("?untimed=false")).isEqualTo(22);
    assertThat(count("?missing=tier")).isEqualTo(5);
    assertThat(count("?missing=tier&missing=scope")).isEqualTo(4);
    assertThat(count("?missing=held_ms&tier=core")).isEqualTo(2);
    assertThat(count("?from=" + minute(1) + "&to=" + minute(2))).isEqualTo(7);
    assertThat(count("?from=" + minute(1).plusMillis(1) + "&to=" + minute(2))).isZero();
  }

  private static int count(String query) {
    return described("/api/v1/calls", query).get("calls").size();
  }

  @Test
  void pagesThroughEveryCallOnce() {
    Set<String> seen = new TreeSet<>();
    String cursor = "";
    int pages = 0;
    while (true) {
      JsonNode page = described("/api/v1/calls", "?limit=5" + cursor);
      page.get("calls").forEach(call -> seen.add(call.get("event_id").asText()));
      pages++;
      if (page.get("next_cursor").isNull()) {
        break;
      }
      assertThat(page.get("calls")).hasSize(5);
      cursor = "&cursor=" + page.get("next_cursor").asText();
    }

    assertThat(pages).isEqualTo(5);
    assertThat(seen).hasSize(24);
  }

  @Test
  void listsConfigChangesWithoutWhoAndWhy() {
    JsonNode answer = described("/api/v1/config-changes", "");

    assertThat(answer.get("config_changes")).hasSize(3);
    assertThat(answer.get("config_changes").get(0).get("changes").isNull()).isTrue();
    JsonNode first = answer.get("config_changes").get(2);
    assertThat(first.get("version").asInt()).isEqualTo(1);
    assertThat(first.get("changes")).isEqualTo(json("{'tiers.preview':[2,1]}"));
    assertThat(answer.toString()).doesNotContain("Ann").doesNotContain("Bob");
    JsonNode page = described("/api/v1/config-changes", "?limit=2");
    assertThat(page.get("config_changes")).hasSize(2);
    JsonNode rest =
        described("/api/v1/config-changes", "?limit=2&cursor=" + page.get("next_cursor").asText());
    assertThat(rest.get("config_changes")).hasSize(1);
    assertThat(rest.get("next_cursor").isNull()).isTrue();
  }

  @Test
  void keepsThePipelinesBooks() {
    JsonNode answer = described("/api/v1/pipeline", "");

    // The newest books of each source; dropped: 5 in books, 3 told by a call, 2 by a change.
    assertThat(answer.get("lines"))
        .isEqualTo(
            json(
                "{'read':43,'acknowledged':27,'quarantined':2,'not_ours':13,'pending':1,'dead':3,"
                    + "'dropped_at_source':10}"));
    assertThat(answer.get("dead_by_reason"))
        .isEqualTo(
            json(
                "[{'stage':'ship','reason':'too_long','lines':2},"
                    + "{'stage':'streams','reason':'not_json','lines':1}]"));
    assertThat(answer.get("lag"))
        .isEqualTo(
            json(
                "{'read_behind_bytes':64,'store_behind_rows':0,'metrics_behind_calls':0,"
                    + "'newest_heartbeat_age_seconds':30.0,'silent_sources':0,'failed_sources':0}"));
    assertThat(answer.get("complete_until").asText()).isEqualTo(minute(6).toString());
    // 27 rows, one of them stored twice until ClickHouse merges it away.
    assertThat(answer.get("sources").get(0).get("rows_stored").asLong()).isBetween(27L, 28L);
    assertThat(answer.get("sources").get(1).get("state").asText()).isEqualTo("ended");
  }

  private static @Nullable String completeUntil(TestingDatabase database, String path) {
    try (TestingClient client = TestingClient.start(database.reader(), NOW)) {
      JsonNode until = client.json(path).get("complete_until");
      return until.isNull() ? null : until.asText();
    }
  }

  @Test
  void wherePartitionsDifferTheLeastIsCompleteAndWhereOneKnowsNothingNothingIs() {
    TestingDatabase database = TestingDatabase.create();
    database.insert("calls", List.of(database.call(minute(2), "admitted")));
    database.insert("pipeline_books", List.of(database.books("file:a", WRITTEN, 1)));
    assertThat(completeUntil(database, "/api/v1/pipeline")).as("no state at all").isNull();

    database.insert("minutes_state", List.of(database.state(0, minute(5))));
    assertThat(completeUntil(database, "/api/v1/pipeline")).isEqualTo(minute(5).toString());

    // The books say less than the minutes do: what was not read can't be complete.
    database.insert(
        "pipeline_books", List.of(database.books("file:b", minute(4), 0, "lines_read", 3)));
    assertThat(completeUntil(database, "/api/v1/pipeline")).isEqualTo(minute(4).toString());

    database.insert("minutes_state", List.of(database.state(1, null)));
    assertThat(completeUntil(database, "/api/v1/pipeline")).as("one knows nothing").isNull();
  }

  @Test
  void aNewSourceWhoseLinesHaveNotComeThroughMakesCompletenessUnknown() {
    TestingDatabase database = TestingDatabase.create();
    database.insert("minutes_state", List.of(database.state(0, minute(5))));
    database.insert("pipeline_books", List.of(database.books("file:new", WRITTEN, 1)));
    assertThat(completeUntil(database, "/api/v1/decisions")).isNull();

    database.insert(
        "config_changes", List.of(database.configChange(minute(2), "source", "file:new")));
    assertThat(completeUntil(database, "/api/v1/decisions")).isEqualTo(minute(5).toString());
  }

  @Test
  void callsThatAreNotStoredHoldBackWhatIsCountedFromThem() {
    TestingDatabase database = TestingDatabase.create();
    database.insert(
        "calls",
        List.of(
            database.call(minute(1), "admitted"),
            database.call(minute(2).plusSeconds(7), "admitted")));
    database.insert("minutes_state", List.of(database.state(0, minute(6))));
    database.insert("pipeline_books", List.of(database.books("file:a", WRITTEN, 3)));
    database.insert(
        "decisions_minute",
        List.of(
            database.decisions(minute(1), 0, 2, "admitted", 1),
            database.decisions(minute(2), 0, 2, "admitted", 1),
            database.decisions(minute(3), 0, 2, "admitted", 1)));
    assertThat(completeUntil(database, "/api/v1/decisions")).isEqualTo(minute(6).toString());
    assertThat(completeUntil(database, "/api/v1/usage")).isEqualTo(minute(3).toString());

    database.insert("calls", List.of(database.call(minute(3), "admitted")));
    assertThat(completeUntil(database, "/api/v1/usage")).isEqualTo(minute(6).toString());
  }

  @Test
  void tellsTheStoresLag() {
    TestingDatabase database = TestingDatabase.create();
    database.insert(
        "calls",
        List.of(
            database.call(minute(2).plusSeconds(7), "admitted"),
            database.call(minute(3).plusSeconds(7), "admitted")));
    database.insert("pipeline_books", List.of(database.books("file:a", WRITTEN, 3)));
    database.insert(
        "decisions_minute", List.of(database.decisions(minute(2), 0, 2, "admitted", 1)));
    try (TestingClient behind = TestingClient.start(database.reader(), WRITTEN.plusSeconds(61))) {
      JsonNode answer = behind.json("/api/v1/pipeline");

      assertThat(answer.get("lag").get("store_behind_rows").asLong()).isEqualTo(1);
      assertThat(answer.get("lag").get("metrics_behind_calls").asLong()).isEqualTo(1);
      assertThat(answer.get("lag").get("silent_sources").asLong()).isEqualTo(1);
      assertThat(answer.get("sources").get(0).get("silent").asBoolean()).isTrue();
    }
  }

  @Test
  void whatLinesClaimCantBreakTheBooks() {
    TestingDatabase database = TestingDatabase.create();
    database.insert(
        "calls",
        List.of(
            database.call(M0, "admitted", "log_dropped", Long.MAX_VALUE),
            database.call(M0, "admitted", "log_dropped", Long.MAX_VALUE)));
    database.insert(
        "pipeline_books",
        List.of(database.books("file:a", WRITTEN, 2, "dropped_at_source", Long.MAX_VALUE)));
    try (TestingClient claimed = TestingClient.start(database.reader(), NOW)) {
      assertThat(claimed.json("/api/v1/pipeline").at("/lines/dropped_at_source").asLong())
          .isEqualTo(Long.MAX_VALUE);
      assertThat(claimed.json("/api/v1/calls").at("/calls/0/log_dropped").asLong())
          .isEqualTo(Long.MAX_VALUE);
    }
  }

  @Test
  void anEmptyDatabaseIsAnswered() {
    try (TestingClient empty = TestingClient.start(TestingDatabase.create().reader(), NOW)) {
      for (String path : DESCRIPTION.plainPaths()) {
        if (path.startsWith("/api/")) {
          assertThat(DESCRIPTION.differences(path, empty.json(path))).as(path).isEmpty();
        }
      }
      JsonNode decisions = empty.json("/api/v1/decisions?group_by=tier");
      assertThat(decisions.get("from").isNull()).isTrue();
      assertThat(decisions.get("refused_share").isNull()).isTrue();
      assertThat(
              empty.json("/api/v1/decisions?from=-1h").get("series").get("calls").get(0).isNull())
          .isTrue();
      assertThat(empty.json("/api/v1/pipeline").get("complete_until").isNull()).isTrue();
      assertThat(empty.json("/readyz").get("status").asText()).isEqualTo("ready");
    }
  }

  @Test
  void isReadyOnlyWithTheSchemaItKnows() {
    assertThat(described("/readyz", "").get("schema_version").asInt())
        .isEqualTo(Migrations.newestVersion());
    int unknown = Migrations.newestVersion() + 1;
    TestingDatabase newer = TestingDatabase.create();
    newer.insert(
        "schema_migrations", List.of(Map.of("version", unknown, "name", "x", "checksum", "y")));
    try (TestingClient old = TestingClient.start(newer.reader(), NOW)) {
      assertThat(old.problem(503, "/readyz").get("detail").asText())
          .contains("schema version " + unknown)
          .contains("use a newer program");
    }
    try (TestingClient none = TestingClient.start(TestingDatabase.bare().reader(), NOW)) {
      assertThat(none.problem(503, "/readyz").get("type").asText())
          .isEqualTo("urn:capacity:problem:store-refused");
    }
  }

  @Test
  void servesItsMetricsAndItsDescription() {
    api.json("/healthz");
    assertThat(api.get("/metrics").body())
        .contains("capacity_api_requests_seconds_count{route=\"/healthz\",status=\"200\"}");
    assertThat(api.get("/openapi.yaml").body()).startsWith("openapi: 3.1.0");
  }
}
