package org.capacityobservatory.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The HTTP endpoint of the embedded engine, beyond what the contract asks of every ClickHouse. */
class ClickHouseEndpointIT {
  private static final String ENDLESS =
      "SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sin(number))";

  @TempDir static Path directory;

  private static LocalClickHouse server;
  private static Http writer;
  private static Http reader;

  @BeforeAll
  static void start() throws Exception {
    server =
        LocalClickHouse.start(
            LocalClickHouseConfig.in(directory.resolve("clickhouse"))
                .withQueryLimits(4, Duration.ofSeconds(100)));
    writer = Http.as(server, LocalClickHouse.WRITER);
    reader = Http.as(server, LocalClickHouse.READER);
    writer.query("CREATE DATABASE e");
    writer.query("CREATE TABLE e.t (a UInt64, s String) ENGINE = MergeTree ORDER BY a");
    writer.query("CREATE TABLE e.rows (a UInt64, s String) ENGINE = MergeTree ORDER BY a");
    writer.query("INSERT INTO e.t VALUES (1, 'one'), (2, 'two')");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void saysOkWithoutAPassword() throws Exception {
    for (String path : List.of("/ping", "/")) {
      HttpResponse<String> answer =
          Http.send(HttpRequest.newBuilder(server.url().resolve(path)).GET());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("Ok.\n");
    }
    assertThat(writer.get("/nothing").statusCode()).isEqualTo(404);
  }

  @Test
  void takesTheQueryFromAddressBodyOrBoth() throws Exception {
    assertThat(writer.get("/?query=SELECT+1").body()).isEqualTo("1\n");
    assertThat(writer.post("/", "SELECT 2").body()).isEqualTo("2\n");
    assertThat(writer.post("/?query=SELECT", " 3").body()).isEqualTo("3\n");
    HttpResponse<String> empty = writer.post("/", "");
    assertThat(empty.statusCode()).isEqualTo(400);
    assertThat(empty.body()).contains("Empty query");
  }

  @Test
  void takesDatabaseFormatAndQueryId() throws Exception {
    HttpResponse<String> answer =
        writer.post(
            "/?database=e&default_format=JSONEachRow&query_id=mine-1",
            "SELECT * FROM t ORDER BY a");
    assertThat(answer.body()).isEqualTo("{\"a\":1,\"s\":\"one\"}\n{\"a\":2,\"s\":\"two\"}\n");
    assertThat(answer.headers().firstValue("X-ClickHouse-Query-Id")).hasValue("mine-1");
    assertThat(answer.headers().firstValue("X-ClickHouse-Format")).hasValue("JSONEachRow");
    assertThat(answer.headers().firstValue("X-ClickHouse-Timezone")).hasValue("UTC");
    assertThat(answer.headers().firstValue("X-ClickHouse-Summary").orElse(""))
        .contains("\"read_rows\":\"2\"");
    assertThat(writer.post("/?default_format=CSV", "SELECT 'x' FORMAT TSV").body())
        .isEqualTo("x\n");
    HttpResponse<String> missing = writer.post("/?database=nowhere", "SELECT 1");
    assertThat(missing.headers().firstValue("X-ClickHouse-Exception-Code")).hasValue("81");
  }

  /** The engine hands out a long result in pieces, each with the format's header in front. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "TabSeparated",
        "TabSeparatedWithNames",
        "CSVWithNames",
        "JSONEachRow",
        "JSONCompact",
        "RowBinary",
        "RowBinaryWithNamesAndTypes",
        "Native",
        "PrettyCompact"
      })
  void aResultOfManyBlocksIsOneAnswer(String format) throws Exception {
    String rows = "SELECT number AS n, toString(number) AS s FROM numbers(%d) ORDER BY n";
    String settings = "&output_format_write_statistics=0&max_block_size=";
    String query = rows.formatted(1_000) + " FORMAT " + format;
    String whole = writer.post("/?max_threads=1" + settings + 100_000, query).body();
    String pieces = writer.post("/?max_threads=1" + settings + 10, query).body();
    // Native is made of blocks, and each of them is whole.
    if (format.equals("Native")) {
      assertThat(pieces.length()).isGreaterThan(whole.length());
    } else {
      assertThat(pieces).isEqualTo(whole);
    }
    String none = rows.formatted(0) + " FORMAT " + format;
    if (format.contains("WithNames")) {
      assertThat(writer.post("/", none).body()).as("an empty result").contains("n").contains("s");
    }
  }

  @Test
  void takesSettingsAndNamesUnknownOnes() throws Exception {
    assertThat(writer.post("/?max_threads=1", "SELECT getSetting('max_threads')").body())
        .isEqualTo("1\n");
    HttpResponse<String> unknown = writer.post("/?no_such_setting=1", "SELECT 1");
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(unknown.body()).contains("no_such_setting").contains("UNKNOWN_SETTING");
    HttpResponse<String> compress = writer.post("/?compress=1", "SELECT 1");
    assertThat(compress.statusCode()).isEqualTo(501);
    assertThat(compress.body()).contains("compress=false");
  }

  @Test
  void takesBinaryRows() throws Exception {
    byte[] rows =
        Http.sendForBytes(
                writer
                    .request(
                        "/?query="
                            + Http.encode(
                                "SELECT number, toString(number) FROM numbers(3) FORMAT RowBinary"))
                    .GET())
            .body();
    writer.query("CREATE TABLE e.bin (a UInt64, s String) ENGINE = Memory");
    HttpResponse<String> answer =
        Http.send(
            writer
                .request("/?query=" + Http.encode("INSERT INTO e.bin FORMAT RowBinary"))
                .POST(HttpRequest.BodyPublishers.ofByteArray(rows)));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(writer.query("SELECT * FROM e.bin ORDER BY a")).isEqualTo("0\t0\n1\t1\n2\t2\n");
  }

  @Test
  void speaksGzipInBothDirections() throws Exception {
    HttpResponse<byte[]> answer =
        Http.sendForBytes(
            writer
                .request("/?enable_http_compression=1")
                .header("Accept-Encoding", "gzip")
                .POST(HttpRequest.BodyPublishers.ofString("SELECT repeat('x', 100000)")));
    assertThat(answer.headers().firstValue("Content-Encoding")).hasValue("gzip");
    assertThat(answer.body()).hasSizeLessThan(1000);
    assertThat(new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes())
        .hasSize(100_001);

    writer.query("CREATE TABLE e.gz (a UInt64) ENGINE = Memory");
    HttpResponse<String> insert =
        Http.send(
            writer
                .request("/?query=" + Http.encode("INSERT INTO e.gz FORMAT TSV"))
                .header("Content-Encoding", "gzip")
                .POST(HttpRequest.BodyPublishers.ofByteArray(gzip("1\n2\n"))));
    assertThat(insert.statusCode()).as(insert.body()).isEqualTo(200);
    assertThat(writer.query("SELECT sum(a) FROM e.gz")).isEqualTo("3\n");

    HttpResponse<String> broken =
        Http.send(
            writer
                .request("/?query=" + Http.encode("INSERT INTO e.gz FORMAT TSV"))
                .header("Content-Encoding", "gzip")
                .POST(HttpRequest.BodyPublishers.ofString("not gzip at all")));
    assertThat(broken.statusCode()).isEqualTo(400);
    assertThat(writer.query("SELECT sum(a) FROM e.gz")).isEqualTo("3\n");
  }

  @Test
  void aBodyPastTheLimitIsRefusedWithNothingInserted() throws Exception {
    try (Socket socket = connect()) {
      socket
          .getOutputStream()
          .write(
              insertHead(
                  "e.rows",
                  "Expect: 100-continue\r\nContent-Length: " + (HttpConnection.BODY_BYTES + 1)));
      String answer =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      assertThat(answer).as("at once, without a body to wait for").startsWith("HTTP/1.1 413");
    }

    // A small gzip body that unpacks to more than the limit.
    byte[] bomb =
        gzipOf(
            "1\tx\n".repeat(1 << 16).getBytes(StandardCharsets.UTF_8),
            HttpConnection.BODY_BYTES + 4);
    HttpResponse<String> unpacked =
        Http.send(
            writer
                .request("/?query=" + Http.encode("INSERT INTO e.rows FORMAT TSV"))
                .header("Content-Encoding", "gzip")
                .POST(HttpRequest.BodyPublishers.ofByteArray(bomb)));
    assertThat(unpacked.statusCode()).isEqualTo(413);
    assertThat(unpacked.body()).contains("QUERY_IS_TOO_LARGE");
    assertThat(writer.query("SELECT count() FROM e.rows WHERE s = 'x'")).isEqualTo("0\n");
    await().atMost(Duration.ofSeconds(60)).until(() -> spooled().isEmpty());
  }

  @Test
  void aLargeBodyWithinTheLimitIsTaken() throws Exception {
    writer.query("CREATE TABLE e.large (s String) ENGINE = Null");
    byte[] piece = ("y".repeat((1 << 20) - 1) + "\n").getBytes(StandardCharsets.UTF_8);
    long pieces = HttpConnection.BODY_BYTES / piece.length;
    try (Socket socket = connect()) {
      OutputStream out = socket.getOutputStream();
      out.write(
          insertHead(
              "e.large", "Connection: close\r\nContent-Length: " + HttpConnection.BODY_BYTES));
      for (long i = 0; i < pieces; i++) {
        out.write(piece);
      }
      String answer =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      assertThat(answer).startsWith("HTTP/1.1 200").contains("\"written_rows\":\"" + pieces + "\"");
    }
    await().atMost(Duration.ofSeconds(60)).until(() -> spooled().isEmpty());
  }

  @Test
  void anErrorInTheMiddleOfAResultBreaksTheConnection() throws Exception {
    try (Socket socket = connect()) {
      send(socket, "SELECT throwIf(number = 500000), repeat('z', 100) FROM numbers(1000000)");
      String answer =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      assertThat(answer).startsWith("HTTP/1.1 200 OK");
      assertThat(answer).contains("FUNCTION_THROW_IF_VALUE_IS_NON_ZERO");
      assertThat(answer).as("no regular end").doesNotEndWith("0\r\n\r\n");
    }
  }

  @Test
  void wantsAPassword() throws Exception {
    HttpResponse<String> none =
        Http.send(
            HttpRequest.newBuilder(server.url())
                .POST(HttpRequest.BodyPublishers.ofString("SELECT 1")));
    assertThat(none.statusCode()).isEqualTo(401);
    assertThat(none.headers().firstValue("WWW-Authenticate")).isPresent();
    for (Http wrong :
        List.of(
            new Http(server.url(), LocalClickHouse.WRITER, "wrong"),
            new Http(server.url(), LocalClickHouse.WRITER, ""),
            new Http(server.url(), LocalClickHouse.READER, server.password(LocalClickHouse.WRITER)),
            new Http(server.url(), "nobody", ""))) {
      HttpResponse<String> answer = wrong.post("/", "SELECT 1");
      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.headers().firstValue("X-ClickHouse-Exception-Code")).hasValue("516");
    }
  }

  @Test
  void takesThePasswordInEveryWayClickHouseDoes() throws Exception {
    String password = server.password(LocalClickHouse.READER);
    HttpResponse<String> headers =
        Http.send(
            HttpRequest.newBuilder(server.url())
                .header("X-ClickHouse-User", "reader")
                .header("X-ClickHouse-Key", password)
                .POST(HttpRequest.BodyPublishers.ofString("SELECT 1")));
    assertThat(headers.body()).isEqualTo("1\n");
    URI parameters =
        server.url().resolve("/?query=SELECT+1&user=reader&password=" + Http.encode(password));
    assertThat(Http.send(HttpRequest.newBuilder(parameters).GET()).body()).isEqualTo("1\n");
  }

  @Test
  void keepsPasswordsFromOtherUsersOfTheMachine() throws Exception {
    for (String user : List.of(LocalClickHouse.WRITER, LocalClickHouse.READER)) {
      Path file = server.passwordFile(user);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(Files.readString(file).strip()).hasSizeGreaterThan(30);
    }
    assertThat(server.password(LocalClickHouse.WRITER))
        .isNotEqualTo(server.password(LocalClickHouse.READER));
  }

  @Test
  void listensOnLoopbackOnly() throws Exception {
    for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      for (InetAddress address : Collections.list(network.getInetAddresses())) {
        if (!address.isLoopbackAddress() && !address.isLinkLocalAddress()) {
          assertThat(accepts(address)).as(address.toString()).isFalse();
        }
      }
    }
  }

  private static boolean accepts(InetAddress address) {
    try (Socket socket = new Socket(address, server.port())) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void endsAQueryAtItsTimeLimit() throws Exception {
    HttpResponse<String> answer = writer.post("/?max_execution_time=1", ENDLESS);
    assertThat(answer.statusCode()).isEqualTo(408);
    assertThat(answer.headers().firstValue("X-ClickHouse-Exception-Code")).hasValue("159");
    assertThat(reader.post("/?max_execution_time=1", ENDLESS).statusCode()).isEqualTo(408);
    assertThat(reader.post("/?max_execution_time=0", "SELECT 1").statusCode()).isEqualTo(403);
    assertThat(writer.query("SELECT getSetting('max_execution_time')")).isEqualTo("100\n");
  }

  @Test
  void cancelsTheQueryOfAClientThatLeaves() throws Exception {
    try (Socket socket = connect()) {
      send(socket, ENDLESS);
      await().atMost(Duration.ofSeconds(60)).until(() -> endlessQueries() == 1);
    }
    await().atMost(Duration.ofSeconds(60)).until(() -> endlessQueries() == 0);
  }

  @Test
  void streamsAResultAndCancelsItWhenNobodyTakesIt() throws Exception {
    String sql = "SELECT 'taken' AS tag, repeat('z', 1000) FROM numbers(100000000)";
    try (Socket socket = connect()) {
      send(socket, sql);
      // It comes while the query runs: 100 GB fit into no memory.
      assertThat(socket.getInputStream().readNBytes(50_000_000)).hasSize(50_000_000);
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                writer
                    .query(
                        "SELECT count() FROM system.processes WHERE query LIKE '%AS tag, repeat%'"
                            + " AND query NOT LIKE '%system.processes%'")
                    .equals("0\n"));
  }

  private static int endlessQueries() throws Exception {
    return Integer.parseInt(
        writer
            .query(
                "SELECT count() FROM system.processes WHERE query LIKE '%ignore(sin%'"
                    + " AND query NOT LIKE '%system.processes%'")
            .strip());
  }

  @Test
  void longValuesAreTakenAsLiteralsOnly() throws Exception {
    writer.query("CREATE TABLE e.values (a UInt64, s String) ENGINE = Null");
    String row = "(1,'" + "v".repeat(1000) + "'),";
    String many = "INSERT INTO e.values VALUES " + row.repeat(QueryRunner.VALUES_BYTES / 1000);
    HttpResponse<String> literals = writer.post("/", many + "(2,'w')");
    assertThat(literals.statusCode()).as(literals.body()).isEqualTo(200);
    for (String end : List.of("(2, lower('W'))", "(2, file('/etc/hostname'))")) {
      assertThat(writer.post("/", many + end).statusCode()).as(end).isBetween(400, 500);
    }
    assertThat(writer.post("/", "INSERT INTO e.values VALUES (1 + 1, lower('W'))").statusCode())
        .isEqualTo(200);
  }

  @Test
  void aLongQueryIsTakenAndATooLongOneNamed() throws Exception {
    String comment = "/*" + "x".repeat(1_000_000) + "*/";
    assertThat(writer.post("/?max_query_size=2000000", "SELECT 5 " + comment).body())
        .isEqualTo("5\n");
    HttpResponse<String> tooLong = writer.post("/", "SELECT 5 " + comment.repeat(5));
    assertThat(tooLong.statusCode()).isEqualTo(413);
  }

