package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.capacityobservatory.alarms.AlarmRules;
import org.capacityobservatory.api.ApiDescription.Operation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the API tells of the alarms that the evaluator keeps, and the silences it makes. */
// NullAway.Init: filled before all tests. TimeInStaticInitializer: the run's own day is meant.
@SuppressWarnings({"NullAway.Init", "TimeInStaticInitializer"})
class AlarmsIT {
  private static final ApiDescription DESCRIPTION = ApiDescription.read();
  private static final Instant M0 =
      Instant.now().truncatedTo(ChronoUnit.DAYS).minus(14, ChronoUnit.HOURS);
  private static final Instant NOW = M0.plusSeconds(3_600);
  private static final String RULE = AlarmRules.shipped().get(0).name();

  @TempDir private static Path directory;
  private static TestingClient api;
  private static String[] operator;
  private static String[] viewer;

  @BeforeAll
  static void start() throws IOException {
    TestingDatabase database = TestingDatabase.create();
    database.insert(
        "alarm_transitions",
        List.of(
            transition(1, RULE, "{\"lane\":\"api_heavy\"}", "inactive", "pending", 0),
            transition(2, RULE, "{\"lane\":\"api_heavy\"}", "pending", "firing", 300),
            transition(3, "Mine", "{\"user_id\":\"4711\"}", "pending", "firing", 60),
            heartbeat()));
    database.insert(
        "lanes_minute",
        List.of(
            database.lane(M0, "api_heavy", "calls", 10, "full", 9),
            database.lane(M0.plusSeconds(60), "api_heavy", "calls", 10, "full", 9),
            database.lane(M0.plusSeconds(120), "api_heavy", "calls", 10, "full", 0)));
    TokenFile file = new TokenFile(directory.resolve("tokens.json"));
    operator = token(file, Role.OPERATOR);
    viewer = token(file, Role.VIEWER);
    ApiConfig config =
        new ApiConfig(
            "127.0.0.1",
            0,
            database.reader(),
            QueryLimits.DEFAULT,
            file.path(),
            null,
            database.writerConfig());
    api = TestingClient.start(config, InstantSource.fixed(NOW));
  }

  private static String[] token(TokenFile file, Role role) throws IOException {
    return new String[] {
      "Authorization", "Bearer " + file.create(role.word(), role, InstantSource.system())
    };
  }

