package org.capacityobservatory.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is sent as Native means what ClickHouse itself makes of the same JSON: that is the oracle.
 */
class NativeRowsIT {
  private static final String COLUMNS =
      """
      (
          id UInt32, byte UInt8, short UInt16, big UInt64, word String, id128 UUID, yes Bool,
          at DateTime('UTC'), at_ms DateTime64(3, 'UTC'), kind LowCardinality(String),
          maybe_kind LowCardinality(Nullable(String)), maybe_word Nullable(String),
          maybe_number Nullable(UInt32), maybe_big Nullable(UInt64), maybe_yes Nullable(Bool),
          maybe_at Nullable(DateTime64(3, 'UTC')), kinds Array(LowCardinality(String)),
          words Array(String), shorts Array(UInt16), bigs Array(UInt64),
          doubled UInt32 ALIAS id * 2, stored UInt8 DEFAULT 7
      )
      ENGINE = MergeTree ORDER BY id SETTINGS non_replicated_deduplication_window = 100
      """;

  private static final List<String> ROWS =
      List.of(
          "{\"id\":1}",
          """
          {"id":2,"byte":255,"short":65535,"big":18446744073709551615,"word":"Grüße, 東京 🚀 \\"x\\"\\n",\
          "id128":"61f0c404-5cb3-11e7-907b-a6006ad3dba0","yes":true,"at":1796083199,\
          "at_ms":1796083199999,"kind":"a","maybe_kind":"b","maybe_word":"","maybe_number":4294967295,\
          "maybe_big":0,"maybe_yes":false,"maybe_at":0,"kinds":["task","user","task"],"words":[],\
          "shorts":[0,127,8000],"bigs":[1,2,3]}""",
          """
          {"id":3,"maybe_kind":null,"maybe_word":null,"maybe_number":null,"maybe_yes":null,\
          "maybe_at":null,"kinds":[],"words":["","é"],"shorts":[],"bigs":[18446744073709551615]}""",
          "{\"id\":4,\"maybe_kind\":\"\",\"word\":\"%s\"}".formatted("long ".repeat(100)));

  @TempDir private static Path directory;
  private static LocalClickHouse server;
  private static ClickHouseHttp clickHouse;

  @BeforeAll
  static void start() {
    server = LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("clickhouse")));
    ClickHouseConfig config =
        new ClickHouseConfig(
            server.url(),
            LocalClickHouse.WRITER,
            server.password(LocalClickHouse.WRITER),
            ClickHouseConfig.DEFAULT_DATABASE);
    clickHouse = new ClickHouseHttp(config, Duration.ofSeconds(30));
    Migrations.apply(clickHouse, config);
    clickHouse.execute("CREATE TABLE as_json " + COLUMNS);
    clickHouse.execute("CREATE TABLE as_native " + COLUMNS);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void everyTypeIsStoredAsJsonEachRowStoresIt() {
    clickHouse.insertBlock(
        "as_json", List.of(String.join("\n", ROWS).getBytes(UTF_8)), ROWS.size(), "t");
    NativeRows rows = new NativeRows(TableColumns.of(clickHouse, "as_native"));
    ROWS.forEach(row -> rows.add(row.getBytes(UTF_8)));

    clickHouse.insertBlock(rows, "t");
    clickHouse.insertBlock(rows, "t"); // the token is known: nothing is doubled

    String stored = "SELECT * FROM %s ORDER BY id FORMAT JSONEachRow";
    assertThat(clickHouse.execute(stored.formatted("as_native")))
        .isEqualTo(clickHouse.execute(stored.formatted("as_json")))
        .contains("Grüße, 東京 🚀")
        .contains("\"stored\":7");
  }

  /** What the writer sends: each table of rows has a Native form, and takes an empty row of it. */
  @Test
  void everyTableOfRowsHasAForm() {
    for (String table :
        List.of(
            "calls",
            "config_changes",
            "dead_letters",
            "decisions_minute",
            "latency_minute",
            "lanes_minute",
            "usage_minute",
            "events_minute",
            "minutes_state",
            "pipeline_books")) {
      NativeRows rows = new NativeRows(TableColumns.of(clickHouse, table));
      rows.add("{}".getBytes(UTF_8));

      clickHouse.insertBlock(rows, table);

      assertThat(rows.rows()).isEqualTo(1);
    }
  }

  @Test
  void aBlockIsOnePart() {
    NativeRows rows = new NativeRows(TableColumns.of(clickHouse, "calls"));
    long now = System.currentTimeMillis();
    IntStream.range(0, 70_000)
        .forEach(
            n ->
                rows.add(
                    "{\"position\":%d,\"ended_at\":%d,\"read_at\":%2$d}"
                        .formatted(n, now)
                        .getBytes(UTF_8)));

    clickHouse.insertBlock(rows, "many");

    assertThat(
            clickHouse
                .execute(
                    "SELECT DISTINCT count() FROM calls WHERE read_at > 0 GROUP BY _part HAVING count() > 1")
                .strip())
        .isEqualTo("70000");
  }

  @Test
  void whatDoesNotFitIsNamed() {
    refuses("nonsense", "it isn't the JSON of a row");
    refuses("[]", "it isn't a JSON object");
    refuses("{\"id\":1}{\"id\":2}", "it is more than one JSON object");
    refuses("{\"id\":1", "it isn't the JSON of a row");
    refuses("{\"nobody\":1}", "table as_native has no column nobody");
    refuses("{\"doubled\":1}", "table as_native has no column doubled");
    refuses("{\"id\":1,\"id\":2}", "id is there twice");
    refuses("{\"id\":-1}", "id is no UInt32: -1");
    refuses("{\"id\":4294967296}", "id is no UInt32: 4294967296");
    refuses("{\"big\":18446744073709551616}", "big is no UInt64: 18446744073709551616");
    refuses("{\"big\":-9223372036854775809}", "big is no UInt64: -9223372036854775809");
    refuses("{\"id\":1.5}", "id is no UInt32: 1.5");
    refuses("{\"id\":\"1\"}", "id is no UInt32: 1");
    refuses("{\"id\":null}", "id is no UInt32: null");
    refuses("{\"yes\":1}", "yes is no Bool: 1");
    refuses("{\"word\":{}}", "word is no String: {");
    refuses("{\"id128\":\"x\"}", "id128 is no UUID: x");
    refuses("{\"words\":\"x\"}", "words is no Array(String): x");
  }

  private static void refuses(String row, String problem) {
    NativeRows rows = new NativeRows(TableColumns.of(clickHouse, "as_native"));
    assertThatThrownBy(() -> rows.add(row.getBytes(UTF_8)))
        .isInstanceOf(RowException.class)
        .hasMessageStartingWith(problem);
  }
}
