package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.capacityobservatory.api.ApiDescription.Operation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The resources over the calls of {@code samples/shadow}, against numbers that a script of its own
 * counted in the files: 1,805 calls from 09:48:03.786 to 10:08:00.396.
 */
@SuppressWarnings("NullAway.Init") // filled before all tests
class ResourcesIT {
  private static final ApiDescription DESCRIPTION = ApiDescription.read();

  @TempDir private static Path directory;
  private static TestingClient api;
  private static String[] token;

  /** The samples' day is yesterday. */
  private static String day;

  @BeforeAll
  static void start() throws IOException {
    Instant now = Instant.now();
    Instant yesterday = now.truncatedTo(ChronoUnit.DAYS).minus(1, ChronoUnit.DAYS);
    day = yesterday.toString().substring(0, 11);
    TestingDatabase database = TestingDatabase.create();
    SampleRows.store(Path.of("../samples/shadow"), database, now);
    database.insert(
        "minutes_state",
        List.of(database.state(0, now.truncatedTo(ChronoUnit.MINUTES).minusSeconds(60))));
    TokenFile file = new TokenFile(directory.resolve("tokens.json"));
    token =
        new String[] {
          "Authorization", "Bearer " + file.create("test", Role.OPERATOR, InstantSource.system())
        };
    ApiConfig config =
        new ApiConfig(
            "127.0.0.1",
            0,
            database.reader(),
            QueryLimits.DEFAULT,
            file.path(),
            null,
            database.writerConfig());
    api = TestingClient.start(config, InstantSource.system());
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static JsonNode answer(String path, String query) {
    HttpResponse<String> answer = api.get(path + query, token);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode json = TestingClient.parse(answer.body());
    assertThat(DESCRIPTION.differences(path, json)).as(path + query).isEmpty();
    assertThat(answer.body()).doesNotContain("NaN").doesNotContain("Infinity");
    return json;
  }

  private static String usage(String groupBy) {
    List<String> groups = new ArrayList<>();
    for (JsonNode group : answer("/api/v1/usage", "?group_by=" + groupBy).get("groups")) {
      groups.add(
          "%s %d/%d %.3f %d"
              .formatted(
                  group.get("value").asText(),
                  group.get("refused").asLong(),
                  group.get("calls").asLong(),
                  group.get("lease_seconds").asDouble(),
                  group.get("users").asLong()));
    }
    return String.join(", ", groups);
  }

  @Test
  void tellsWhoIsRefusedAndWhoFillsTheLanes() {
    assertThat(usage("tier"))
        .isEqualTo(
            "preview 704/892 2030.965 16, core 310/371 1120.684 4,"
                + " early_access 301/431 867.800 8, staff 80/111 197.693 2");
    assertThat(usage("endpoint"))
        .isEqualTo("$match 1013/1415 3486.831 30, $rerank 382/390 730.311 18");
    assertThat(usage("request_source"))
        .isEqualTo(
            "automatch 1002/1033 3821.785 21, tbv3 200/397 203.779 30,"
                + " mapper-row 193/375 191.578 30");
    JsonNode users = answer("/api/v1/usage", "?limit=3");
    assertThat(users.get("calls").asLong()).isEqualTo(1_805);
    assertThat(users.get("refused").asLong()).isEqualTo(1_395);
    assertThat(users.get("lease_seconds").asDouble()).isEqualTo(4_217.142);
    assertThat(users.get("users").asLong()).isEqualTo(30);
    assertThat(users.get("fair_share").asDouble()).isEqualTo(1.0 / 30);
    assertThat(users.get("groups")).hasSize(3);
    JsonNode first = users.get("groups").get(0);
    assertThat(first.get("value").asText()).isEqualTo("401");
    assertThat(first.get("refused").asLong()).isEqualTo(119);
    assertThat(first.get("fair_multiple").asDouble())
        .isCloseTo(459_696 / 4_217_142.0 * 30, offset(1e-12));
    assertThat(
            answer("/api/v1/calls", first.get("rows").asText().substring(13) + "&limit=1000")
                .get("calls"))
        .hasSize(130);
    assertThat(answer("/api/v1/usage", "?group_by=run&order=calls&limit=1").get("values").asLong())
        .as("51 runs, and calls of none")
        .isEqualTo(52);
  }

  @Test
  void tellsOfRuns() {
    JsonNode runs = answer("/api/v1/runs", "?order=calls&limit=2");

    assertThat(runs.get("total").asLong()).isEqualTo(51);
    assertThat(runs.get("runs").get(0).get("run").asText()).isEqualTo("1005");
    assertThat(runs.get("runs").get(0).get("calls").asLong()).isEqualTo(44);
    assertThat(runs.get("runs").get(0).get("refused").asLong()).isEqualTo(43);
    assertThat(runs.get("runs").get(0).get("lease_seconds").asDouble()).isEqualTo(131.376);
    assertThat(runs.get("runs").get(1).get("run").asText()).isEqualTo("1006");
    assertThat(answer("/api/v1/runs", "?run=1006").get("runs")).hasSize(1);
  }

  @Test
  void tellsTimeAtTheLimitAndPeakFromTheIntervals() {
    JsonNode answer = answer("/api/v1/lanes/intervals", "");

    JsonNode lane = answer.get("lanes").get(0);
    assertThat(lane.get("peak").asLong()).isEqualTo(9);
    assertThat(lane.get("at_limit_ms").asLong()).isEqualTo(581_688);
    assertThat(lane.get("at_limit_share").asDouble()).isEqualTo(581_688 / 1_260_000.0);
    assertThat(lane.get("in_flight_mean").asDouble()).isEqualTo(4_217_142 / 1_260_000.0);
    assertThat(answer("/api/v1/lanes/intervals", "?lane=tier").get("lanes")).hasSize(4);
    assertThat(answer("/api/v1/lanes/intervals", "?lane=api_heavy_task").get("lanes")).hasSize(2);
  }

  @Test
  void tellsLatencyBySizeAndByWhatElseWasInFlight() {
    List<String> rows = new ArrayList<>();
    for (JsonNode group : answer("/api/v1/latency", "?group_by=rows").get("groups")) {
      rows.add(group.get("value").asText() + ":" + group.get("present").asLong());
      assertThat(
              answer("/api/v1/calls", group.get("rows").asText().substring(13) + "&limit=1000")
                  .get("calls"))
          .hasSize(group.get("present").asInt());
    }
    assertThat(rows).containsExactly("1:775", "2:6", "4:8", "8:20", "16:996");
    List<String> inFlight = new ArrayList<>();
    answer("/api/v1/latency", "?group_by=in_flight")
        .get("groups")
        .forEach(g -> inFlight.add(g.get("value").asText() + ":" + g.get("present").asLong()));
    assertThat(inFlight)
        .containsExactly("1:270", "2:123", "3:113", "4:131", "5:143", "6:148", "7:214", "8:663");
  }

  @Test
  void theHeatMapHoldsEveryCallOnce() {
    JsonNode answer = answer("/api/v1/latency/heatmap", "?measure=held_ms");

    long calls = 0;
    for (JsonNode step : answer.get("counts")) {
      assertThat(step).hasSameSizeAs(answer.get("edges"));
      for (JsonNode n : step) {
        calls += n.asLong();
      }
    }
    assertThat(calls).isEqualTo(1_805);
    assertThat(answer.get("times")).hasSize(21);
    // 259 calls were held 5,000 ms or longer; the edges around are 4,096 and 6,144.
    assertThat(answer.get("edges").toString()).contains("4096,6144");
  }

  @Test
  void tellsACallsWholeStory() {
    JsonNode call =
        answer("/api/v1/calls", "?cid=9f8fca7c67704d388d4d70fd30e7d483").get("calls").get(0);
    String id = call.get("event_id").asText();
    HttpResponse<String> answer =
        api.get("/api/v1/calls/" + id + "?ended_at=" + call.get("ended_at").asText(), token);
    JsonNode story = TestingClient.parse(answer.body());

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(DESCRIPTION.differences("/api/v1/calls/{event_id}", story)).isEmpty();
    Instant ended = Instant.parse(call.get("ended_at").asText());
    assertThat(story.get("acquired_at").asText()).isEqualTo(ended.minusMillis(1_429).toString());
    assertThat(story.get("requested_earliest").asText())
        .isEqualTo(ended.minusMillis(1_429 + 920).toString());
    assertThat(story.get("requested_latest").asText())
        .isEqualTo(ended.minusMillis(1_429).toString());
    // The line says 8 in flight with itself, and the intervals find 7 others.
    assertThat(story.at("/in_flight_then/count").asLong()).isEqualTo(7);
    assertThat(story.get("lanes").get(0).get("in_flight").asLong()).isEqualTo(8);
    assertThat(story.get("lanes").findValues("full").stream().filter(JsonNode::asBoolean))
        .hasSize(4);
    assertThat(story.at("/run/run").asText()).isEqualTo("1051");
    assertThat(story.at("/run/calls").asLong()).isEqualTo(22);
    assertThat(story.at("/run/place").asLong()).isEqualTo(15);
    assertThat(story.at("/run/refused").asLong()).isEqualTo(18);
    assertThat(api.get("/api/v1/calls/" + id, token).statusCode()).isEqualTo(200);
    assertThat(api.get("/api/v1/calls/00000000-0000-4000-8000-000000000000", token).statusCode())
        .isEqualTo(404);
    assertThat(api.get("/api/v1/calls/1;DROP", token).statusCode()).isEqualTo(400);
  }

  @Test
  void filtersCallsByMoreThanEquality() {
    assertThat(count("?full=es2_knn")).isEqualTo(874);
    assertThat(count("?held_ms_min=5000")).isEqualTo(259);
    assertThat(count("?held_ms_max=4999")).isEqualTo(1_805 - 259);
    assertThat(count("?rows_min=2&rows_max=25")).isEqualTo(1_030);
    assertThat(count("?user_id=401")).isEqualTo(130);
    assertThat(count("?has_error=true")).isZero();
    assertThat(count("?lease_lost=false")).isEqualTo(1_805);
  }

  private static long count(String query) {
    HttpResponse<String> lines = api.get("/api/v1/calls.ndjson" + query, token);
    assertThat(lines.statusCode()).as(lines.body()).isEqualTo(200);
    assertThat(lines.headers().firstValue("Capacity-Next-Cursor")).isEmpty();
    return lines.body().lines().count();
  }

  @Test
  void anExportTellsThatThereIsMore() {
    HttpResponse<String> part = api.get("/api/v1/calls.csv?limit=1800", token);
    String cursor = part.headers().firstValue("Capacity-Next-Cursor").orElse("");
    assertThat(part.body().lines().count()).isEqualTo(1_801);
    HttpResponse<String> rest = api.get("/api/v1/calls.csv?cursor=" + cursor, token);
    assertThat(rest.body().lines().count()).isEqualTo(6);
    assertThat(rest.headers().firstValue("Capacity-Next-Cursor")).isEmpty();
  }

  @Test
  void recountsTheMinutes() {
    JsonNode answer =
        answer("/api/v1/verification", "?from=" + day + "09:00:00Z&to=" + day + "11:00:00Z");
    assertThat(answer.get("calls").asLong()).isEqualTo(1_805);
    assertThat(answer.get("hidden_doubles").asLong()).isZero();
  }

  @Test
  void aViewIsSavedChangedByWhoSawItLastAndRemoved() {
    Operation save = new Operation("POST", "/api/v1/views");
    String view = "{\"name\":\"Night\",\"page\":\"lanes\",\"query\":\"from=-7d\"}";
    HttpResponse<String> saved = api.send("POST", "/api/v1/views", view, token);
    assertThat(saved.statusCode()).as(saved.body()).isEqualTo(201);
    JsonNode first = TestingClient.parse(saved.body());
    assertThat(DESCRIPTION.differences(save, first)).isEmpty();
    String path = "/api/v1/views/" + first.get("id").asText();
    assertThat(saved.headers().firstValue("Location")).contains(path);
    String change = "{\"name\":\"Day\",\"page\":\"lanes\",\"query\":\"from=-1d\",\"revision\":%d}";

    HttpResponse<String> changed = api.send("PUT", path, change.formatted(1), token);
    assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
    assertThat(api.send("PUT", path, change.formatted(1), token).statusCode()).isEqualTo(409);
    JsonNode views = answer("/api/v1/views", "").get("views");
    assertThat(views).hasSize(1);
    assertThat(views.get(0).get("name").asText()).isEqualTo("Day");
    assertThat(views.get(0).get("revision").asLong()).isEqualTo(2);

    assertThat(api.send("DELETE", path, "", token).statusCode()).isEqualTo(204);
    assertThat(answer("/api/v1/views", "").get("views")).isEmpty();
    assertThat(api.send("DELETE", path, "", token).statusCode()).isEqualTo(404);
  }

  @Test
  void bodiesAreCheckedLikeParameters() {
    String id = "/api/v1/views/00000000-0000-4000-8000-000000000000";
    String deep = "{\"a\":".repeat(5_000) + "1" + "}".repeat(5_000);
    for (String body :
        List.of(
            "{\"name\":1,\"page\":\"A B\",\"query\":[],\"more\":true}",
            "{\"name\":\"\",\"page\":\"x\",\"query\":\"\"}",
            "[]",
            "\"text\"",
            "{",
            deep,
            "{\"name\":\"a\",\"name\":\"b\"}",
            "{\"name\":\"" + "a".repeat(101) + "\",\"page\":\"x\",\"query\":\"\"}",
            "{\"name\":\"\\u0000\",\"page\":\"x\",\"query\":\"\"}")) {
      for (String[] to : new String[][] {{"POST", "/api/v1/views"}, {"PUT", id}}) {
        HttpResponse<String> answer = api.send(to[0], to[1], body, token);
        assertThat(answer.statusCode()).as(body).isEqualTo(400);
        assertThat(DESCRIPTION.problemDifferences(TestingClient.parse(answer.body()))).isEmpty();
      }
    }
    assertThat(
            api.send("POST", "/api/v1/views", "{\"a\":\"" + "x".repeat(70_000) + "\"}", token)
                .statusCode())
        .isEqualTo(413);
  }

  private static String range(String more) {
    return "{\"from\":\"%s09:00:00Z\",\"to\":\"%s11:00:00Z\"%s}".formatted(day, day, more);
  }

  @Test
  void aCalibrationRunsIsPolledAndKept() {
    HttpResponse<String> started =
        api.send(
            "POST",
            "/api/v1/calibrations",
            range(
                ",\"changes\":{\"tiers.preview\":3},\"enforce_for\":\"all\",\"explore\":false,"
                    + "\"require\":{\"min_hours\":24}"),
            token);
    assertThat(started.statusCode()).as(started.body()).isEqualTo(202);
    String path = started.headers().firstValue("Location").orElse("");
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> !List.of("waiting", "running").contains(state(path)));
    JsonNode done = TestingClient.parse(api.get(path, token).body());
    assertThat(done.get("state").asText()).as(done.toString()).isEqualTo("done");
    assertThat(DESCRIPTION.differences("/api/v1/calibrations/{id}", done)).isEmpty();
    assertThat(done.get("calls").asLong()).isEqualTo(1_805);
    assertThat(done.get("shadow_refused_share").asDouble()).isEqualTo(1_395 / 1_805.0);
    assertThat(done.at("/result/users").isMissingNode()).isFalse();
    assertThat(done.at("/result/gate/verdict").asText()).isEqualTo("NOT YET");
    assertThat(done.at("/result/gate/requirements/1/evidence").asText()).isEqualTo("0.332 hours");
    HttpResponse<String> report = api.get(path + "/report", token);
    assertThat(report.body()).startsWith("<!DOCTYPE html>").doesNotContain("<script");
    assertThat(report.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("style-src 'sha256-")
        .doesNotContain("unsafe");
    assertThat(api.send("DELETE", path, "", token).statusCode()).isEqualTo(409);
    assertThat(answer("/api/v1/calibrations", "").get("calibrations")).isNotEmpty();
    String tag = api.get(path, token).headers().firstValue("ETag").orElse("");
    assertThat(api.get(path, token[0], token[1], "If-None-Match", tag).statusCode()).isEqualTo(304);
  }

  private static String state(String path) {
    return TestingClient.parse(api.get(path, token).body()).get("state").asText();
  }

  @Test
  void aCalibrationCanBeCancelled() {
    HttpResponse<String> started =
        api.send("POST", "/api/v1/calibrations", range(",\"explore\":true"), token);
    String path = started.headers().firstValue("Location").orElse("");

    assertThat(api.send("DELETE", path, "", token).statusCode()).isEqualTo(200);

    await().atMost(Duration.ofMinutes(2)).until(() -> state(path).equals("cancelled"));
    assertThat(api.get(path + "/report", token).statusCode()).isEqualTo(404);
  }

  @Test
  void aWhatIfIsAnsweredWhileOneWaits() {
    Operation ask = new Operation("POST", "/api/v1/what-if");
    HttpResponse<String> answer =
        api.send(
            "POST",
            "/api/v1/what-if",
            range(",\"changes\":{\"tiers.preview\":4},\"enforce_for\":\"all\""),
            token);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode told = TestingClient.parse(answer.body());
    assertThat(DESCRIPTION.differences(ask, told)).isEmpty();
    assertThat(told.get("calls").asLong()).isEqualTo(1_805);
    assertThat(told.at("/patch/tiers/preview").asInt()).isEqualTo(4);
    assertThat(told.at("/config/tiers.preview").asInt()).isEqualTo(2);
    assertThat(told.at("/predicted/all/refused_calls_share/value").asDouble()).isBetween(0.0, 1.0);
    assertThat(told.at("/in_force/by/tier/preview/refused_calls_share/value").asDouble())
        .isBetween(0.0, 1.0);

    HttpResponse<String> wrong =
        api.send(
            "POST",
            "/api/v1/what-if",
            range(",\"changes\":{\"tiers\":1,\"es2_knn\":\"x\"}"),
            token);
    assertThat(wrong.statusCode()).as(wrong.body()).isEqualTo(400);
  }

  /** So high that nobody is refused, whatever the replay draws. */
  private static final String BOUNDLESS =
      "{\"api_heavy.cluster\":1000,\"api_heavy.per_task\":1000,\"es2_knn\":1000,"
          + "\"tiers.staff\":1000,\"tiers.core\":1000,\"tiers.early_access\":1000,"
          + "\"tiers.preview\":1000,\"per_user.staff\":1000,\"per_user.core\":1000,"
          + "\"per_user.early_access\":1000,\"per_user.preview\":1000}";

  private static JsonNode gate(String changes, String require) {
    HttpResponse<String> answer =
        api.send(
            "POST",
            "/api/v1/gate",
            range(
                ",\"changes\":%s,\"enforce_for\":\"all\",\"aware\":[\"automatch\"],\"require\":%s"
                    .formatted(changes, require)),
            token);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode told = TestingClient.parse(answer.body());
    assertThat(DESCRIPTION.differences(new Operation("POST", "/api/v1/gate"), told)).isEmpty();
    return told;
  }

  private static List<String> checks(JsonNode gate) {
    List<String> checks = new ArrayList<>();
    for (JsonNode check : gate.get("requirements")) {
      assertThat(check.get("next").isNull())
          .isEqualTo(check.get("verdict").asText().equals("PASS"));
      checks.add(
          "%s: %s: %s"
              .formatted(
                  check.get("verdict").asText(),
                  check.get("requirement").asText(),
                  check.get("evidence").asText()));
    }
    return checks;
  }

  /** From 09:48:03.786 to 10:08:00.396 are 0.332 h; 1,033 of 1,805 calls are by Auto Match. */
  @Test
  void theGateHoldsEachRequirementAgainstItsEvidence() {
    JsonNode pass =
        gate(
            BOUNDLESS,
            "{\"min_hours\":0.33,\"completeness_min\":1,\"unavailable_share_max\":0,"
                + "\"aware_share_min\":0.57,\"protected_tiers\":{\"staff\":0},"
                + "\"single_row_refused_share_max\":0,\"accept_holes\":[\"late_envelope_time\"]}");

    assertThat(checks(pass).subList(1, 7))
        .containsExactly(
            "PASS: at least 0.33 hours of evidence: 0.332 hours",
            "PASS: completeness at least 1: 1",
            "PASS: share of calls with the limiter unavailable at most 0: 0",
            "PASS: share of calls from aware clients at least 0.57: 57.2 % of calls come from"
                + " automatch",
            "PASS: by.tier.staff.refused_calls_share <= 0: 0 (0 to 0)",
            "PASS: by.single_row.true.refused_calls_share <= 0: 0 (0 to 0)");
    assertThat(pass.get("verdict").asText()).as(pass.toString()).isEqualTo("PASS");
    assertThat(pass.at("/limits/es2_knn").asInt()).isEqualTo(1_000);
    assertThat(pass.at("/headroom/es2_knn/limit").asInt()).isEqualTo(1_000);

    JsonNode notYet =
        gate(
            "{}",
            "{\"min_hours\":24,\"aware_share_min\":0.58,\"constraints\":[\"by.tier.gold.wait_s.p95 <= 1\"],"
                + "\"accept_holes\":[\"late_envelope_time\"]}");
    assertThat(checks(notYet).subList(1, 4))
        .containsExactly(
            "NOT YET: at least 24 hours of evidence: 0.332 hours",
            "NOT YET: share of calls from aware clients at least 0.58: 57.2 % of calls come from"
                + " automatch",
            "UNKNOWN: by.tier.gold.wait_s.p95 <= 1: no such calls in the evidence");
    assertThat(notYet.get("verdict").asText()).isEqualTo("NOT YET");
    assertThat(notYet.get("limits").isNull()).isTrue();
    assertThat(notYet.get("hash").asText()).isNotEqualTo(pass.get("hash").asText());
  }

  @Test
  void theGateWantsToKnowWhatMustHold() {
    for (String require : List.of("", ",\"require\":{}", ",\"require\":{\"min_hour\":1}")) {
      HttpResponse<String> answer =
          api.send("POST", "/api/v1/gate", range(",\"changes\":{}" + require), token);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      assertThat(answer.body()).contains("\"parameter\":\"require\"");
    }
  }

  @Test
  void liveCallsAndNumbersComeAsEvents() {
    HttpResponse<Stream<String>> live = api.lines("/api/v1/live", token);
    try (Stream<String> lines = live.body()) {
      assertThat(live.headers().firstValue("Content-Type").orElse(""))
          .startsWith("text/event-stream");
      List<String> events =
          lines.filter(line -> line.startsWith("event: ")).distinct().limit(2).toList();
      assertThat(events).containsExactly("event: numbers", "event: calls");
    }
  }

  @Test
  void theDescriptionCanBeReadWithoutScripts() {
    HttpResponse<String> docs = api.get("/docs", token);
    assertThat(docs.body()).contains("GET /api/v1/decisions").doesNotContain("<script");
    assertThat(docs.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("style-src 'sha256-")
        .doesNotContain("unsafe");
    String tag = docs.headers().firstValue("ETag").orElse("");
    assertThat(api.get("/docs", token[0], token[1], "If-None-Match", tag).statusCode())
        .isEqualTo(304);
  }
}
