package org.capacityobservatory.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each test stores rows by hand, of which it is known what agrees and what doesn't. */
class VerificationIT {
  private static final Instant FROM = Instant.parse("2026-11-01T00:00:00Z");
  private static final Instant TO = Instant.parse("2026-12-01T00:00:00Z");
  private static final Instant NOW = Instant.parse("2026-11-30T12:10:00Z");

  @TempDir private static Path directory;
  private static LocalClickHouse server;

  private ClickHouseHttp clickHouse;
  private ClickHouseConfig config;

  @BeforeAll
  static void start() {
    server = LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("clickhouse")));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /**
   * Two calls of one minute: held 100 and 1,000 ms, queueing 5 ms and not told, neither refused.
   * The bucket of 1,000 is 128 + (9 − 7) × 64 + 1000 / 8 − 64 = 317.
   */
  @BeforeEach
  void storeTwoCalls() {
    config =
        new ClickHouseConfig(
            server.url(),
            LocalClickHouse.WRITER,
            server.password(LocalClickHouse.WRITER),
            "v" + UUID.randomUUID().toString().replace("-", ""));
    clickHouse = new ClickHouseHttp(config, Duration.ofSeconds(30));
    Migrations.apply(clickHouse, config);
    // The rows are of a fixed day, whatever day the test runs on.
    for (String table : new String[] {"calls", "pipeline_books"}) {
      clickHouse.execute("ALTER TABLE " + table + " REMOVE TTL");
    }
    clickHouse.execute(
        """
        INSERT INTO calls (event_id, source, generation, position, time_source, ended_at, read_at,
            decision, mode, tier, held_ms, queue_ms)
        VALUES ('00000000-0000-0000-0000-000000000001', 'a.log', 1, 0, 'envelope',
                '2026-11-30 12:00:00.500', '2026-11-30 12:00:01', 'admitted', 'shadow', 'core', 100, 5),
               ('00000000-0000-0000-0000-000000000002', 'a.log', 1, 99, 'envelope',
                '2026-11-30 12:00:59.999', '2026-11-30 12:01:00', 'admitted', 'shadow', 'core', 1000, NULL)
        """);
    clickHouse.execute(
        """
        INSERT INTO decisions_minute (minute, lines_partition, partial, decision, mode, tier, calls, revision)
        VALUES ('2026-11-30 12:00:00', 0, 0, 'admitted', 'shadow', 'core', 1, 1),
               ('2026-11-30 12:00:00', 1, 0, 'admitted', 'shadow', 'core', 1, 1)
        """);
    clickHouse.execute(
        """
        INSERT INTO latency_minute (minute, lines_partition, partial, measure, tier,
            present, missing, sum, bucket, n, revision)
        VALUES ('2026-11-30 12:00:00', 0, 0, 'held_ms', 'core', 1, 0, 100, [100], [1], 1),
               ('2026-11-30 12:00:00', 1, 0, 'held_ms', 'core', 1, 0, 1000, [317], [1], 1),
               ('2026-11-30 12:00:00', 0, 0, 'queue_ms', 'core', 1, 1, 5, [5], [1], 1),
               ('2026-11-30 12:00:00', 0, 0, 'retry_after', 'core', 0, 2, 0, [], [], 1),
               ('2026-11-30 12:00:00', 0, 0, 'suggested', 'core', 0, 2, 0, [], [], 1)
        """);
    clickHouse.execute(
        """
        INSERT INTO lanes_minute (minute, lines_partition, partial, lane, tier, calls, occupancy_ms, revision)
        SELECT '2026-11-30 12:00:00', 0, 0, arrayJoin(['api_heavy', 'api_heavy_task', 'tier', 'user']), 'core', 2, 1100, 1
        """);
    clickHouse.execute(
        """
        INSERT INTO usage_minute (minute, lines_partition, partial, tier, source_class, calls, held, lease_ms, revision)
        VALUES ('2026-11-30 12:00:00', 0, 0, 'core', 'automatch', 1, 1, 100, 1),
               ('2026-11-30 12:00:00', 0, 0, 'core', 'other', 1, 1, 1000, 1)
        """);
    book("2026-11-30 12:01:00", 3, 2, 1);
  }

  private void book(String at, long read, long acknowledged, long notOurs) {
    clickHouse.execute(
        """
        INSERT INTO pipeline_books (source, shipper, written_at, generation, lines_read,
            acknowledged, quarantined, not_ours, pending, at_end, state, kafka_offset)
        VALUES ('a.log', 's', '%s', 1, %d, %d, 0, %d, 0, true, 'live', %d)
        """
            .formatted(at, read, acknowledged, notOurs, read));
  }

  private Verification verify() {
    return Verification.of(
        ClickHouse.queries(config, new Properties()), FROM, TO, NOW, Duration.ofDays(90), 0.8);
  }

  @Test
  void whatAgreesIsSaidToAgree() {
    assertThat(verify()).isEqualTo(new Verification(FROM, TO, 2, 0, 0, 0, List.of()));
  }

  @Test
  void aCallMissingInItsMinuteIsADifference() {
    clickHouse.execute(
        """
        INSERT INTO decisions_minute (minute, lines_partition, partial, decision, mode, tier, calls, revision)
        VALUES ('2026-11-30 12:00:00', 1, 0, 'admitted', 'shadow', 'core', 0, 3)
        """);

    Verification result = verify();

    assertThat(result.differingCells()).isEqualTo(1);
    assertThat(result.differences())
        .containsExactly(
            "decisions_minute 2026-11-30T12:00:00Z decision=admitted mode=shadow enforced=none"
                + " endpoint=none single_row=none tier=core scope=none: 1 stored, 2 recounted");
  }

  @Test
  void aValueInTheWrongBucketIsADifferenceThoughAllSumsAgree() {
    clickHouse.execute(
        """
        INSERT INTO latency_minute (minute, lines_partition, partial, measure, tier,
            present, missing, sum, bucket, n, revision)
        VALUES ('2026-11-30 12:00:00', 1, 0, 'held_ms', 'core', 1, 0, 1000, [316], [1], 3)
        """);

    assertThat(verify().differences())
        .containsExactly(
            "latency_minute 2026-11-30T12:00:00Z measure=held_ms endpoint=none single_row=none"
                + " tier=core: (2,0,1100) stored, (2,0,1100) recounted");
  }

  /**
   * A third call, of 12:02:00.500, that met two full lanes and one nobody knows, 4 of 5 in flight,
   * and held its lanes for 90 s: 29,500 ms in 12:00, 60,000 ms in 12:01 and 500 ms in 12:02.
   */
  @Test
  void everyMinuteThatACallOverlapsIsRecounted() {
    clickHouse.execute(
        """
        INSERT INTO calls (event_id, source, generation, position, time_source, ended_at, read_at,
            decision, mode, tier, held_ms, full, in_flight, limit, error, lease_lost, log_dropped, type_errors)
        VALUES ('00000000-0000-0000-0000-000000000003', 'b.log', 1, 0, 'envelope',
                '2026-11-30 12:02:00.500', '2026-11-30 12:02:01', 'shadow-refused', 'shadow', 'core', 90000,
                ['tier', 'gpu', 'api_heavy'], 4, 5, 'ReadError: x', true, 7, ['rows'])
        """);

    assertThat(verify().differences())
        .contains(
            "lanes_minute 2026-11-30T12:00:00Z lane=user tier=core task=none:"
                + " (2,0,0,0,0,NULL,NULL,NULL,1100) stored, (2,0,0,0,0,NULL,NULL,NULL,30600) recounted",
            "lanes_minute 2026-11-30T12:01:00Z lane=tier tier=core task=none:"
                + " (0,0,0,0,0,NULL,NULL,NULL,0) stored, (0,0,0,0,0,NULL,NULL,NULL,60000) recounted",
            "lanes_minute 2026-11-30T12:02:00Z lane=api_heavy tier=core task=none:"
                + " (0,0,0,0,0,NULL,NULL,NULL,0) stored, (1,1,1,0,1,4,5,5,500) recounted",
            "lanes_minute 2026-11-30T12:02:00Z lane=gpu tier=core task=none:"
                + " (0,0,0,0,0,NULL,NULL,NULL,0) stored, (1,0,1,0,0,NULL,NULL,NULL,0) recounted",
            "usage_minute 2026-11-30T12:02:00Z tier=core: (0,0,0) stored, (1,1,90000) recounted",
            "events_minute 2026-11-30T12:02:00Z kind=full_set value=api_heavy+tier+gpu:"
                + " 0 stored, 1 recounted",
            "events_minute 2026-11-30T12:02:00Z kind=error value=: 0 stored, 1 recounted",
            "events_minute 2026-11-30T12:02:00Z kind=lease_lost value=: 0 stored, 1 recounted",
            "events_minute 2026-11-30T12:02:00Z kind=log_dropped value=: 0 stored, 7 recounted",
            "events_minute 2026-11-30T12:02:00Z kind=type_error value=rows: 0 stored, 1 recounted");
    assertThat(verify().differences()).noneMatch(difference -> difference.contains("lane=es2_knn"));
  }

  @Test
  void aDoubleThatQueriesDontSeeIsCountedAndNoDifference() {
    clickHouse.execute("SYSTEM STOP MERGES calls");
    clickHouse.execute("INSERT INTO calls SELECT * FROM calls LIMIT 1");

    assertThat(verify()).isEqualTo(new Verification(FROM, TO, 2, 1, 0, 0, List.of()));
  }

  @Test
  void oneEventAtTwoTimesIsADifference() {
    clickHouse.execute(
        "INSERT INTO calls SELECT * REPLACE (ended_at + 1 AS ended_at) FROM calls LIMIT 1");

    assertThat(verify().differences())
        .anyMatch(difference -> difference.startsWith("calls: 3 rows and 2 event ids"));
  }

  @Test
  void linesAcknowledgedLongAgoAndNotStoredAreADifferenceAndFreshOnesAreUnderWay() {
    book("2026-11-30 12:09:30", 7, 5, 2);
    assertThat(verify()).isEqualTo(new Verification(FROM, TO, 2, 0, 3, 0, List.of()));

    book("2026-11-30 12:08:30", 6, 4, 2);
    assertThat(verify().differences())
        .containsExactly("a.log: 4 lines were acknowledged over a minute ago and 2 are stored");
  }

  @Test
  void booksThatDontBalanceAreADifference() {
    book("2026-11-30 12:02:00", 9, 2, 2);

    assertThat(verify().differences())
        .containsExactly("books of a.log: 9 lines read and 4 accounted for");
  }
}
