package org.capacityobservatory.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the official JDBC driver and plain HTTP get from a ClickHouse, whichever it is: the same
 * tests run against the embedded engine and against a server in a container.
 */
abstract class ClickHouseContract {
  private static final TimeZone ZONE_BEFORE = TimeZone.getDefault();

  private final String database = "contract_" + Long.toHexString(System.nanoTime());

  abstract URI url();

  abstract String user();

  abstract String password();

  @BeforeEach
  void createDatabase() throws SQLException {
    execute("CREATE DATABASE " + database);
  }

  @AfterEach
  void dropDatabase() throws SQLException {
    TimeZone.setDefault(ZONE_BEFORE);
    execute("DROP DATABASE " + database);
  }

  @Test
  void typesAndNullsComeBackAsTheyWent() throws SQLException {
    execute(
        "CREATE TABLE "
            + database
            + ".types (id UInt64, n Nullable(Int32), lc LowCardinality(Nullable(String)), u UUID,"
            + " a16 Array(UInt16), a64 Array(UInt64), astr Array(String), b Bool, f Float64,"
            + " s String) ENGINE = MergeTree ORDER BY id");
    UUID uuid = UUID.fromString("2f6f4b1e-08c4-4c4a-9f5b-0d6c6d1f9a77");
    try (Connection connection = connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO "
                    + database
                    + ".types (id, n, lc, u, a16, a64, astr, b, f, s)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      insert.setLong(1, 1);
      insert.setInt(2, -7);
      insert.setString(3, "core");
      insert.setObject(4, uuid);
      insert.setObject(5, new int[] {0, 127, 65_535});
      insert.setObject(6, new long[] {0, 9_007_199_254_740_993L});
      insert.setObject(7, new String[] {"it's", "back\\slash", "tab\tand\nline", "Łódź ☃"});
      insert.setBoolean(8, true);
      insert.setDouble(9, 0.1);
      insert.setString(10, "quote ' and \\ and \n and ☃ and {a:b} and ?");
      insert.addBatch();
      insert.setLong(1, 2);
      insert.setObject(2, null);
      insert.setObject(3, null);
      insert.setObject(4, new UUID(0, 0));
      insert.setObject(5, new int[0]);
      insert.setObject(6, new long[0]);
      insert.setObject(7, new String[0]);
      insert.setBoolean(8, false);
      insert.setDouble(9, -0.0);
      insert.setString(10, "");
      insert.addBatch();
      insert.executeBatch();
    }
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT * FROM " + database + ".types ORDER BY id")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getInt("n")).isEqualTo(-7);
      assertThat(row.getString("lc")).isEqualTo("core");
      assertThat(row.getObject("u", UUID.class)).isEqualTo(uuid);
      assertThat(longs(row.getArray("a16"))).containsExactly(0L, 127L, 65_535L);
      assertThat(longs(row.getArray("a64"))).containsExactly(0L, 9_007_199_254_740_993L);
      assertThat((Object[]) row.getArray("astr").getArray())
          .containsExactly("it's", "back\\slash", "tab\tand\nline", "Łódź ☃");
      assertThat(row.getBoolean("b")).isTrue();
      assertThat(row.getDouble("f")).isEqualTo(0.1);
      assertThat(row.getString("s")).isEqualTo("quote ' and \\ and \n and ☃ and {a:b} and ?");
      assertThat(row.next()).isTrue();
      assertThat(row.getObject("n")).isNull();
      assertThat(row.wasNull()).isTrue();
      assertThat(row.getString("lc")).isNull();
      assertThat(row.wasNull()).isTrue();
      assertThat(longs(row.getArray("a16"))).isEmpty();
      assertThat(row.getBoolean("b")).isFalse();
      assertThat(row.getString("s")).isEmpty();
      assertThat(row.next()).isFalse();
    }
  }

  /** Milliseconds and hours have been lost here in several lines of the driver. */
  @ParameterizedTest
  @ValueSource(strings = {"UTC", "Asia/Kolkata", "America/New_York", "Europe/Warsaw"})
  void millisecondsSurviveInEveryZoneOfTheClient(String zone) throws SQLException {
    List<Instant> instants =
        List.of(
            Instant.parse("2026-03-01T10:00:00.604Z"),
            Instant.parse("2026-03-01T10:00:00.000Z"),
            Instant.parse("2026-03-01T10:00:00.999Z"),
            Instant.parse("1969-12-31T23:59:59.999Z"),
            Instant.parse("2026-10-25T01:30:00Z"));
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    execute(
        "CREATE TABLE "
            + database
            + ".times (id UInt8, t DateTime64(3, 'UTC')) ENGINE = MergeTree ORDER BY id");
    try (Connection connection = connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO "
                    + database
                    + ".times (id, t) VALUES (?, fromUnixTimestamp64Milli(?, 'UTC'))")) {
      for (int i = 0; i < instants.size(); i++) {
        insert.setInt(1, i);
        insert.setLong(2, instants.get(i).toEpochMilli());
        insert.addBatch();
      }
      insert.executeBatch();
    }
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT toUnixTimestamp64Milli(t) AS ms FROM " + database + ".times ORDER BY id")) {
      for (Instant instant : instants) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong("ms")).isEqualTo(instant.toEpochMilli());
      }
    }
  }

  @Test
  void parametersAreBoundAndNeverBecomeSql() throws Exception {
    HttpResponse<String> answer =
        post(
            "?param_s=" + encode("a';DROP TABLE x--") + "&param_n=41&param_a=" + encode("[1,2]"),
            "SELECT {s:String}, {n:UInt8} + 1, arraySum({a:Array(UInt16)})");
    assertThat(answer.body()).isEqualTo("a\\';DROP TABLE x--\t42\t3\n");
    assertThat(post("?param_s=" + encode("\\N"), "SELECT {s:Nullable(String)} IS NULL").body())
        .isEqualTo("1\n");
    assertThat(post("?param_n=x", "SELECT {n:UInt8}").statusCode()).isEqualTo(400);
  }

  @Test
  void aHundredThousandRowsOverHttp() throws Exception {
    execute("CREATE TABLE " + database + ".big (a UInt64, s String) ENGINE = MergeTree ORDER BY a");
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 100_000; i++) {
      rows.append("{\"a\":").append(i).append(",\"s\":\"INTO OUTFILE ").append(i).append("\"}\n");
    }
    HttpResponse<String> answer =
        post(
            "?async_insert=0&query="
                + encode("INSERT INTO " + database + ".big FORMAT JSONEachRow"),
            rows.toString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.headers().firstValue("X-ClickHouse-Summary").orElse(""))
        .contains("\"written_rows\":\"100000\"");
    assertThat(
            post(
                    "",
                    "SELECT count(), sum(a), uniqExact(s), uniqExact(_part) FROM "
                        + database
                        + ".big")
                .body())
        .as("one insert is one part")
        .isEqualTo("100000\t4999950000\t100000\t1\n");
  }

  @Test
  void aBigBatchThroughTheDriver() throws SQLException {
    execute(
        "CREATE TABLE "
            + database
            + ".batch (a UInt64, s Nullable(String)) ENGINE = MergeTree ORDER BY a");
    try (Connection connection = connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO " + database + ".batch (a, s) VALUES (?, ?)")) {
      for (int i = 0; i < 20_000; i++) {
        insert.setLong(1, i);
        insert.setString(2, i % 2 == 0 ? "it's " + i : null);
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).hasSize(20_000);
    }
    assertThat(
            query(
                "SELECT concat(toString(count()), ' ', toString(count(s))) FROM "
                    + database
                    + ".batch"))
        .isEqualTo("20000 10000");
  }

  @Test
  void errorsCarryTheEnginesCode() throws Exception {
    assertThatThrownBy(() -> query("SELECT * FROM " + database + ".nothing"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("UNKNOWN_TABLE");
    assertThatThrownBy(() -> query("SELEC 1"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("SYNTAX_ERROR");
    HttpResponse<String> answer = post("", "SELECT * FROM " + database + ".nothing");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.headers().firstValue("X-ClickHouse-Exception-Code")).hasValue("60");
    assertThat(answer.body()).startsWith("Code: 60. DB::Exception: ");
  }

  @Test
  void queriesRunInParallelAndKeepTheirSettingsToThemselves() throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(8);
    try {
      List<Callable<String>> tasks = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        int rows = 1000 + i;
        tasks.add(
            () ->
                post(
                        "?max_block_size=" + rows + "&param_n=" + rows,
                        "SELECT getSetting('max_block_size'), {n:UInt64}, count() FROM"
                            + " numbers({n:UInt64})")
                    .body());
      }
      List<Future<String>> answers = clients.invokeAll(tasks);
      for (int i = 0; i < answers.size(); i++) {
        int rows = 1000 + i;
        assertThat(answers.get(i).get()).isEqualTo(rows + "\t" + rows + "\t" + rows + "\n");
      }
    } finally {
      clients.shutdownNow();
    }
  }

  @Test
  void aRepeatedTokenInsertsOnce() throws Exception {
    execute(
        "CREATE TABLE "
            + database
            + ".once (a UInt64) ENGINE = MergeTree ORDER BY a"
            + " SETTINGS non_replicated_deduplication_window = 100");
    String insert =
        "?async_insert=0&insert_deduplication_token=%s&query="
            + encode("INSERT INTO " + database + ".once FORMAT TabSeparated");
    assertThat(post(insert.formatted("t1"), "1\n2\n").statusCode()).isEqualTo(200);
    assertThat(post(insert.formatted("t1"), "1\n2\n").statusCode()).isEqualTo(200);
    assertThat(post(insert.formatted("t2"), "1\n2\n").statusCode()).isEqualTo(200);
    assertThat(query("SELECT toString(count()) FROM " + database + ".once")).isEqualTo("4");
  }

  @Test
  void aReplacedRowIsReadOnceWithFinal() throws Exception {
    execute(
        "CREATE TABLE "
            + database
            + ".cells (k String, revision UInt64, bucket Array(UInt16), n Array(UInt64))"
            + " ENGINE = ReplacingMergeTree(revision) ORDER BY k");
    post(
        "?async_insert=0&query=" + encode("INSERT INTO " + database + ".cells FORMAT JSONEachRow"),
        """
        {"k":"a","revision":2,"bucket":[1,3],"n":[10,20]}
        {"k":"b","revision":2,"bucket":[3,4],"n":[1,1]}
        """);
    post(
        "?async_insert=0&query=" + encode("INSERT INTO " + database + ".cells FORMAT JSONEachRow"),
        "{\"k\":\"a\",\"revision\":4,\"bucket\":[1,3],\"n\":[10,21]}\n");
    assertThat(
            post(
                    "",
                    "SELECT sumMap(bucket, n) FROM "
                        + database
                        + ".cells FINAL FORMAT TabSeparated")
                .body())
        .isEqualTo("([1,3,4],[10,22,1])\n");
  }

  Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user());
    properties.setProperty("password", password());
    // The embedded engine doesn't speak the driver's LZ4 frames.
    properties.setProperty("compress", "false");
    return DriverManager.getConnection(
        "jdbc:clickhouse://" + url().getHost() + ":" + url().getPort() + "/default", properties);
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Nullable String query(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  HttpResponse<String> post(String parameters, String body) throws Exception {
    String login = user() + ":" + password();
    HttpRequest request =
        HttpRequest.newBuilder(url().resolve("/" + parameters))
            .header(
                "Authorization",
                "Basic "
                    + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  static String encode(String text) {
    return java.net.URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static List<Long> longs(Array array) throws SQLException {
    Object values = array.getArray();
    List<Long> list = new ArrayList<>();
    for (int i = 0; i < java.lang.reflect.Array.getLength(values); i++) {
      list.add(((Number) java.lang.reflect.Array.get(values, i)).longValue());
    }
    return list;
  }
}
