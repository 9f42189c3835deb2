package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;
import static org.capacityobservatory.shipper.TestingKafka.header;
import static org.capacityobservatory.shipper.TestingLog.append;
import static org.capacityobservatory.shipper.TestingLog.call;
import static org.capacityobservatory.shipper.TestingLog.calls;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.capacityobservatory.log.EventId;
import org.capacityobservatory.log.LineHeaders;
import org.capacityobservatory.log.Topics;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShipperIT {
  private static final Duration WAIT = Duration.ofSeconds(60);
  private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");

  private static TestingKafka kafka;

  @TempDir Path folder;
  private Path log;
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @BeforeAll
  static void startKafka() throws Exception {
    kafka = TestingKafka.shared();
  }

  @BeforeEach
  void nameLog() {
    log = folder.resolve("app.log");
  }

  /** The folder's own name makes an identity that no other test has. */
  private ShipperConfig.Builder config(String... files) {
    return ShipperConfig.builder()
        .bootstrapServers(kafka.bootstrap())
        .identity(folder.getFileName().toString())
        .rotatedQuiet(Duration.ofMillis(500))
        .heartbeatInterval(Duration.ofMillis(200))
        .files(List.of(files));
  }

  private Shipper shipper(ShipperConfig config) {
    return new Shipper(config, InstantSource.fixed(NOW), meters);
  }

  private ShipperStatus shipOnce(String... files) throws InterruptedException {
    try (Shipper shipper = shipper(config(files).once(true).build())) {
      shipper.start();
      ShipperStatus status = shipper.awaitDone(WAIT);
      assertThat(status.state()).isEqualTo(ShipperStatus.State.DONE);
      return status;
    }
  }

  private List<ConsumerRecord<byte[], byte[]>> lines() {
    return kafka.committed(Topics.LINES, folder.toString());
  }

  private List<Integer> cids() {
    return kafka.cids(folder.toString()).stream().sorted().toList();
  }

  private static List<Integer> numbers(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().toList();
  }

  /** The counts are those of the samples' README, made with other tools. */
  @Test
  void shipsTheRealSamplesOnce() throws Exception {
    Path samples = Path.of("../samples").toAbsolutePath().normalize();
    // Its own copy: the samples' paths would be other tests' sources too.
    for (String name : List.of("shadow", "events", "enforce")) {
      Files.createDirectories(folder.resolve(name));
      try (var files = Files.list(samples.resolve(name))) {
        for (Path file : files.filter(f -> f.toString().contains("api-")).toList()) {
          Files.copy(file, folder.resolve(name).resolve(file.getFileName()));
        }
      }
    }
    ShipperStatus status =
        shipOnce(folder + "/shadow/*.log", folder + "/events/*", folder + "/enforce/*.gz");
    assertThat(acknowledged(status, "shadow")).isEqualTo(1_805);
    assertThat(acknowledged(status, "enforce")).isEqualTo(5_685);
    assertThat(acknowledged(status, "events")).isEqualTo(1_083);
    Books events = books(status, "events");
    assertThat(events.linesRead()).isEqualTo(2_216);
    assertThat(events.notOurs()).isEqualTo(1_133);
    assertThat(events.quarantined()).isZero();
    List<ConsumerRecord<byte[], byte[]>> lines = lines();
    assertThat(lines).hasSize(1_805 + 5_685 + 1_083);
    assertThat(lines.stream().map(r -> header(r, LineHeaders.EVENT_ID)).distinct())
        .hasSize(lines.size());
    assertThat(kafka.committed(Topics.DEAD_LETTERS, folder.toString())).isEmpty();

    ConsumerRecord<byte[], byte[]> first =
        lines.stream()
            .filter(r -> new String(r.key(), UTF_8).endsWith("shadow/api-a.log"))
            .findFirst()
            .orElseThrow();
    String source = folder + "/shadow/api-a.log";
    assertThat(first.timestamp())
        .isEqualTo(Instant.parse("2026-11-30T09:48:03.786Z").toEpochMilli());
    assertThat(new String(first.value(), UTF_8))
        .startsWith("{\"event\":\"ocl_capacity\",\"decision\":\"admitted\"")
        .endsWith("\"cid\":\"43fb1bc8a7fd48429e2ed64f831ee9a5\"}");
    assertThat(header(first, LineHeaders.EVENT_ID)).isEqualTo(EventId.of(source, 1, 0).toString());
    assertThat(header(first, LineHeaders.SOURCE)).isEqualTo(source);
    assertThat(header(first, LineHeaders.GENERATION)).isEqualTo("1");
    assertThat(header(first, LineHeaders.POSITION)).isEqualTo("0");
    assertThat(header(first, LineHeaders.TIME_SOURCE)).isEqualTo("envelope");
    assertThat(header(first, LineHeaders.READ_AT)).isEqualTo("" + NOW.toEpochMilli());
    assertThat(first.headers().lastHeader(LineHeaders.FLAG)).isNull();

    ShipperStatus again =
        shipOnce(folder + "/shadow/*.log", folder + "/events/*", folder + "/enforce/*.gz");
    assertThat(acknowledged(again, "")).isEqualTo(1_805 + 5_685 + 1_083);
    assertThat(lines()).hasSize(lines.size());
  }

  private Books books(ShipperStatus status, String part) {
    return status.sources().stream()
        .filter(source -> source.source().startsWith(folder + "/" + part))
        .map(SourceStatus::books)
        .reduce(Books.EMPTY, Books::plus);
  }

  private long acknowledged(ShipperStatus status, String part) {
    return books(status, part).acknowledged();
  }

  @Test
  void writesBooksAndDeadLettersThatBalance() throws Exception {
    append(
        log,
        calls(1, 2)
            + "noise\n{\"event\":\"ocl_usage\",\"log_dropped\":3}\n"
            + "2026-11-30T09:48:14.5Z stdout F {\"event\":\"ocl_capacity\",\"held_ms\":x}\n"
            + call(3).substring(0, 30));
    shipOnce(log.toString());
    List<ConsumerRecord<byte[], byte[]>> letters =
        kafka.committed(Topics.DEAD_LETTERS, log.toString());
    assertThat(letters).hasSize(2);
    int at =
        2 * (call(1).length() + 1)
            + "noise\n{\"event\":\"ocl_usage\",\"log_dropped\":3}\n".length();
    assertThat(new String(letters.get(0).value(), UTF_8))
        .isEqualTo(
            ("{\"id\":\"%s\",\"stage\":\"ship\",\"source\":\"%s\",\"generation\":1,\"position\":%d,"
                    + "\"reason\":\"bad_json\",\"detail\":\"not JSON from the value at byte 34\","
                    + "\"raw_base64\":\"eyJldmVudCI6Im9jbF9jYXBhY2l0eSIsImhlbGRfbXMiOnh9\","
                    + "\"raw_length\":36,\"raw_sha256\":"
                    + "\"%s\",\"event_at\":1796032094500,\"read_at\":1796083200000}")
                .formatted(
                    EventId.of(log.toString(), 1, at),
                    log,
                    at,
                    sha256("{\"event\":\"ocl_capacity\",\"held_ms\":x}")));
    assertThat(new String(letters.get(1).value(), UTF_8))
        .contains("\"reason\":\"unterminated\"")
        .doesNotContain("event_at");
    List<ConsumerRecord<byte[], byte[]>> books = kafka.committed(Topics.BOOKS, log.toString());
    assertThat(new String(books.get(books.size() - 1).value(), UTF_8))
        .isEqualTo(
            ("{\"source\":\"%s\",\"shipper\":\"%s\",\"written_at\":1796083200000,\"generation\":1,"
                    + "\"lines_read\":6,\"acknowledged\":2,\"quarantined\":2,\"not_ours\":2,"
                    + "\"pending\":0,\"bytes_read\":%d,\"behind_bytes\":0,\"dropped_at_source\":3,"
                    + "\"clock\":1796032094500,\"at_end\":true,\"state\":\"ended\"}")
                .formatted(log, folder.getFileName(), Files.size(log)));
    assertThat(
            meters
                .get("capacity.ship.acknowledged")
                .tag("source", log.toString())
                .functionCounter()
                .count())
        .isEqualTo(2);
    assertThat(
            meters
                .get("capacity.ship.quarantined.by.reason")
                .tag("reason", "bad_json")
                .counter()
                .count())
        .isEqualTo(1);
  }

  private static String sha256(String text) throws Exception {
    return java.util.HexFormat.of()
        .formatHex(java.security.MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
  }

  @Test
  void followsFilesThroughRotationTruncationAndRestarts() throws Exception {
    append(log, calls(1, 10));
    Shipper closed;
    try (Shipper shipper = shipper(config(log + "*").build())) {
      closed = shipper;
      shipper.start();
      await().atMost(WAIT).until(() -> acknowledged(shipper.status(), "") == 10);
      TestingLog.rename(log, folder.resolve("app.log.1"));
      append(folder.resolve("app.log.1"), calls(11, 12));
      append(log, calls(13, 20));
      await().atMost(WAIT).until(() -> acknowledged(shipper.status(), "") == 20);
      TestingLog.truncate(log);
      append(log, calls(21, 22) + call(23).substring(0, 7));
      await().atMost(WAIT).until(() -> acknowledged(shipper.status(), "") == 22);
    }
    assertThat(closed.status().state()).isEqualTo(ShipperStatus.State.CLOSED);
    append(log, call(23).substring(7) + "\n" + calls(24, 30));
    try (Shipper shipper = shipper(config(log + "*").build())) {
      shipper.start();
      await().atMost(WAIT).until(() -> acknowledged(shipper.status(), "") == 30);
      // Heartbeats go on though nothing happens.
      int books = kafka.committed(Topics.BOOKS, log.toString()).size();
      await()
          .atMost(WAIT)
          .until(() -> kafka.committed(Topics.BOOKS, log.toString()).size() >= books + 3);
    }
    assertThat(cids()).isEqualTo(numbers(1, 30));
    assertThat(lines())
        .filteredOn(r -> TestingShipping.cid(new String(r.value(), UTF_8)) >= 21)
        .allMatch(r -> header(r, LineHeaders.GENERATION).equals("3"))
        .allMatch(r -> header(r, LineHeaders.TIME_SOURCE).equals("read"))
        .allMatch(r -> r.timestamp() == NOW.toEpochMilli());
  }

  @Test
  void aSecondShipperOfTheSameIdentityShutsOutTheFirst() throws Exception {
    append(log, calls(1, 5));
    try (Shipper first = shipper(config(log.toString()).build());
        Shipper second = shipper(config(log.toString()).build())) {
      first.start();
      await().atMost(WAIT).until(() -> acknowledged(first.status(), "") == 5);
      second.start();
      await().atMost(WAIT).until(() -> acknowledged(second.status(), "") == 5);
      append(log, calls(6, 10));
      ShipperException e =
          catchThrowableOfType(ShipperException.class, () -> first.awaitDone(WAIT));
      assertThat(e.kind()).isEqualTo(ShipperException.Kind.FENCED);
      assertThat(e.getMessage()).contains(folder.getFileName().toString());
      await().atMost(WAIT).until(() -> acknowledged(second.status(), "") == 10);
      assertThat(second.status().state()).isEqualTo(ShipperStatus.State.SHIPPING);
    }
    assertThat(cids()).isEqualTo(numbers(1, 10));
  }

  @Test
  void goesOnWhenTheBrokerComesBack() throws Exception {
    append(log, calls(1, 100));
    // Without heartbeats the next thing sent is a chunk of lines, by a client that has forgotten
    // the topics: each of its sends would block for as long as a call to Kafka may.
    ShipperConfig config = config(log.toString()).heartbeatInterval(Duration.ofMinutes(1)).build();
    try (Shipper shipper = shipper(config)) {
      shipper.start();
      await().atMost(WAIT).until(() -> acknowledged(shipper.status(), "") == 100);
      kafka.kill();
      Thread.sleep(1_000);
      append(log, calls(101, 2_000));
      TestingLog.rename(log, folder.resolve("away"));
      append(log, calls(2_001, 2_100));
      await()
          .atMost(WAIT)
          .until(() -> shipper.status().state() == ShipperStatus.State.WAITING_FOR_BROKER);
      Files.delete(folder.resolve("away"));
      kafka.restart();
      await().atMost(WAIT).until(() -> acknowledged(shipper.status(), "") == 2_100);
    }
    assertThat(cids()).isEqualTo(numbers(1, 2_100));
  }

  /** Trap one: another's open transaction hides what is committed behind it. */
  @Test
  void readsPositionsThatStandBehindAnOpenTransaction() throws Exception {
    append(log, calls(1, 5));
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            kafka.bootstrap(),
            "transactional.id",
            folder + "-other",
            "transaction.timeout.ms",
            60_000);
    try (var other =
        new KafkaProducer<byte[], byte[]>(
            settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      other.initTransactions();
      try (Shipper shipper = shipper(config(log.toString()).build())) {
        shipper.start();
        await().atMost(WAIT).until(() -> acknowledged(shipper.status(), "") == 5);
        other.beginTransaction();
        for (int partition = 0; partition < 2; partition++) {
          byte[] key = "other|x|1".getBytes(UTF_8);
          other.send(new ProducerRecord<>(Topics.POSITIONS, partition, key, null)).get();
        }
        // Committed, and hidden from committed readers until the other's transaction ends.
        append(log, calls(6, 8));
        await().atMost(WAIT).until(() -> acknowledged(shipper.status(), "") == 8);
      }
      try (Shipper shipper = shipper(config(log.toString()).build())) {
        shipper.start();
        // Time enough to go on from the positions of line 5, and to ship three lines again.
        Thread.sleep(2_000);
        other.abortTransaction();
        append(log, calls(9, 9));
        await().atMost(WAIT).until(() -> acknowledged(shipper.status(), "") == 9);
      }
    }
    assertThat(cids()).isEqualTo(numbers(1, 9));
  }

  /**
   * A broker that takes connections and never answers, for longer than a record may wait: what
   * expired is no line shipped, and the books say so all the while.
   * (https://github.com/fluent/fluent-bit/issues/11527 and
   * https://github.com/vectordotdev/vector/issues/14259; with a delivery timeout that counts as
   * done, lines 101 to 400 are missing.)
   */
  @Test
  void anOutageLongerThanTheDeliveryTimeoutLosesNothing() throws Exception {
    append(log, calls(1, 100));
    ShipperConfig config =
        config(log.toString())
            .heartbeatInterval(Duration.ofMinutes(1))
            .kafkaProperties(Map.of("request.timeout.ms", "1000", "delivery.timeout.ms", "1500"))
            .build();
    try (Shipper shipper = shipper(config)) {
      shipper.start();
      await().atMost(WAIT).until(() -> acknowledged(shipper.status(), "") == 100);
      kafka.pause();
      try {
        append(log, calls(101, 400));
        await()
            .atMost(WAIT)
            .until(() -> shipper.status().state() == ShipperStatus.State.WAITING_FOR_BROKER);
        assertThat(acknowledged(shipper.status(), "")).isEqualTo(100);
      } finally {
        kafka.resume();
      }
      await().atMost(WAIT).until(() -> acknowledged(shipper.status(), "") == 400);
      assertThat(shipper.status().transactionsAborted()).isPositive();
    }
    assertThat(cids()).isEqualTo(numbers(1, 400));
  }

  /**
   * Files that are made, renamed away and deleted while Kafka is away: they are held open, which
   * the metrics tell. Without a look at the disk during the outage, lines 5 and 6 are lost.
   */
  @Test
  void filesThatComeAndGoDuringAnOutageAreShipped() throws Exception {
    append(log, calls(1, 2));
    ShipperConfig config = config(log.toString()).heartbeatInterval(Duration.ofMinutes(1)).build();
    try (Shipper shipper = shipper(config)) {
      shipper.start();
      await().atMost(WAIT).until(() -> acknowledged(shipper.status(), "") == 2);
      kafka.pause();
      try {
        append(log, calls(3, 4));
        Files.delete(log);
        append(log, calls(5, 6));
        await().atMost(WAIT).until(() -> shipper.status().files().open() == 2);
        Files.delete(log);
        await()
            .atMost(WAIT)
            .until(() -> meters.get("capacity.ship.held.bytes").gauge().value() > 0);
        assertThat(meters.get("capacity.ship.open.files").gauge().value()).isEqualTo(2);
      } finally {
        kafka.resume();
      }
      await().atMost(WAIT).until(() -> acknowledged(shipper.status(), "") == 6);
      await().atMost(WAIT).until(() -> shipper.status().files().open() == 0);
    }
    assertThat(cids()).isEqualTo(numbers(1, 6));
  }

  /**
   * A topic that lost its records must not be taken for a beginning; not by the next start either.
   */
  @Test
  void anEmptiedPositionsTopicIsNoBeginning() throws Exception {
    append(log, calls(1, 5));
    shipOnce(log.toString());
    kafka.deletePositions();
    try {
      ShipperException missing =
          catchThrowableOfType(
              ShipperException.class, () -> shipper(config(log.toString()).build()).run());
      assertThat(missing.kind()).isEqualTo(ShipperException.Kind.TOPIC_MISSING);
    } finally {
      kafka.createPositions();
    }
    for (int start = 0; start < 2; start++) {
      ShipperException emptied =
          catchThrowableOfType(
              ShipperException.class, () -> shipper(config(log.toString()).build()).run());
      assertThat(emptied.kind()).isEqualTo(ShipperException.Kind.POSITIONS_UNREADABLE);
      assertThat(emptied.getMessage()).contains("are gone", folder.getFileName().toString());
    }
    assertThat(cids()).isEqualTo(numbers(1, 5));
  }

  /** Polling says nothing of a broker that died: the shipper would show itself as starting. */
  @Test
  void givesUpOnABrokerThatDiesWhilePositionsAreRead() throws Exception {
    append(log, calls(1, 5));
    Map<String, Object> settings =
        Map.of("bootstrap.servers", kafka.bootstrap(), "transactional.id", folder + "-other");
    try (var other =
        new KafkaProducer<byte[], byte[]>(
            settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      other.initTransactions();
      other.beginTransaction();
      for (int partition = 0; partition < 2; partition++) {
        other.send(new ProducerRecord<>(Topics.POSITIONS, partition, new byte[] {1}, null)).get();
      }
      try (Shipper shipper = shipper(config(log.toString()).build())) {
        shipper.start();
        // It reads positions now, and waits for the other's transaction.
        Thread.sleep(2_000);
        assertThat(shipper.status().state()).isEqualTo(ShipperStatus.State.STARTING);
        kafka.pause();
        try {
          await()
              .atMost(WAIT)
              .until(() -> shipper.status().state() == ShipperStatus.State.WAITING_FOR_BROKER);
        } finally {
          kafka.resume();
        }
        other.abortTransaction();
        await().atMost(WAIT).until(() -> acknowledged(shipper.status(), "") == 5);
      }
    }
    assertThat(cids()).isEqualTo(numbers(1, 5));
  }

  @Test
  void refusesPositionsItCannotRead() throws Exception {
    append(log, calls(1, 5));
    byte[] key = PositionCodec.key(folder.getFileName().toString(), log.toString(), 1);
    try (var producer =
        new KafkaProducer<byte[], byte[]>(
            Map.of("bootstrap.servers", kafka.bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (String value : List.of("\0\0\0", "{\"v\":3}")) {
        producer.send(new ProducerRecord<>(Topics.POSITIONS, key, value.getBytes(UTF_8))).get();
        try (Shipper shipper = shipper(config(log.toString()).build())) {
          ShipperException e = catchThrowableOfType(ShipperException.class, shipper::run);
          assertThat(e.kind()).isEqualTo(ShipperException.Kind.POSITIONS_UNREADABLE);
          assertThat(e.getMessage()).contains(log.toString());
        }
      }
      producer.send(new ProducerRecord<>(Topics.POSITIONS, key, null)).get();
    }
    assertThat(lines()).isEmpty();
  }

  @Test
  void namesABrokerThatIsNotThere() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    ShipperConfig config =
        config(log.toString())
            .bootstrapServers("127.0.0.1:" + port)
            .brokerTimeout(Duration.ofSeconds(1))
            .build();
    ShipperException e = catchThrowableOfType(ShipperException.class, () -> shipper(config).run());
    assertThat(e.kind()).isEqualTo(ShipperException.Kind.BROKER_UNREACHABLE);
    assertThat(e.getMessage()).contains("127.0.0.1:" + port);
  }

  @Test
  void namesTopicsThatWouldLoseOrRefuseRecords() throws Exception {
    append(log, calls(1, 1));
    assertRefused(Topics.POSITIONS, "cleanup.policy", "delete", "compact");
    assertRefused(Topics.LINES, "message.timestamp.after.max.ms", "3600000", "" + Long.MAX_VALUE);
    assertThat(lines()).isEmpty();
  }

  private void assertRefused(String topic, String setting, String wrong, String right)
      throws Exception {
    set(topic, setting, wrong);
    try {
      ShipperException e =
          catchThrowableOfType(
              ShipperException.class, () -> shipper(config(log.toString()).build()).run());
      assertThat(e.kind()).isEqualTo(ShipperException.Kind.TOPIC_WRONG);
      assertThat(e.getMessage()).contains(topic, setting, right);
    } finally {
      set(topic, setting, right);
    }
  }

  private static void set(String topic, String setting, String value) throws Exception {
    try (var admin = kafka.admin()) {
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, topic),
                  List.of(
                      new AlterConfigOp(
                          new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
          .all()
          .get();
    }
  }
}
