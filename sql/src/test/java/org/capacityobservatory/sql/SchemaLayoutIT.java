package org.capacityobservatory.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine itself parses the statements of both layouts; it has no cluster to run them on. */
class SchemaLayoutIT {
  private static final String TABLE =
      """
      -- What it is for.
      CREATE TABLE things
      (
          minute   DateTime('UTC') COMMENT 'Its start; (inclusive)',
          name     Nullable(String),
          revision UInt64
      )
      ENGINE = ReplacingMergeTree(revision)
      PARTITION BY toYYYYMM(minute)
      ORDER BY (minute, name)
      SETTINGS non_replicated_deduplication_window = 10000, allow_nullable_key = 1
      COMMENT 'Things. Read with FINAL.';
      """;

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
  void aClusterHasReplicatedTablesAndOneOverThem() {
    assertThat(SchemaLayout.cluster("main").statements(TABLE, "capacity"))
        .containsExactly(
            """
            CREATE TABLE IF NOT EXISTS things_local ON CLUSTER 'main'
            (
                minute   DateTime('UTC') COMMENT 'Its start; (inclusive)',
                name     Nullable(String),
                revision UInt64
            )
            ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/capacity/things_local', '{replica}', revision)
            PARTITION BY toYYYYMM(minute)
            ORDER BY (minute, name)
            SETTINGS replicated_deduplication_window = 10000, allow_nullable_key = 1
            COMMENT 'Things. Read with FINAL.'\
            """,
            """
            CREATE TABLE IF NOT EXISTS things ON CLUSTER 'main' AS things_local
            ENGINE = Distributed('main', 'capacity', 'things_local', cityHash64(toString(tuple(minute, name))))
            COMMENT 'Things. Read with FINAL.'\
            """);
  }

  @Test
  void aChangeOfKeysConcernsOnlyTheTablesThatHaveThem() {
    String change =
        """
        -- More.
        ALTER TABLE things
            ADD COLUMN IF NOT EXISTS colour Nullable(String) COMMENT 'Red, green' AFTER name,
            MODIFY ORDER BY (minute, name, colour);
        """;

    assertThat(SchemaLayout.cluster("main").statements(change, "capacity"))
        .containsExactly(
            """
            ALTER TABLE things_local ON CLUSTER 'main'
                ADD COLUMN IF NOT EXISTS colour Nullable(String) COMMENT 'Red, green' AFTER name,
                MODIFY ORDER BY (minute, name, colour)\
            """,
            """
            ALTER TABLE things ON CLUSTER 'main'
                ADD COLUMN IF NOT EXISTS colour Nullable(String) COMMENT 'Red, green' AFTER name\
            """);
  }

  @Test
  void theEngineParsesEveryStatementOfBothLayouts() {
    for (SchemaLayout layout :
        List.of(SchemaLayout.oneNode(), SchemaLayout.cluster("capacity-cluster"))) {
      for (String statement : Migrations.statements("capacity", layout)) {
        String formatted =
            http("default")
                .execute(
                    "SELECT formatQuery('%s')"
                        .formatted(statement.replace("\\", "\\\\").replace("'", "\\'")));
        assertThat(formatted).as(statement).matches("(?s)(CREATE|ALTER) .*");
        assertThat(formatted.contains("ON CLUSTER"))
            .as(statement)
            .isEqualTo(layout.onCluster().contains("ON CLUSTER"));
      }
    }
    // The check can fail.
    assertThatThrownBy(() -> http("default").execute("SELECT formatQuery('CREATE TABLE x (')"))
        .isInstanceOf(ClickHouseException.class);
  }

  /** The shard of a row with NULLs in its key is a number like any other. */
  @Test
  void aViewerSeesEverythingButPersonalData() {
    assertThat(SchemaLayout.oneNode().viewerRole("capacity"))
        .containsExactly(
            "CREATE ROLE IF NOT EXISTS capacity_viewer",
            "GRANT SELECT ON capacity.* TO capacity_viewer",
            "REVOKE SELECT(user_id, unknown) ON capacity.calls FROM capacity_viewer",
            "REVOKE SELECT(changed_by, note, unknown) ON capacity.config_changes FROM capacity_viewer",
            "REVOKE SELECT(raw_base64) ON capacity.dead_letters FROM capacity_viewer");
    assertThat(SchemaLayout.cluster("main").viewerRole("capacity"))
        .contains(
            "REVOKE ON CLUSTER 'main' SELECT(user_id, unknown) ON capacity.calls_local FROM capacity_viewer")
        .allSatisfy(
            statement ->
                assertThat(
                        http("default")
                            .execute(
                                "SELECT formatQuery('%s')"
                                    .formatted(statement.replace("'", "\\'"))))
                    .contains("capacity_viewer"));
  }

  @Test
  void theShardingKeyTakesNulls() {
    assertThat(
            http("default")
                .execute(
                    "SELECT toTypeName(cityHash64(toString(tuple(NULL, 'a', toDateTime(0)))))"))
        .isEqualToIgnoringWhitespace("UInt64");
  }

  @Test
  void retentionIsChangedOnlyWhereItDiffers() throws InterruptedException {
    ClickHouseHttp clickHouse = http("kept");
    Migrations.apply(clickHouse, config("kept"), SchemaLayout.oneNode(), new Retention(30, 365));
    assertThat(ttl(clickHouse, "calls")).isEqualTo("toDateTime(read_at) + toIntervalDay(30)");
    assertThat(ttl(clickHouse, "decisions_minute")).isEqualTo("stored_at + toIntervalDay(365)");
    long changed = changes(clickHouse);
    // The time of a change is told in seconds.
    Thread.sleep(1_100);

    Migrations.apply(clickHouse, config("kept"), SchemaLayout.oneNode(), new Retention(30, 365));
    assertThat(changes(clickHouse)).isEqualTo(changed);

    Migrations.apply(clickHouse, config("kept"));
    assertThat(ttl(clickHouse, "calls")).isEqualTo("toDateTime(read_at) + toIntervalDay(90)");
    assertThat(ttl(clickHouse, "decisions_minute")).isEqualTo("stored_at + toIntervalDay(730)");
  }

  private static String ttl(ClickHouseHttp clickHouse, String table) {
    return clickHouse
        .execute(
            "SELECT extract(engine_full, 'TTL (.*?) SETTINGS') FROM system.tables"
                + " WHERE database = currentDatabase() AND name = '"
                + table
                + "'")
        .strip();
  }

  private static long changes(ClickHouseHttp clickHouse) {
    return Long.parseLong(
        clickHouse
            .execute(
                "SELECT toUnixTimestamp(max(metadata_modification_time)) FROM system.tables"
                    + " WHERE database = currentDatabase()")
            .strip());
  }

  private static ClickHouseConfig config(String database) {
    return new ClickHouseConfig(
        server.url(), LocalClickHouse.WRITER, server.password(LocalClickHouse.WRITER), database);
  }

  private static ClickHouseHttp http(String database) {
    return new ClickHouseHttp(config(database), Duration.ofSeconds(30));
  }
}
