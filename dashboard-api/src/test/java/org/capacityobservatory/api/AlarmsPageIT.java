package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.capacityobservatory.alarms.AlarmRule;
import org.capacityobservatory.alarms.AlarmRules;
import org.capacityobservatory.alarms.Backtest;
import org.capacityobservatory.alarms.ClickHouseFacts;
import org.capacityobservatory.alarms.Transition;
import org.capacityobservatory.sql.ClickHouse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator silences an alarm on the page, in a real browser, over real tables. The alarm fires
 * since the alarms' own state machine says so of the stored minutes; the silence's end comes by
 * moving the API's clock.
 */
// NullAway.Init: filled before all tests.
@SuppressWarnings("NullAway.Init")
class AlarmsPageIT {
  private static final String RULE = "InteractiveCallsWouldBeRefused";
  private static final String REASON = "Load test until noon";

  @TempDir private static Path directory;
  private static volatile Instant now;
  private static TestingClient api;
  private static String operator;
  private static String viewer;

  @BeforeAll
  static void start() throws IOException {
    now = Instant.now();
    Instant first = now.truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofMinutes(5));
    TestingDatabase database = TestingDatabase.create();
    List<Map<String, @Nullable Object>> minutes = new ArrayList<>();
    for (int minute = 0; minute < 4; minute++) {
      Instant start = first.plus(Duration.ofMinutes(minute));
      minutes.add(database.decisions(start, 1, 2, "shadow-refused", 9, "single_row", true));
      minutes.add(database.decisions(start, 2, 2, "admitted", 1, "single_row", true));
    }
    database.insert("decisions_minute", minutes);
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    transitions(database, first).forEach(transition -> rows.add(row(transition)));
    rows.add(heartbeat(now));
    database.insert("alarm_transitions", rows);
    TokenFile file = new TokenFile(directory.resolve("tokens.json"));
    operator = file.create("on-call", Role.OPERATOR, InstantSource.system());
    viewer = file.create("viewer", Role.VIEWER, InstantSource.system());
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
            () -> now);
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  /** 9 of 10 single-row calls over four minutes: fires at the end of the third. */
  private static List<Transition> transitions(TestingDatabase database, Instant first) {
    List<AlarmRule> rules =
        AlarmRules.shipped().stream().filter(rule -> rule.name().equals(RULE)).toList();
    ClickHouseFacts facts =
        new ClickHouseFacts(ClickHouse.queries(database.reader(), new Properties()));
    List<Transition> transitions =
        Backtest.run(rules, facts, first, first.plus(Duration.ofMinutes(4))).transitions();
    assertThat(transitions)
        .extracting(t -> t.at() + " " + t.to().word())
        .containsExactly(
            first.plus(Duration.ofMinutes(1)) + " pending",
            first.plus(Duration.ofMinutes(3)) + " firing");
    return transitions;
  }

  private static Map<String, @Nullable Object> row(Transition transition) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("kind", "transition");
    row.put("id", transition.id().toString());
    row.put("rule", transition.series().rule());
    row.put("labels", "{}");
    row.put("severity", transition.severity());
    row.put("from_state", transition.from().word());
    row.put("to_state", transition.to().word());
    row.put("event_at", TestingDatabase.text(transition.at()));
    row.put("decided_at", TestingDatabase.text(transition.at().plusSeconds(5)));
    row.put(
        "firing_since",
        transition.firingSince() == null ? null : TestingDatabase.text(transition.firingSince()));
    row.put("value", transition.value().orElseThrow());
    row.put("calls", transition.calls());
    row.put("summary", transition.summary());
    row.put("deliveries", transition.isFiring() ? Map.of("hook", "given-up") : Map.of());
    row.put("revision", 1);
    return row;
  }

  private static Map<String, @Nullable Object> heartbeat(Instant at) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("kind", "evaluator");
    row.put("id", "00000000-0000-0000-0000-000000000009");
    row.put("rule", "evaluator");
    row.put("labels", "{}");
    row.put("severity", "");
    row.put("from_state", "");
    row.put("to_state", "");
    row.put("event_at", TestingDatabase.text(Instant.EPOCH));
    row.put("decided_at", TestingDatabase.text(at));
    row.put("firing_since", TestingDatabase.text(at.minusSeconds(60)));
    row.put("value", null);
    row.put("calls", 0);
    row.put("summary", "");
    row.put("deliveries", Map.of());
    row.put("revision", 1);
    return row;
  }

  private static List<Map<String, ?>> logIn(String token) {
    return List.of(
        Map.of("go", "?page=alarms&refresh=0"),
        Map.of("set", Map.of("token", token)),
        Map.of("click", "log-in", "expect", Map.of("alarms-firing", "1")));
  }

  @Test
  void anOperatorSilencesAnAlarmUntilItsEnd() throws IOException, InterruptedException {
    List<Map<String, ?>> steps = new ArrayList<>(logIn(operator));
    steps.add(Map.of("set", Map.of("silence-reason", REASON)));
    steps.add(
        Map.of(
            "click",
            "silence",
            "expect",
            Map.of("alarms-silenced", "1", "silence-why", REASON),
            "axe",
            true));
    List<JsonNode> seen = TestingBrowser.walk(api.url(), steps);
    JsonNode before = seen.get(steps.size() - 2);
    assertThat(before.at("/texts/alarms-silenced").asText()).isEqualTo("0");
    JsonNode after = seen.get(steps.size() - 1);
    assertThat(after.get("violations")).isEmpty();
    assertThat(table(after, "Changes of alarms").toString()).contains("▲ hook: undelivered");
    JsonNode silences = table(after, "Silences");
    assertThat(silences).hasSize(2);
    assertThat(silences.get(1).get(0).asText()).isEqualTo(RULE);
    JsonNode alarm = table(after, "Alarms").get(1);
    // It goes on firing: silenced is who is told, not what is so.
    assertThat(alarm.get(0).asText()).contains("firing");
    assertThat(alarm.get(1).asText()).isEqualTo(RULE);
    assertThat(alarm.get(7).asText())
        .as("silenced until")
        .isEqualTo(silences.get(1).get(2).asText());

    // A viewer sees it, and can't silence. An hour and a minute later it has ended by itself.
    List<Map<String, ?>> viewing = new ArrayList<>(logIn(viewer));
    JsonNode viewed = TestingBrowser.walk(api.url(), viewing).get(viewing.size() - 1);
    assertThat(viewed.at("/texts/alarms-silenced").asText()).isEqualTo("1");
    assertThat(viewed.at("/texts").has("silence")).isFalse();
    now = Instant.now().plus(Duration.ofMinutes(61));

    List<Map<String, ?>> later = new ArrayList<>(logIn(operator));
    later.add(Map.of("set", Map.of("silence-reason", "Once more")));
    JsonNode ended = TestingBrowser.walk(api.url(), later).get(later.size() - 1);
    assertThat(ended.at("/texts/alarms-silenced").asText()).isEqualTo("0");
    assertThat(ended.at("/tables").has("Silences")).as("nothing is silenced").isFalse();
    assertThat(table(ended, "Alarms").get(1).get(0).asText()).contains("firing");
  }

  private static JsonNode table(JsonNode page, String label) {
    JsonNode table = page.get("tables").get(label);
    assertThat(table).as(label).isNotNull();
    return table;
  }
}
