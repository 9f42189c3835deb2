package org.capacityobservatory.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The named queries on minutes, on a real engine; every expected number is added up by hand. */
class MinuteQueriesIT {
  private static final long NOON = 1_772_366_400_000L; // 2026-03-01T12:00:00Z

  @TempDir private static Path directory;
  private static LocalClickHouse server;
  private static ClickHouseHttp clickHouse;
  private static Jdbi queries;

  @BeforeAll
  static void start() {
    server = LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("clickhouse")));
    ClickHouseConfig config =
        new ClickHouseConfig(
            server.url(),
            LocalClickHouse.WRITER,
            server.password(LocalClickHouse.WRITER),
            "minutes");
    clickHouse = new ClickHouseHttp(config, Duration.ofSeconds(30));
    Migrations.apply(clickHouse, config);
    queries = ClickHouse.queries(config, new Properties());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void lanesAreSummedOverPartialsOfTheirNewestRevision() {
    clickHouse.execute(
        """
        INSERT INTO lanes_minute (minute, lines_partition, partial, lane, tier, task, calls, measured,
            full, full_alone, near_limit, in_flight_max, limit_min, limit_max, occupancy_ms, revision)
        VALUES
            (1772366400, 0, 0, 'tier', 'core', 'a', 1, 1, 0, 0, 0, 1, 4, 4, 100, 0),
            (1772366400, 0, 0, 'tier', 'core', 'a', 3, 3, 1, 1, 2, 5, 3, 4, 6000, 8),
            (1772366400, 1, 7, 'tier', 'core', 'a', 2, 1, 1, 0, 1, NULL, NULL, NULL, 9000, 14),
            (1772366460, 0, 9, 'tier', NULL, 'b', 1, 0, 0, 0, 0, NULL, NULL, NULL, 0, 18)
        """);

    List<Map<String, Object>> steps =
        rows("lanes-by-step", Map.of("from_ms", NOON, "to_ms", NOON + 60_000, "step_s", 60));

    assertThat(steps).hasSize(1);
    assertThat(texts(steps.get(0)))
        .containsEntry("lane_text", "tier")
        .containsEntry("passed", "5")
        .containsEntry("with_numbers", "4")
        .containsEntry("found_full", "2")
        .containsEntry("found_full_alone", "1")
        .containsEntry("found_near", "3")
        .containsEntry("most_in_flight", "5")
        .containsEntry("least_limit", "3")
        .containsEntry("greatest_limit", "4")
        .containsEntry("in_flight_mean", "0.25");
    assertThat(
            rows(
                "silent-tasks", Map.of("from_ms", NOON, "to_ms", NOON + 3_600_000, "silent_s", 30)))
        .as("no lane api_heavy, no word")
        .isEmpty();
  }

  @Test
  void aTaskThatWroteLinesAndNoneSinceIsSilent() {
    clickHouse.execute(
        """
        INSERT INTO lanes_minute (minute, lines_partition, partial, lane, tier, task, calls, revision)
        VALUES
            (1772452800, 0, 100, 'api_heavy', 'core', 'silent', 3, 0),
            (1772452800, 0, 100, 'api_heavy', 'core', 'live', 3, 0),
            (1772453400, 0, 200, 'api_heavy', 'core', 'live', 3, 0)
        """);

    List<Map<String, Object>> silent =
        rows(
            "silent-tasks",
            Map.of("from_ms", 1_772_452_800_000L, "to_ms", 1_772_456_400_000L, "silent_s", 300));

    assertThat(silent).hasSize(1);
    assertThat(texts(silent.get(0)))
        .containsEntry("task_text", "silent")
        .containsEntry("last_minute_ms", "1772452800000");
  }

  @Test
  void usageCountsCallsOfUnknownTimeApart() {
    clickHouse.execute(
        """
        INSERT INTO usage_minute (minute, lines_partition, partial, tier, algorithm_class,
            source_class, calls, held, lease_ms, revision)
        VALUES
            (1772366400, 0, 0, 'core', NULL, 'automatch', 4, 3, 4500, 0),
            (1772366400, 1, 0, 'core', NULL, 'automatch', 2, 2, 1500, 0)
        """);

    List<Map<String, Object>> usage =
        rows("usage-by-class", Map.of("from_ms", NOON, "to_ms", NOON + 60_000));

    assertThat(usage).hasSize(1);
    assertThat(texts(usage.get(0)))
        .containsEntry("tier_text", "core")
        .containsEntry("algorithm_text", "null")
        .containsEntry("all_calls", "6")
        .containsEntry("of_unknown_time", "1")
        .containsEntry("lease_seconds", "6.0");
    clickHouse.execute(
        """
        INSERT INTO calls (event_id, ended_at, read_at, automatch_run_id, held_ms)
        VALUES (generateUUIDv4(), 1772366400500, now(), 'r1', 1500),
               (generateUUIDv4(), 1772366400501, now(), 'r1', NULL),
               (generateUUIDv4(), 1772366400502, now(), NULL, 9000)
        """);
    assertThat(
            texts(
                rows(
                        "usage-by-run",
                        Map.of("from_ms", NOON, "to_ms", NOON + 60_000, "row_limit", 10))
                    .get(0)))
        .containsEntry("run", "r1")
        .containsEntry("of_unknown_time", "1")
        .containsEntry("lease_seconds", "1.5");
  }

  @Test
  void gapsInConfigVersionsAreNamed() {
    clickHouse.execute(
        """
        INSERT INTO config_changes (event_id, changed_at, read_at, version)
        VALUES (generateUUIDv4(), 1000, now(), 1), (generateUUIDv4(), 2000, now(), 2),
               (generateUUIDv4(), 3000, now(), 5), (generateUUIDv4(), 4000, now(), 7),
               (generateUUIDv4(), 4001, now(), 7)
        """);

    assertThat(rows("config-version-gaps", Map.of()).stream().map(MinuteQueriesIT::texts))
        .extracting(row -> row.get("first_missing") + "-" + row.get("last_missing"))
        .containsExactly("3-4", "6-6");
  }

  @Test
  void minutesAreCompleteWhenEveryPartitionSaysSo() {
    clickHouse.execute(
        """
        INSERT INTO minutes_state (lines_partition, complete_until, occupancy_complete_until,
            closed_until, sources, idle_sources, future_times, late_lines, published_at, revision)
        VALUES (0, 120000, 60000, 0, 2, 1, 1, 3, 1, 1), (0, 240000, 180000, 60000, 2, 1, 1, 4, 2, 2),
               (1, 180000, 120000, 0, 1, 0, 0, 0, 2, 9)
        """);
    clickHouse.execute(
        """
        INSERT INTO events_minute (minute, lines_partition, partial, kind, value, n, revision)
        VALUES (1772366400, 0, 0, 'full_set', 'tier', 2, 4), (1772366400, 0, 1, 'full_set', 'tier', 1, 2),
               (1772366400, 0, 0, 'full_set', 'api_heavy+tier', 5, 4), (1772366400, 0, 0, 'error', 'x', 9, 4)
        """);

    assertThat(texts(rows("minutes-complete", Map.of()).get(0)))
        .containsEntry("complete_ms", "180000")
        .containsEntry("occupancy_complete_ms", "120000")
        .containsEntry("late", "4");
    assertThat(
            rows(
                    "events-by-value",
                    Map.of("from_ms", NOON, "to_ms", NOON + 60_000, "kind", "full_set"))
                .stream()
                .map(MinuteQueriesIT::texts))
        .extracting(row -> row.get("value_text") + " " + row.get("times"))
        .containsExactly("api_heavy+tier 5", "tier 3");
  }

  private static List<Map<String, Object>> rows(String query, Map<String, ?> values) {
    return queries.withHandle(
        handle -> handle.createQuery(NamedQuery.text(query)).bindMap(values).mapToMap().list());
  }

  private static Map<String, String> texts(Map<String, Object> row) {
    return row.entrySet().stream()
        .collect(
            java.util.stream.Collectors.toMap(
                Map.Entry::getKey, entry -> String.valueOf(entry.getValue())));
  }
}
