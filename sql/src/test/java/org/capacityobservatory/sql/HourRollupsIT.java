package org.capacityobservatory.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
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

/** Hours that stand in for their minutes must never change an answer. */
class HourRollupsIT {
  private static final long NOON = 1_772_366_400_000L; // 2026-03-01T12:00:00Z
  private static final long HOUR = 3_600_000L;

  @TempDir private static Path directory;
  private static LocalClickHouse server;
  private static ClickHouseHttp clickHouse;
  private static HourRollups hours;
  private static Jdbi queries;

  /** Six hours of minutes by hand-made sums, of two partitions, in two revisions. */
  @BeforeAll
  static void storeMinutes() {
    server = LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("clickhouse")));
    ClickHouseConfig config =
        new ClickHouseConfig(
            server.url(), LocalClickHouse.WRITER, server.password(LocalClickHouse.WRITER), "hours");
    clickHouse = new ClickHouseHttp(config, Duration.ofSeconds(30));
    Migrations.apply(clickHouse, config);
    queries = ClickHouse.queries(config, new Properties());
    hours = new HourRollups(config, SchemaLayout.oneNode(), InstantSource.system());
    for (int revision = 0; revision < 2; revision++) {
      clickHouse.execute(
          """
          INSERT INTO decisions_minute (minute, lines_partition, partial, decision, tier, calls, revision)
          SELECT %1$d + 60 * number, number %% 2, number, if(number %% 3 = 0, 'admitted', 'shadow-refused'),
              if(number %% 7 = 0, NULL, 'core'), number + %2$d, %2$d
          FROM numbers(360)
          """
              .formatted(NOON / 1000, revision));
    }
    clickHouse.execute(
        """
        INSERT INTO latency_minute (minute, lines_partition, partial, measure, tier, present, missing, sum,
            bucket, n, revision)
        SELECT %1$d + 60 * number, number %% 2, number, 'held_ms', 'core', 2, 1, number,
            [toUInt16(number %% 5), 400], [1, 1], 1
        FROM numbers(360)
        """
            .formatted(NOON / 1000));
    clickHouse.execute(
        """
        INSERT INTO lanes_minute (minute, lines_partition, partial, lane, tier, task, calls, measured, full,
            full_alone, near_limit, in_flight_max, limit_min, limit_max, occupancy_ms, revision)
        SELECT %1$d + 60 * number, number %% 2, number, if(number %% 2 = 0, 'tier', 'api_heavy'), 'core',
            if(number %% 5 = 1 AND number < 170, 'a', 'b'), number, 1, 2, 1, 1,
            if(number %% 11 = 0, NULL, number %% 9), number %% 4, number %% 13, 1000, 1
        FROM numbers(360)
        """
            .formatted(NOON / 1000));
    clickHouse.execute(
        """
        INSERT INTO usage_minute (minute, lines_partition, partial, tier, calls, held, lease_ms, revision)
        SELECT %1$d + 60 * number, number %% 2, number, if(number %% 3 = 0, NULL, 'core'), 2, 1, number, 1
        FROM numbers(360)
        """
            .formatted(NOON / 1000));
    clickHouse.execute(
        """
        INSERT INTO events_minute (minute, lines_partition, partial, kind, value, n, revision)
        SELECT %1$d + 60 * number, number %% 2, number, if(number %% 4 = 0, 'lease_lost', 'full_set'),
            if(number %% 4 = 0, '', 'tier'), number, 1
        FROM numbers(360)
        """
            .formatted(NOON / 1000));
    // Hours of a version that knew fewer tables of them: they are not read, and made anew.
    clickHouse.execute(
        "INSERT INTO hours_state (id, built_until, made_of, revision) VALUES (1, '2026-03-01 14:00:00', 0, 1)");
    // Closed at 16:20; lanes 15 minutes before, so four hours are closed.
    clickHouse.execute(
        """
        INSERT INTO minutes_state (lines_partition, complete_until, closed_until, published_at, revision)
        VALUES (0, '2026-03-01 16:40:00', '2026-03-01 16:20:00', now(), 1)
        """);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void anAnswerIsTheSameWithHoursAsWithoutAndAfterLateMinutes() {
    List<Object> before = answers();

    assertThat(hours.build()).isEqualTo(4);
    // The minutes 1, 11, …, 161: 17 of them, 17 × 81 lines.
    assertThat(
            rows("silent-tasks", Map.of("from_ms", NOON, "to_ms", NOON + 6 * HOUR, "silent_s", 60)))
        .containsExactly("a|%d|1377|".formatted(NOON + 161 * 60_000));
    assertThat(stored("decisions_hour", "calls"))
        .isEqualTo("28920"); // 0 + 1 + … + 239, and 240 × 1
    assertThat(answers()).isEqualTo(before);

    // Shown to be read at all: with an hour's rows gone the answers differ.
    clickHouse.execute("DELETE FROM decisions_hour WHERE hour = '2026-03-01 13:00:00'");
    assertThat(answers()).isNotEqualTo(before);
    hours.rebuild(Instant.ofEpochMilli(NOON + HOUR), Instant.ofEpochMilli(NOON + 2 * HOUR));
    assertThat(answers()).isEqualTo(before);

    clickHouse.execute(
        """
        INSERT INTO decisions_minute (minute, lines_partition, partial, decision, tier, calls, revision)
        VALUES ('2026-03-01 12:30:00', 1, 9999, 'admitted', 'core', 5, 1)
        """);
    assertThat(hours.build()).isGreaterThanOrEqualTo(1);
    assertThat(stored("decisions_hour", "calls")).isEqualTo("28925");
  }

  private static String stored(String table, String column) {
    return clickHouse.execute("SELECT sum(%s) FROM %s FINAL".formatted(column, table)).strip();
  }

  /** Periods that begin and end on hours and between them, in steps below, of and above an hour. */
  private static List<Object> answers() {
    List<Object> answers = new ArrayList<>();
    for (long from : new long[] {NOON, NOON + 20 * 60_000}) {
      for (long to : new long[] {NOON + 6 * HOUR, NOON + 3 * HOUR + 60_000, NOON + HOUR + 60_000}) {
        for (int step : new int[] {60, 3_600, 5_400}) {
          Map<String, Object> values = Map.of("from_ms", from, "to_ms", to, "step_s", step);
          answers.add(rows("decisions-by-step", values));
          answers.add(rows("lanes-by-step", values));
          answers.add(rows("latency-by-step", with(values, "measure", "held_ms")));
        }
        Map<String, Object> values =
            Map.of(
                "from_ms", from, "to_ms", to, "top", 5, "group_by", "tier", "measure", "held_ms");
        answers.add(rows("decisions-by-group", values));
        answers.add(rows("latency-by-group", values));
        answers.add(rows("latency-total", values));
        answers.add(rows("usage-by-class", values));
        answers.add(rows("events-by-value", with(values, "kind", "full_set")));
        answers.add(rows("events-by-kind", values).stream().sorted().toList());
        answers.add(rows("silent-tasks", with(values, "silent_s", 60)));
      }
    }
    return answers;
  }

  private static Map<String, Object> with(Map<String, Object> values, String name, Object value) {
    Map<String, Object> more = new HashMap<>(values);
    more.put(name, value);
    return more;
  }

  private static List<String> rows(String query, Map<String, Object> values) {
    return queries.withHandle(
        handle ->
            handle
                .createQuery(NamedQuery.text(query))
                .bindMap(values)
                .map(
                    (row, context) -> {
                      StringBuilder text = new StringBuilder();
                      for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                        text.append(row.getString(i)).append('|');
                      }
                      return text.toString();
                    })
                .list());
  }
}
