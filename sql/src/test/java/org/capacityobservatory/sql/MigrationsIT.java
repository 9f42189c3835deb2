package org.capacityobservatory.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Migrations and blocks on a real engine; each test has a database of its own. */
class MigrationsIT {
  @TempDir private static Path directory;
  private static LocalClickHouse server;

  @BeforeAll
  static void start() {
    server = LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("clickhouse")));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void theListNamesEveryFileInItsOrder() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("migrations"))) {
      assertThat(files.map(f -> f.getFileName().toString()).sorted())
          .containsExactlyElementsOf(Migrations.FILES);
    }
    // Numbers may be left out: what is merged later may have been given earlier ones.
    assertThat(Migrations.FILES.stream().map(Migrations::versionOf)).doesNotHaveDuplicates();
  }

  @Test
  void areAppliedOnceAndMayBeAskedForAgain() {
    ClickHouseConfig config = config("twice");
    ClickHouseHttp clickHouse = new ClickHouseHttp(config, Duration.ofSeconds(30));
    Migrations.apply(clickHouse, config);
    clickHouse.insertBlock(
        "config_changes", List.of(change("2026-03-01", 1_772_359_200_604L)), 1, "t");

    Migrations.apply(clickHouse, config);

    assertThat(clickHouse.execute("SELECT count() FROM schema_migrations"))
        .isEqualToIgnoringWhitespace(Integer.toString(Migrations.FILES.size()));
    assertThat(clickHouse.execute("SELECT count() FROM config_changes")).startsWith("1");
  }

  /** A process may die between a statement and the row that says it was applied. */
  @Test
  void mayEachBeRepeated() {
    ClickHouseConfig config = config("repeated");
    ClickHouseHttp clickHouse = new ClickHouseHttp(config, Duration.ofSeconds(30));
    Migrations.apply(clickHouse, config);
    clickHouse.execute("TRUNCATE TABLE schema_migrations");

    Migrations.apply(clickHouse, config);

    assertThat(
            clickHouse.execute(
                "SELECT sorting_key FROM system.tables WHERE database = 'repeated'"
                    + " AND name = 'decisions_minute'"))
        .isEqualToIgnoringWhitespace(
            "minute, decision, mode, endpoint, single_row, tier, scope, lines_partition, partial,"
                + " enforced, source_class");
  }

  @Test
  void aRawQueueDelayIsReadAsARange() {
    ClickHouseConfig config = config("range");
    ClickHouseHttp clickHouse = new ClickHouseHttp(config, Duration.ofSeconds(30));
    Migrations.apply(clickHouse, config);
    clickHouse.execute(
        "INSERT INTO calls (event_id, ended_at, read_at, queue_ms) VALUES"
            + " (generateUUIDv4(), 1000, now(), 1500), (generateUUIDv4(), 2000, now(), 120),"
            + " (generateUUIDv4(), 3000, now(), NULL)");

    assertThat(
            clickHouse.execute(
                "SELECT queue_ms_corrected FROM calls ORDER BY ended_at FORMAT TabSeparated"))
        .isEqualTo("(501,1500)\n(0,120)\n(NULL,NULL)\n");
  }

  @Test
  void refuseADatabaseFromANewerVersion() {
    ClickHouseConfig config = config("newer");
    ClickHouseHttp clickHouse = new ClickHouseHttp(config, Duration.ofSeconds(30));
    Migrations.apply(clickHouse, config);
    clickHouse.execute(
        "INSERT INTO schema_migrations (version, name, checksum) VALUES (99, 'x', 'y')");

    assertThatThrownBy(() -> Migrations.apply(clickHouse, config))
        .isInstanceOf(ClickHouseException.class)
        .hasMessageContaining("schema version 99")
        .hasMessageContaining("use a newer program");
  }

  @Test
  void refuseAMigrationThatChangedSinceItWasApplied() {
    ClickHouseConfig config = config("changed");
    ClickHouseHttp clickHouse = new ClickHouseHttp(config, Duration.ofSeconds(30));
    Migrations.apply(clickHouse, config);
    clickHouse.execute(
        "INSERT INTO schema_migrations (version, name, checksum, applied_at)"
            + " VALUES (2, '0002-config-changes.sql', 'other', now64(3) + 60)");

    assertThatThrownBy(() -> Migrations.apply(clickHouse, config))
        .hasMessageContaining("0002-config-changes.sql has changed since it was applied");
  }

  @Test
  void aBlockKeepsMillisecondsAndNullsAndIsStoredOncePerToken() {
    ClickHouseConfig config = config("blocks");
    ClickHouseHttp clickHouse = new ClickHouseHttp(config, Duration.ofSeconds(30));
    Migrations.apply(clickHouse, config);
    List<byte[]> rows = List.of(change("a", 1_772_359_200_604L), change("b", 1_772_359_200_000L));

    clickHouse.insertBlock("config_changes", rows, 2, "token");
    clickHouse.insertBlock("config_changes", rows, 2, "token");

    assertThat(
            clickHouse.execute(
                "SELECT note, toUnixTimestamp64Milli(changed_at), version IS NULL, toString(changed_at)"
                    + " FROM config_changes ORDER BY note FORMAT TabSeparated"))
        .isEqualTo(
            """
            a\t1772359200604\t1\t2026-03-01 10:00:00.604
            b\t1772359200000\t1\t2026-03-01 10:00:00.000
            """);
  }

  @Test
  void aBlockWithAnUnknownColumnIsRefusedWithTheCode() {
    ClickHouseConfig config = config("refused");
    ClickHouseHttp clickHouse = new ClickHouseHttp(config, Duration.ofSeconds(30));
    Migrations.apply(clickHouse, config);

    assertThatThrownBy(
            () ->
                clickHouse.insertBlock(
                    "config_changes", List.of("{\"colour\":1}\n".getBytes(UTF_8)), 1, "t"))
        .isInstanceOfSatisfying(
            ClickHouseException.class, e -> assertThat(e.code()).isEqualTo(117));
  }

  private static byte[] change(String note, long atMillis) {
    return ("{\"event_id\":\"00000000-0000-0000-0000-%012d\",\"source\":\"s\",\"generation\":1,"
            + "\"position\":0,\"time_source\":\"envelope\",\"changed_at\":%d,\"read_at\":%d,"
            + "\"note\":\"%s\",\"changes\":\"{}\",\"null_keys\":[],\"unknown\":\"\","
            + "\"kafka_topic\":\"t\",\"kafka_partition\":0,\"kafka_offset\":0}\n")
        .formatted(atMillis % 1000, atMillis, atMillis, note)
        .getBytes(UTF_8);
  }

  private static ClickHouseConfig config(String database) {
    return new ClickHouseConfig(
        server.url(), LocalClickHouse.WRITER, server.password(LocalClickHouse.WRITER), database);
  }
}