  private static Map<String, @Nullable Object> transition(
      int id, String rule, String labels, String from, String to, int seconds) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("kind", "transition");
    row.put("id", new UUID(id, id).toString());
    row.put("rule", rule);
    row.put("labels", labels);
    row.put("severity", "page");
    row.put("from_state", from);
    row.put("to_state", to);
    row.put("event_at", TestingDatabase.text(M0.plusSeconds(seconds)));
    row.put("decided_at", TestingDatabase.text(M0.plusSeconds(seconds + 5)));
    row.put(
        "firing_since", to.equals("firing") ? TestingDatabase.text(M0.plusSeconds(seconds)) : null);
    row.put("value", 0.9);
    row.put("calls", 20);
    row.put("summary", "Something of 4711");
    row.put("deliveries", id == 2 ? Map.of("hook", "given-up", "mail", "delivered") : Map.of());
    row.put("revision", 1);
    return row;
  }

  private static Map<String, @Nullable Object> heartbeat() {
    Map<String, @Nullable Object> row = transition(9, "evaluator", "{}", "", "", 0);
    row.put("kind", "evaluator");
    row.put("event_at", TestingDatabase.text(Instant.EPOCH));
    row.put("decided_at", TestingDatabase.text(NOW.minusSeconds(10)));
    row.put("firing_since", TestingDatabase.text(NOW.minusSeconds(60)));
    return row;
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static JsonNode answer(String path, String... token) {
    HttpResponse<String> answer = api.get(path, token);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode json = TestingClient.parse(answer.body());
    assertThat(DESCRIPTION.differences(path.replaceFirst("\\?.*", ""), json)).as(path).isEmpty();
    return json;
  }

  @Test
  void tellsWhereEachSeriesStandsAndEveryRuleThatIsQuiet() {
    JsonNode answer = answer("/api/v1/alarms", operator);

    assertThat(answer.get("evaluator_silent").asBoolean()).isFalse();
    assertThat(answer.get("evaluated_at").asText()).isEqualTo(NOW.minusSeconds(60).toString());
    JsonNode first = answer.get("alarms").get(0);
    assertThat(first.get("rule").asText()).isEqualTo(RULE);
    assertThat(first.get("state").asText()).isEqualTo("firing");
    assertThat(first.get("since").asText()).isEqualTo(M0.plusSeconds(300).toString());
    assertThat(first.get("group").get("lane").asText()).isEqualTo("api_heavy");
    assertThat(first.get("definition").asText()).isNotEmpty();
    // Two series, and each other shipped rule once.
    assertThat(answer.get("alarms")).hasSize(AlarmRules.shipped().size() + 1);
    assertThat(answer.get("alarms").findValuesAsText("state").stream().filter("inactive"::equals))
        .hasSize(AlarmRules.shipped().size() - 1);
  }

  @Test
  void whomAnAlarmIsAboutIsNotForAViewer() {
    for (String path : List.of("/api/v1/alarms", "/api/v1/alarms/history?rule=Mine")) {
      assertThat(answer(path, viewer).toString()).doesNotContain("4711\"}");
      assertThat(answer(path, operator).toString()).contains("4711\"}");
    }
    assertThat(answer("/api/v1/alarms/history?rule=Mine", viewer).toString())
        .doesNotContain("4711");
  }

  @Test
  void tellsHowAlarmsChangedPageByPage() {
    JsonNode first = answer("/api/v1/alarms/history?limit=2", operator);
    assertThat(first.get("changes").findValuesAsText("after")).containsExactly("firing", "firing");
    assertThat(first.at("/changes/0/told").toString())
        .isEqualTo("{\"hook\":\"given-up\",\"mail\":\"delivered\"}");
    JsonNode rest =
        answer(
            "/api/v1/alarms/history?limit=2&cursor=" + first.get("next_cursor").asText(), operator);
    assertThat(rest.get("changes").findValuesAsText("after")).containsExactly("pending");
    assertThat(rest.get("next_cursor").isNull()).isTrue();
    assertThat(answer("/api/v1/alarms/history?rule=none", operator).get("changes")).isEmpty();
  }

  @Test
  void aSilenceIsMadeShownAndEnded() {
    Operation make = new Operation("POST", "/api/v1/alarms/silences");
    String to = NOW.plusSeconds(7_200).toString();
    String body = "{\"rule\":\"" + RULE + "\",\"to\":\"%s\",\"reason\":\"Load test\"}";
    HttpResponse<String> made =
        api.send("POST", "/api/v1/alarms/silences", body.formatted(to), operator);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    JsonNode silence = TestingClient.parse(made.body());
    assertThat(DESCRIPTION.differences(make, silence)).isEmpty();
    assertThat(
            answer("/api/v1/alarms", operator).get("alarms").get(0).get("silenced_until").asText())
        .isEqualTo(to);
    assertThat(answer("/api/v1/alarms/silences", viewer).get("silences")).hasSize(1);

    String path = "/api/v1/alarms/silences/" + silence.get("id").asText();
    assertThat(api.send("DELETE", path, "", viewer).statusCode()).isEqualTo(403);
    assertThat(api.send("DELETE", path, "", operator).statusCode()).isEqualTo(204);
    assertThat(answer("/api/v1/alarms/silences", viewer).get("silences")).isEmpty();
    assertThat(api.send("DELETE", path, "", operator).statusCode()).isEqualTo(404);
    assertThat(
            api.send(
                    "POST",
                    "/api/v1/alarms/silences",
                    body.formatted(NOW.minusSeconds(1)),
                    operator)
                .statusCode())
        .isEqualTo(400);
  }

  @Test
  void aRuleIsTriedOnThePast() {
    Operation ask = new Operation("POST", "/api/v1/alarms/backtest");
    String body = "{\"rule\":%s,\"from\":\"" + M0 + "\",\"to\":\"" + M0.plusSeconds(300) + "\"}";
    String rule =
        """
        groups:
          - name: mine
            rules:
              - alert: LaneFull
                expr: lane_full_share{lane="api_heavy"}[1m] > 0.5
                labels: {severity: info}
                annotations: {summary: Full, runbook: Nothing to do.}
        """;
    HttpResponse<String> tried =
        api.send(
            "POST", "/api/v1/alarms/backtest", body.formatted(TestingClient.quoted(rule)), viewer);
    assertThat(tried.statusCode()).as(tried.body()).isEqualTo(200);
    JsonNode told = TestingClient.parse(tried.body());
    assertThat(DESCRIPTION.differences(ask, told)).isEmpty();
    assertThat(told.get("evaluations").asLong()).isEqualTo(5);
    assertThat(told.get("fired").asLong()).isEqualTo(1);
    // Found full in minutes 0 and 1, not in 2: from the end of the first to the end of the third.
    assertThat(told.get("firing_seconds").asDouble()).isEqualTo(120);

    HttpResponse<String> wrong =
        api.send("POST", "/api/v1/alarms/backtest", body.formatted("\"nonsense\""), viewer);
    assertThat(wrong.statusCode()).as(wrong.body()).isEqualTo(400);
    assertThat(DESCRIPTION.problemDifferences(TestingClient.parse(wrong.body()))).isEmpty();
  }
}
