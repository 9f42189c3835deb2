package org.capacityobservatory.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts, stops, locks and ports of both servers. */
class LifecycleIT {
  private static final Duration PATIENCE = Duration.ofSeconds(100);

  @TempDir static Path directory;

  private static LocalKafka kafka;
  private static LocalClickHouse clickHouse;

  @BeforeAll
  static void start() throws Exception {
    // As if both had been killed before: Kafka while it formatted, ClickHouse while it took a body.
    leave("one/kafka/owner.lock", "1");
    leave("one/kafka/logs.new/bootstrap.checkpoint", "half");
    leave("one/clickhouse/owner.lock", "1");
    leave("one/clickhouse/spool/body1.tmp", "half");
    kafka = LocalKafka.start(LocalKafkaConfig.in(directory.resolve("one/kafka")));
    clickHouse =
        LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("one/clickhouse")));
  }

  private static void leave(String name, String content) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, content);
  }

  @AfterAll
  static void stop() {
    clickHouse.close();
    kafka.close();
  }

  @Test
  void whatAKilledPredecessorLeftIsClearedAway() {
    assertThat(directory.resolve("one/kafka/logs.new")).doesNotExist();
    assertThat(directory.resolve("one/kafka/logs/meta.properties")).exists();
    assertThat(directory.resolve("one/clickhouse/spool")).isEmptyDirectory();
  }

  @Test
  void aKafkaDirectoryWithoutItsIdentityIsNotFormattedOver() throws Exception {
    leave("five/kafka/logs/lines-0/00000000000000000000.log", "data");
    assertThatThrownBy(() -> LocalKafka.start(LocalKafkaConfig.in(directory.resolve("five/kafka"))))
        .isInstanceOf(LocalStackException.class)
        .hasMessageContaining("has no meta.properties");
    assertThat(directory.resolve("five/kafka/logs/lines-0/00000000000000000000.log")).exists();
  }

  @Test
  void aSecondOwnerOfADirectoryIsRefused() {
    Path kafkas = directory.resolve("one/kafka");
    assertThatThrownBy(() -> LocalKafka.start(LocalKafkaConfig.in(kafkas)))
        .isInstanceOf(LocalStackException.class)
        .hasMessageContaining(kafkas.toString())
        .hasMessageContaining("pid " + kafka.pid());
    Path clickHouses = directory.resolve("one/clickhouse");
    assertThatThrownBy(() -> LocalClickHouse.start(LocalClickHouseConfig.in(clickHouses)))
        .isInstanceOf(LocalStackException.class)
        .hasMessageContaining(clickHouses.toString())
        .hasMessageContaining("pid " + clickHouse.pid());
    assertThat(kafka.isAlive()).isTrue();
    assertThat(clickHouse.isAlive()).isTrue();
  }

  @Test
  void aPortInUseIsNamed() {
    assertThatThrownBy(
            () ->
                LocalKafka.start(
                    LocalKafkaConfig.in(directory.resolve("no/kafka")).withPort(clickHouse.port())))
        .isInstanceOf(LocalStackException.class)
        .hasMessageStartingWith("Port " + clickHouse.port() + " on 127.0.0.1 is in use");
    assertThatThrownBy(
            () ->
                LocalClickHouse.start(
                    LocalClickHouseConfig.in(directory.resolve("no/clickhouse"))
                        .withPort(kafka.port())))
        .isInstanceOf(LocalStackException.class)
        .hasMessageStartingWith("Port " + kafka.port() + " on 127.0.0.1 is in use");
  }

  @Test
  void aDirectoryThatCantBeWrittenIsNamed() throws Exception {
    Path file = Files.writeString(directory.resolve("a-file"), "x");
    assertThatThrownBy(() -> LocalKafka.start(kafkaWithLogElsewhere(file)))
        .isInstanceOf(LocalStackException.class)
        .hasMessageContaining(file.toString());
  }

  private static LocalKafkaConfig kafkaWithLogElsewhere(Path data) {
    return LocalKafkaConfig.in(data).withLogFile(directory.resolve("elsewhere.log"));
  }

  @Test
  void killAndRestartLoseNothingOfClickHouse() throws Exception {
    LocalClickHouseConfig config = LocalClickHouseConfig.in(directory.resolve("two/clickhouse"));
    String passwordBefore;
    int port;
    try (LocalClickHouse server = LocalClickHouse.start(config)) {
      passwordBefore = server.password(LocalClickHouse.WRITER);
      port = server.port();
      Http client = Http.as(server, LocalClickHouse.WRITER);
      client.query("CREATE DATABASE d");
      client.query("CREATE TABLE d.t (a UInt64) ENGINE = MergeTree ORDER BY a");
      for (int i = 0; i < 5; i++) {
        HttpResponse<String> answer =
            client.post(
                "/?async_insert=0&query=" + Http.encode("INSERT INTO d.t FORMAT TSV"), i + "\n");
        assertThat(answer.statusCode()).isEqualTo(200);
      }
      server.kill();
      assertThat(server.isAlive()).isFalse();
      server.restart();
      assertThat(server.port()).isEqualTo(port);
      assertThat(client.query("SELECT count(), sum(a) FROM d.t")).isEqualTo("5\t10\n");
      client.query("INSERT INTO d.t VALUES (100)");
    }
    // The other stack was there all the time: two run side by side.
    assertThat(Http.as(clickHouse, LocalClickHouse.READER).query("SELECT 1")).isEqualTo("1\n");
    try (LocalClickHouse again = LocalClickHouse.start(config.withPort(port))) {
      assertThat(again.port()).as("its port is free again").isEqualTo(port);
      assertThat(again.password(LocalClickHouse.WRITER)).isEqualTo(passwordBefore);
      assertThat(Http.as(again, LocalClickHouse.READER).query("SELECT count() FROM d.t"))
          .isEqualTo("6\n");
    }
  }

  @Test
  void closingEndsARunningQueryAndTheProcess() throws Exception {
    LocalClickHouse server =
        LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("three/clickhouse")));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      String sql = "SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sin(number))";
      Http client = Http.as(server, LocalClickHouse.WRITER);
      socket
          .getOutputStream()
          .write(
              ("POST / HTTP/1.1\r\nHost: x\r\nAuthorization: "
                      + client.basic()
                      + "\r\nContent-Length: "
                      + sql.length()
                      + "\r\n\r\n"
                      + sql)
                  .getBytes(StandardCharsets.US_ASCII));
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  client
                      .query("SELECT count() FROM system.processes WHERE query LIKE '%ignore(sin%'")
                      .equals("2\n"));
      server.close();
      assertThat(server.exitCode()).as("closed by itself, not by force").hasValue(143);
    }
  }

  @Test
  void aParentThatIsKilledLeavesNoProcessAndNoLock() throws Exception {
    Path four = Files.createDirectories(directory.resolve("four"));
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                TestingParent.class.getName(),
                four.toString())
            .redirectOutput(four.resolve("parent.log").toFile())
            .redirectError(four.resolve("parent.err").toFile())
            .start();
    List<ProcessHandle> children;
    try {
      await().atMost(PATIENCE).until(() -> Files.exists(four.resolve("pids")));
      children =
          Arrays.stream(Files.readString(four.resolve("pids")).split(" ", -1))
              .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
              .toList();
      assertThat(children).hasSize(2).allMatch(ProcessHandle::isAlive);
    } finally {
      parent.destroyForcibly();
    }
    assertThat(parent.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    await().atMost(PATIENCE).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    DirectoryLock.take(four.resolve("kafka")).close();
    DirectoryLock.take(four.resolve("clickhouse")).close();
  }
}
