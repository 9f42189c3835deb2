package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.kafka.streams.test.TestRecord;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.metrics.MetricsConfig;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.capacityobservatory.sql.Migrations;
import org.capacityobservatory.sql.Retention;
import org.capacityobservatory.sql.SchemaLayout;
import org.capacityobservatory.sql.Verification;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Minutes made anew on a real engine, from the rows of real lines. */
class RecomputeIT {
  private static final Instant NOW = Instant.parse("2026-11-30T14:00:00Z");
  private static final Instant FROM = Instant.parse("2026-11-30T03:00:00Z");
  private static final Instant TO = Instant.parse("2026-11-30T13:00:00Z");

  @TempDir private static Path directory;
  private static LocalClickHouse server;
  private static ClickHouseConfig config;
  private static ClickHouseHttp clickHouse;

  @BeforeAll
  static void storeRowsWithoutMinutes() {
    server = LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("clickhouse")));
    config =
        new ClickHouseConfig(
            server.url(),
            LocalClickHouse.WRITER,
            server.password(LocalClickHouse.WRITER),
            "recompute");
    clickHouse = new ClickHouseHttp(config, Duration.ofSeconds(60));
    Migrations.apply(clickHouse, config);
    // The rows are of a fixed day, whatever day the test runs on.
    clickHouse.execute("ALTER TABLE calls REMOVE TTL");
    MetricsConfig metrics = MetricsConfig.DEFAULT;
    try (TestingJob job = new TestingJob(directory.resolve("state"), metrics, NOW.toEpochMilli())) {
      for (TestRecord<byte[], byte[]> line : TestingLines.ofSample("events")) {
        job.line(line);
      }
      store("calls", job.rows(Topics.CALLS));
      store("config_changes", job.rows(Topics.CONFIG_CHANGES));
    }
    clickHouse.execute(
        """
        INSERT INTO minutes_state (lines_partition, complete_until, closed_until, published_at, revision)
        VALUES (0, '2026-11-30 13:30:00', '2026-11-30 13:15:00', '2026-11-30 13:31:00', 1),
               (1, '2026-11-30 13:40:00', '2026-11-30 13:25:00', '2026-11-30 13:41:00', 1)
        """);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void store(String table, List<JsonNode> rows) {
    String json = rows.stream().map(JsonNode::toString).collect(Collectors.joining("\n"));
    clickHouse.insertBlock(table, List.of(json.getBytes(UTF_8)), rows.size(), table);
  }

  /** 1,079 calls: 433 admitted, 609 shadow-refused, 37 unavailable, as samples/README.md says. */
  @Test
  void lostAndWrongMinutesAreMadeAnewAndAgreeWithTheRows() {
    clickHouse.execute(
        """
        INSERT INTO decisions_minute (minute, lines_partition, partial, decision, calls, revision)
        VALUES ('2026-11-30 10:00:00', 0, 7, 'admitted', 999, 9)
        """);
    assertThat(verify().differingCells()).isGreaterThan(100);

    for (int time = 1; time <= 2; time++) {
      recompute(FROM, TO);

      assertThat(verify().differences()).isEmpty();
      assertThat(
              clickHouse.execute(
                  "SELECT decision, sum(calls) FROM decisions_minute FINAL GROUP BY decision"
                      + " ORDER BY decision"))
          .isEqualTo("admitted\t433\nshadow-refused\t609\nunavailable\t37\n");
    }
  }

  @Test
  void minutesThatTheJobMayStillHoldAreRefused() {
    assertThatThrownBy(() -> recompute(FROM, TO.plusSeconds(60)))
        .isInstanceOf(RecomputeException.class)
        .hasMessageContaining("Minutes from 2026-11-30T13:00:00Z on may still be open");
  }

  /** Of 90 days of retention one is left as a margin: rows from 2 September 14:00 on are there. */
  @Test
  void minutesWhoseRowsMayBeGoneAreRefused() {
    assertThatThrownBy(() -> recompute(Instant.parse("2026-09-02T13:59:00Z"), TO))
        .isInstanceOf(RecomputeException.class)
        .hasMessageContaining("Rows from before 2026-09-02T14:01:00Z may have been removed");
  }

  private static void recompute(Instant from, Instant to) {
    new Recompute(
            config,
            SchemaLayout.oneNode(),
            Retention.USUAL,
            MetricsConfig.DEFAULT,
            InstantSource.fixed(NOW))
        .run(from, to, done -> {});
  }

  private static Verification verify() {
    return Verification.of(
        ClickHouse.queries(config, new Properties()), FROM, TO, NOW, Duration.ofDays(90), 0.8);
  }
}