  @Test
  void aHalfSentInsertLeavesNothing() throws Exception {
    try (Socket socket = connect()) {
      OutputStream out = socket.getOutputStream();
      out.write(insertHead("e.rows", "Content-Length: 1000"));
      out.write("7\thalf\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
    }
    assertThat(writer.query("SELECT count() FROM e.rows WHERE s = 'half'")).isEqualTo("0\n");
  }

  @Test
  void answersRequestsSentAheadInTheirOrder() throws Exception {
    try (Socket socket = connect()) {
      for (int i = 0; i < 5; i++) {
        send(socket, "SELECT 'answer " + i + "', sleep(0.05)");
      }
      StringBuilder answers = new StringBuilder();
      byte[] piece = new byte[4096];
      while (answers.indexOf("answer 4") < 0) {
        int n = socket.getInputStream().read(piece);
        assertThat(n).isPositive();
        answers.append(new String(piece, 0, n, StandardCharsets.ISO_8859_1));
      }
      assertThat(answers.toString())
          .containsSubsequence("answer 0", "answer 1", "answer 2", "answer 3", "answer 4");
    }
  }

  @Test
  void moreQueriesThanThreadsWaitTheirTurn() throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(16);
    try {
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        int n = i;
        answers.add(clients.submit(() -> writer.query("SELECT " + n + " + sleep(0.02)")));
      }
      for (int i = 0; i < answers.size(); i++) {
        assertThat(answers.get(i).get()).isEqualTo(i + "\n");
      }
    } finally {
      clients.shutdownNow();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO e.t VALUES (9, 'q')",
        "INSERT INTO e.t SELECT 9, 'q'",
        "CREATE TABLE e.z (a Int8) ENGINE = Memory",
        "CREATE TEMPORARY TABLE z (a Int8)",
        "CREATE VIEW e.v AS SELECT 1",
        "DROP TABLE e.t",
        "TRUNCATE TABLE e.t",
        "ALTER TABLE e.t DELETE WHERE 1",
        "OPTIMIZE TABLE e.t",
        "SET readonly = 0",
        "SET max_threads = 1",
        "SELECT 1 SETTINGS readonly = 0",
        "SELECT 1 SETTINGS max_threads = 1",
        "SELECT 1 FORMAT Template SETTINGS format_template_row = '/etc/hostname'",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE e.t",
        "SELECT 1 INTO OUTFILE '%s/o'; SELEC",
        "KILL QUERY WHERE 1; SELEC",
        "KILL QUERY WHERE 1",
        "USE e",
        "SYSTEM SHUTDOWN",
        "SYSTEM FLUSH LOGS",
        "CREATE USER x",
        "EXECUTE AS default SELECT 1",
        "BACKUP DATABASE e TO File('%s/b.zip')",
        "SELECT 1 INTO OUTFILE '%s/o'",
        "SELECT 1 INTO /* x */\nOUTFILE '%s/o'",
        "INSERT INTO e.t FROM INFILE '/etc/hostname' FORMAT TSV",
        "SELECT * FROM file('/etc/hostname', 'LineAsString')",
        "DESCRIBE TABLE file('/etc/hostname', 'LineAsString')",
        "SELECT file('/etc/hostname')",
        "SELECT `file`('/etc/hostname')",
        "SELECT * APPLY(file) FROM (SELECT '/etc/hostname')",
        "SELECT * FROM `/etc/hostname`",
        "SELECT * FROM default.`/etc/hostname`",
        "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
        "DESCRIBE TABLE url('http://127.0.0.1:1/', 'CSV')",
        "SELECT * FROM s3('http://127.0.0.1:1/bucket/k', 'LineAsString')",
        "DESCRIBE TABLE s3('http://127.0.0.1:1/bucket/k', 'CSV')",
        "SELECT * FROM executable('x.sh', 'TSV', 'a String')",
        "SELECT * FROM remote('127.0.0.1:1', 'system.one')",
        "SELECT * FROM mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
        "SELECT * FROM postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
        "SELECT * FROM mongodb('127.0.0.1:1', 'a', 'b', 'c', 'd', 'x String')",
        "SELECT * FROM redis('127.0.0.1:1', 'k', 'k String, v String')",
        "SELECT * FROM sqlite('%s/x.db', 't')",
        "SELECT * FROM jdbc('jdbc:x', 'y')",
        "SELECT * FROM odbc('DSN=a', 'b', 'c')",
        "SELECT * FROM hdfs('hdfs://127.0.0.1:1/a', 'TSV', 'a String')",
        "SELECT * FROM filesystem('/etc')",
        "SELECT * FROM icebergLocal('%s')",
        "CREATE DATABASE q ENGINE = SQLite('%s/q.db')",
        "SELECT * FROM fileCluster('default', '/etc/hostname', 'LineAsString')",
        "INSERT INTO FUNCTION file('%s/o', 'TSV', 'a Int8') VALUES (1)"
      })
  void theReaderGetsNothingButReads(String attack) throws Exception {
    Path loot = Files.createTempDirectory(directory, "loot");
    String sql = attack.replace("%s", loot.toString());
    HttpResponse<String> answer = reader.post("/", sql);
    assertThat(answer.statusCode()).as("%s: %s", sql, answer.body()).isBetween(400, 503);
    assertThat(answer.headers().firstValue("X-ClickHouse-Exception-Code")).isPresent();
    assertThat(loot).isEmptyDirectory();
    assertThat(writer.query("SELECT * FROM e.t ORDER BY a")).isEqualTo("1\tone\n2\ttwo\n");
    assertThat(reader.query("SELECT getSetting('readonly')")).isEqualTo("1\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1 INTO OUTFILE '%s/o'",
        "select 1 into -- x\noutfile '%s/o'",
        "SELECT 1 INTO OUTFILE '%s/o'; SELEC",
        "INSERT INTO e.rows FROM INFILE '/etc/hostname' FORMAT TSV",
        "INSERT INTO FUNCTION file('%s/o', 'TSV', 'a Int8') VALUES (1)",
        "INSERT INTO FUNCTION `file`('%s/o', 'TSV', 'a Int8') SELECT 1",
        "INSERT INTO FUNCTION url('http://127.0.0.1:1/', 'TSV', 'a Int8') SELECT 1",
        "INSERT INTO e.rows VALUES (1, file('/etc/hostname'))",
        "SELECT * FROM `/etc/hostname`",
        "CREATE TABLE e.f (a Int8) ENGINE = File(TSV, '%s/o')",
        "CREATE TABLE e.f (a Int8) ENGINE = URL('http://127.0.0.1:1/', 'TSV')",
        "CREATE DICTIONARY e.d (id UInt64) PRIMARY KEY id"
            + " SOURCE(EXECUTABLE(command 'touch %s/o' format 'TSV')) LAYOUT(FLAT()) LIFETIME(0)",
        "SELECT 1 FORMAT Template SETTINGS format_template_row = '/etc/hostname'",
        "SET output_format_schema = '%s/o'",
        "CREATE DATABASE q ENGINE = SQLite('%s/q.db')",
        "CREATE DATABASE q ENGINE = Filesystem('/etc')",
        "CREATE TABLE e.f (a Int8) ENGINE = SQLite('%s/q.db', 't')",
        "SELECT * FROM sqlite('%s/x.db', 't')",
        "BACKUP TABLE e.t TO File('%s/b.zip')",
        "SYSTEM SHUTDOWN",
        "CREATE USER x"
      })
  void nobodyReachesFilesOrHostsThroughSql(String attack) throws Exception {
    Path loot = Files.createTempDirectory(directory, "loot");
    HttpResponse<String> answer = writer.post("/", attack.replace("%s", loot.toString()));
    assertThat(answer.statusCode()).as("%s: %s", attack, answer.body()).isBetween(400, 503);
    assertThat(loot).isEmptyDirectory();
    assertThat(server.isAlive()).isTrue();
  }

  /** A later engine may bring new ways out: each of its table functions is tried. */
  @Test
  void noTableFunctionReachesOutside() throws Exception {
    Set<String> inside =
        Set.of(
            "cluster",
            "clusterAllReplicas",
            "dictionary",
            "format",
            "fuzzJSON",
            "fuzzQuery",
            "generateRandom",
            "generateSeries",
            "generate_series",
            "input",
            "loop",
            "merge",
            "null",
            "numbers",
            "numbers_mt",
            "primes",
            "SQLStandardValues",
            "values",
            "view",
            "viewExplain",
            "viewIfPermitted",
            "zeros",
            "zeros_mt");
    Path loot = Files.createTempDirectory(directory, "loot");
    Path bait = Files.writeString(loot.resolve("bait.csv"), "1\n");
    List<String> tried = new ArrayList<>();
    for (String name :
        writer.query("SELECT name FROM system.table_functions").strip().split("\n", -1)) {
      if (!inside.contains(name)
          && !name.startsWith("mergeTree")
          && !name.startsWith("timeSeries")) {
        HttpResponse<String> answer =
            reader.post("/", "SELECT * FROM " + name + "('" + bait + "', 'CSV')");
        assertThat(answer.statusCode()).as("%s: %s", name, answer.body()).isNotEqualTo(200);
        tried.add(name);
      }
    }
    assertThat(tried).contains("file", "url", "s3", "remote", "sqlite");
    assertThat(loot)
        .isDirectoryContaining(bait::equals)
        .isDirectoryNotContaining(p -> !p.equals(bait));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "readonly=0",
        "readonly=2",
        "max_memory_usage=0",
        "format_template_row=/etc/hostname",
        "output_format_schema=/tmp/x",
        "allow_ddl=1",
        "user=default"
      })
  void theReaderCantChangeWhatItIsByTheAddress(String parameter) throws Exception {
    HttpResponse<String> answer = reader.post("/?" + parameter, "CREATE DATABASE stolen");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
    assertThat(writer.query("SELECT count() FROM system.databases WHERE name = 'stolen'"))
        .isEqualTo("0\n");
  }

  @Test
  void theReaderReadsWhatItShould() throws Exception {
    assertThat(reader.query("SELECT s FROM e.t WHERE s = 'one' OR s = 'INTO OUTFILE file('"))
        .isEqualTo("one\n");
    assertThat(reader.get("/?query=" + Http.encode("SELECT count() FROM e.t")).body())
        .isEqualTo("2\n");
    assertThat(reader.query("SHOW TABLES FROM e LIKE 't'")).isEqualTo("t\n");
    assertThat(reader.query("DESCRIBE TABLE e.t")).startsWith("a\tUInt64");
    assertThat(reader.query("WITH 2 AS x SELECT x")).isEqualTo("2\n");
    assertThat(reader.post("/?readonly=1&param_n=5&max_threads=1", "SELECT {n:UInt8}").body())
        .isEqualTo("5\n");
    HttpResponse<String> typo = reader.post("/", "SELEC 1");
    assertThat(typo.body()).contains("SYNTAX_ERROR");
  }

  @Test
  void aGetOnlyReads() throws Exception {
    for (String sql :
        List.of("INSERT INTO e.rows VALUES (1, 'got')", "CREATE DATABASE got", "DROP TABLE e.t")) {
      assertThat(writer.get("/?query=" + Http.encode(sql)).statusCode()).as(sql).isEqualTo(403);
    }
    assertThat(writer.query("SELECT count() FROM e.rows WHERE s = 'got'")).isEqualTo("0\n");
  }

  @Test
  void settingsOfOneQueryDontReachTheNext() throws Exception {
    assertThat(writer.post("/?max_block_size=77", "SELECT getSetting('max_block_size')").body())
        .isEqualTo("77\n");
    writer.query("SET max_block_size = 78");
    writer.query("USE e");
    assertThat(writer.query("SELECT getSetting('max_block_size') IN (77, 78), currentDatabase()"))
        .isEqualTo("0\tdefault\n");
    assertThat(writer.post("/", "SELECT {n:UInt8}").statusCode()).isEqualTo(400);
  }

  private static Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(60_000);
    return socket;
  }

  /** The head of a request that inserts into a table. */
  private static byte[] insertHead(String table, String header) {
    return ("POST /?query="
            + Http.encode("INSERT INTO " + table + " FORMAT TSV")
            + " HTTP/1.1\r\nHost: x\r\nAuthorization: "
            + writer.basic()
            + "\r\n"
            + header
            + "\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static void send(Socket socket, String sql) throws IOException {
    byte[] body = sql.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(
        ("POST / HTTP/1.1\r\nHost: x\r\nAuthorization: "
                + writer.basic()
                + "\r\nContent-Length: "
                + body.length
                + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII));
    request.writeBytes(body);
    socket.getOutputStream().write(request.toByteArray());
    socket.getOutputStream().flush();
  }

  private static List<Path> spooled() throws IOException {
    try (var files = Files.list(directory.resolve("clickhouse/spool"))) {
      return files.toList();
    }
  }

  private static byte[] gzip(String text) throws IOException {
    return gzipOf(text.getBytes(StandardCharsets.UTF_8), text.length());
  }

  private static byte[] gzipOf(byte[] repeated, long bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      new Repeated(repeated, bytes).transferTo(gzip);
    }
    return packed.toByteArray();
  }

  /** The same bytes again and again, up to a length. */
  private static final class Repeated extends InputStream {
    private final byte[] bytes;
    private long left;
    private int at;

    Repeated(byte[] bytes, long length) {
      this.bytes = bytes;
      this.left = length;
    }

    @Override
    public int read() {
      if (left == 0) {
        return -1;
      }
      left--;
      byte next = bytes[at];
      at = (at + 1) % bytes.length;
      return next & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (left == 0) {
        return -1;
      }
      int n = (int) Math.min(Math.min(length, left), bytes.length - at);
      System.arraycopy(bytes, at, into, offset, n);
      at = (at + n) % bytes.length;
      left -= n;
      return n;
    }
  }
}
