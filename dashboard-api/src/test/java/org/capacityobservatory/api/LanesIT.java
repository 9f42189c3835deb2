package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Lanes and losses against numbers worked out by hand, over two minutes. */
// NullAway.Init: filled before all tests. TimeInStaticInitializer: the run's own day is meant.
@SuppressWarnings({"NullAway.Init", "TimeInStaticInitializer"})
class LanesIT {
  private static final ApiDescription DESCRIPTION = ApiDescription.read();
  private static final Instant M0 =
      Instant.now().truncatedTo(ChronoUnit.DAYS).minus(14, ChronoUnit.HOURS);
  private static final Instant M1 = M0.plusSeconds(60);
  private static final Instant NOW = M0.plusSeconds(600);
  private static TestingClient api;

  @BeforeAll
  static void start() {
    TestingDatabase database = TestingDatabase.create();
    database.insert(
        "decisions_minute",
        List.of(
            database.decisions(M0, 0, 2, "admitted", 6),
            database.decisions(M1, 0, 2, "unavailable", 1)));
    database.insert(
        "lanes_minute",
        List.of(
            database.lane(
                M0,
                "api_heavy",
                "tier",
                "core",
                "task",
                "a",
                "calls",
                4,
                "measured",
                4,
                "full",
                1,
                "full_alone",
                1,
                "near_limit",
                2,
                "in_flight_max",
                3,
                "limit_min",
                3,
                "limit_max",
                4,
                "occupancy_ms",
                90_000),
            database.lane(
                M0,
                "api_heavy",
                "tier",
                "preview",
                "task",
                "b",
                "calls",
                2,
                "measured",
                2,
                "full",
                1,
                "near_limit",
                1,
                "in_flight_max",
                5,
                "limit_min",
                3,
                "limit_max",
                3,
                "occupancy_ms",
                30_000),
            database.lane(
                M1,
                "api_heavy",
                "tier",
                "core",
                "task",
                "a",
                "calls",
                1,
                "measured",
                1,
                "in_flight_max",
                1,
                "limit_min",
                4,
                "limit_max",
                4,
                "occupancy_ms",
                60_000),
            database.lane(
                M0,
                "tier",
                "tier",
                "core",
                "task",
                "a",
                "calls",
                4,
                "measured",
                4,
                "in_flight_max",
                2,
                "limit_min",
                4,
                "limit_max",
                4,
                "occupancy_ms",
                90_000)));
    database.insert(
        "events_minute",
        List.of(
            database.event(M0, "full_set", "api_heavy+tier", 5),
            database.event(M0, "full_set", "api_heavy", 4),
            database.event(M1, "lease_lost", "", 2),
            database.event(M1, "log_dropped", "", 7)));
    database.insert(
        "minutes_state",
        List.of(
            database.state(
                0, M0.plusSeconds(120), "occupancy_complete_until", TestingDatabase.text(M1))));
    database.insert("calls", List.of(database.call(M0, "admitted")));
    database.insert("pipeline_books", List.of(database.books("file:a", NOW, 1)));
    database.insert(
        "config_changes",
        List.of(database.configChange(M0, "version", 1), database.configChange(M1, "version", 4)));
    database.insert("dead_letters", List.of(database.deadLetter("ship", "too_long", M0)));
    api = TestingClient.start(database.reader(), NOW);
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static JsonNode answer(String path, String query) {
    JsonNode answer = api.json(path + query);
    assertThat(DESCRIPTION.differences(path, answer)).as(path + query).isEmpty();
    return answer;
  }

  private static JsonNode json(String text) {
    return TestingClient.parse(text.replace('\'', '"'));
  }

  @Test
  void occupancyIsHeldAgainstTheLimit() {
    JsonNode answer = answer("/api/v1/lanes", "?lane=api_heavy");

    assertThat(answer.get("complete")).isEqualTo(json("[true,false]"));
    assertThat(answer.get("complete_until").asText()).isEqualTo(M0.plusSeconds(120).toString());
    assertThat(answer.get("occupancy_complete_until").asText()).isEqualTo(M1.toString());
    JsonNode lane = answer.get("lanes").get(0);
    assertThat(lane.get("calls").asLong()).isEqualTo(7);
    assertThat(lane.get("full").asLong()).isEqualTo(2);
    assertThat(lane.get("full_share").asDouble()).isEqualTo(2 / 7.0);
    assertThat(lane.get("full_alone").asLong()).isEqualTo(1);
    assertThat(lane.get("full_together").asLong()).isEqualTo(1);
    assertThat(lane.get("near_limit").asLong()).isEqualTo(3);
    assertThat(lane.get("in_flight_mean").asDouble()).isEqualTo(1.5);
    assertThat(lane.get("in_flight_max").asLong()).isEqualTo(5);
    assertThat(lane.get("limit_min").asLong()).isEqualTo(3);
    assertThat(lane.get("limit_max").asLong()).isEqualTo(4);
    assertThat(lane.get("occupancy_share").asDouble()).isEqualTo(1.5 / 4);
    JsonNode series = lane.get("series");
    assertThat(series.get("in_flight_mean")).isEqualTo(json("[2.0,1.0]"));
    assertThat(series.get("full")).isEqualTo(json("[2,0]"));
    assertThat(series.get("in_flight_max")).isEqualTo(json("[5,1]"));
  }

  @Test
  void outsideTheDataIsNull() {
    JsonNode answer =
        answer(
            "/api/v1/lanes",
            "?lane=api_heavy&from=" + M0.minusSeconds(60) + "&to=" + M0.plusSeconds(240));

    JsonNode series = answer.get("lanes").get(0).get("series");
    assertThat(series.get("calls")).isEqualTo(json("[null,6,1,null,null]"));
    assertThat(series.get("in_flight_mean")).isEqualTo(json("[null,2.0,1.0,null,null]"));
    assertThat(answer.get("lanes").get(0).get("in_flight_mean").asDouble()).isEqualTo(1.5);
  }

  @Test
  void lanesAreGroupedAndFiltered() {
    JsonNode lanes = answer("/api/v1/lanes", "?group_by=tier").get("lanes");

    assertThat(lanes).hasSize(3);
    assertThat(lanes.get(0).get("value").asText()).isEqualTo("core");
    assertThat(lanes.get(0).get("calls").asLong()).isEqualTo(5);
    assertThat(lanes.get(0).get("occupancy_share").isNull()).as("part of a lane").isTrue();
    assertThat(lanes.get(1).get("value").asText()).isEqualTo("preview");
    assertThat(lanes.get(2).get("lane").asText()).isEqualTo("tier");
    assertThat(lanes.get(2).get("occupancy_share").asDouble()).isEqualTo(90 / 120.0 / 4);
    assertThat(answer("/api/v1/lanes", "?task=b").get("lanes")).hasSize(1);
    assertThat(answer("/api/v1/lanes", "?tier=none").get("lanes")).isEmpty();
  }

  @Test
  void theWeekHasAFullHour() {
    JsonNode cells = answer("/api/v1/lanes/heatmap", "").get("cells");

    assertThat(cells).hasSize(168);
    int weekday = M0.atZone(ZoneOffset.UTC).getDayOfWeek().getValue();
    JsonNode cell = cells.get((weekday - 1) * 24 + 10);
    assertThat(cell)
        .isEqualTo(
            json(
                ("{'weekday':%d,'hour':10,'calls':7,'full':2,'full_share':%s,'minutes':2,"
                        + "'minutes_full':1,'in_flight_mean':1.5,'in_flight_max':5,'limit_max':4}")
                    .formatted(weekday, Double.toString(2 / 7.0))));
    assertThat(cells.get((weekday - 1) * 24 + 11).get("calls").isNull()).isTrue();
  }

  @Test
  void lanesBindAloneAndTogether() {
    JsonNode answer = answer("/api/v1/lanes/binding", "");

    assertThat(answer.get("full").asLong()).isEqualTo(9);
    assertThat(answer.get("sets").get(0).get("lanes")).isEqualTo(json("['api_heavy','tier']"));
    assertThat(answer.get("lanes"))
        .isEqualTo(
            json(
                "[{'lane':'api_heavy','full':9,'alone':4,'together':5},"
                    + "{'lane':'tier','full':5,'alone':0,'together':5}]"));
  }

  @Test
  void everyKnownLossIsTold() {
    JsonNode answer = answer("/api/v1/quality", "");

    assertThat(answer.get("sound").asBoolean()).isFalse();
    assertThat(answer.get("losses").findValuesAsText("kind"))
        .containsExactly(
            "dropped_at_source", "unavailable", "lease_lost", "config_version_gap", "dead_letter");
    assertThat(answer.get("losses").findValuesAsText("count"))
        .containsExactly("7", "1", "2", "2", "1");
    assertThat(answer.get("version_gaps").get(0).get("first_missing").asLong()).isEqualTo(2);
    JsonNode dead = answer.get("dead_letters").get(0);
    assertThat(api.json(dead.get("rows").asText()).get("dead_letters")).hasSize(1);
    assertThat(answer.get("stages").findValuesAsText("stage"))
        .containsExactly("ship", "streams", "store");
    assertThat(answer.get("recount").isNull()).as("none was made").isTrue();
    assertThat(answer("/api/v1/dead-letters", "?reason=other").get("dead_letters")).isEmpty();
    assertThat(api.get("/api/v1/dead-letters").body()).doesNotContain("\"raw\"");
  }

  @Test
  void theNewestRecountIsTold() {
    TestingDatabase database = TestingDatabase.create();
    database.insert(
        "verifications",
        List.of(
            recount(NOW.minusSeconds(700), List.of()),
            recount(NOW.minusSeconds(100), List.of("a: 1 stored, 2 recounted", "b differs"))));

    try (TestingClient client = TestingClient.start(database.reader(), NOW)) {
      JsonNode told = client.json("/api/v1/quality").get("recount");

      assertThat(told.get("at").asText()).isEqualTo(NOW.minusSeconds(100).toString());
      assertThat(told.get("agrees").asBoolean()).isFalse();
      assertThat(told.get("calls").asLong()).isEqualTo(12);
      assertThat(told.get("differences"))
          .isEqualTo(json("['a: 1 stored, 2 recounted','b differs']"));
    }
  }

  private static Map<String, @Nullable Object> recount(Instant at, List<String> differences) {
    return Map.of(
        "verified_at", at.toEpochMilli(),
        "period_start", at.minusSeconds(3_600).getEpochSecond(),
        "period_end", at.getEpochSecond(),
        "calls", 12,
        "differences", differences);
  }
}
