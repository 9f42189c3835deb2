package org.capacityobservatory.streams.writer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.capacityobservatory.localstack.FaultyLink;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.capacityobservatory.localstack.LocalKafka;
import org.capacityobservatory.localstack.LocalKafkaConfig;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.capacityobservatory.sql.Retention;
import org.capacityobservatory.sql.SchemaLayout;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The writer between a real Kafka and a real engine; each test has its own topics and database. */
class WriterIT {
  private static final TopicPartition CALLS = new TopicPartition(Topics.CALLS, 0);

  /** Rows older than their retention would be removed as soon as they are stored. */
  private static final long NOW = System.currentTimeMillis() / 86_400_000 * 86_400_000;

  private static final String PARTS_OF_CALLS =
      "active AND table = 'calls' AND database = currentDatabase()";

  @TempDir private static Path directory;
  private static LocalKafka kafka;
  private static LocalClickHouse engine;
  private static Admin admin;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<Writer> running = new ArrayList<>();
  private String database = "";
  private int calls;

  @BeforeAll
  static void start() {
    kafka = LocalKafka.start(LocalKafkaConfig.in(directory.resolve("kafka")));
    engine = LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("clickhouse")));
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()));
  }

  @AfterAll
  static void stop() {
    admin.close();
    engine.close();
    kafka.close();
  }

  @BeforeEach
  void makeTopics() throws Exception {
    database = "t" + UUID.randomUUID().toString().replace("-", "");
    createTopics();
  }

  private static void createTopics() throws Exception {
    admin
        .createTopics(
            List.of(
                new NewTopic(Topics.CALLS, 1, (short) 1),
                new NewTopic(Topics.CONFIG_CHANGES, 1, (short) 1),
                new NewTopic(Topics.DEAD_LETTERS, 1, (short) 1),
                new NewTopic(Topics.METRICS, 1, (short) 1),
                new NewTopic(Topics.BOOKS, 1, (short) 1)))
        .all()
        .get();
  }

  @AfterEach
  void deleteTopics() throws Exception {
    running.forEach(Writer::close);
    removeTopics();
  }

  private static void removeTopics() throws Exception {
    List<String> all =
        List.of(
            Topics.CALLS, Topics.CONFIG_CHANGES, Topics.DEAD_LETTERS, Topics.METRICS, Topics.BOOKS);
    admin.deleteTopics(all).all().get();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> admin.listTopics().names().get().stream().noneMatch(all::contains));
  }

  /**
   * Each repetition is a killed writer's: the answer is lost, and the next one begins with what is
   * committed. Only the intent lets it form the same block again; the last part shows the doubles
   * that there are without it.
   */
  @Test
  void aBlockWhoseAnswerWasLostIsFormedAgainAndStoredOnce() throws Exception {
    // Once it is stored, the writer has asked ClickHouse where to begin.
    produceCalls(1);
    for (boolean withIntent : new boolean[] {true, false}) {
      String group = "group-" + withIntent;
      database = "t" + UUID.randomUUID().toString().replace("-", "");
      int before = calls;
      try (FaultyLink link = FaultyLink.to(engine.port())) {
        Writer first = writer(group, link.url());
        await().until(() -> assigned(group) && committed(group).offset() == before);
        link.cutAnswers(true);
        produceCalls(100);
        await().atMost(Duration.ofSeconds(60)).until(() -> stored("count()") >= before + 100);
        assertThat(committed(group).metadata()).matches("v1 \\S+ \\d+ \\d+ \\d+ [0-9a-f]+");
        first.close();
      }
      if (!withIntent) {
        admin
            .alterConsumerGroupOffsets(
                group, Map.of(CALLS, new OffsetAndMetadata(committed(group).offset())))
            .all()
            .get();
      }
      produceCalls(50);
      writer(group, engine.url());
      int all = before + 150;
      await().atMost(Duration.ofSeconds(60)).until(() -> stored("uniqExact(event_id)") == all);
      await().until(() -> committed(group).offset() == all);
      assertThat(stored("count()") - all)
          .as("doubles, %s intent", withIntent ? "with" : "without")
          .isEqualTo(withIntent ? 0 : 100);
      assertThat(number("SELECT count() FROM calls FINAL")).isEqualTo(all);
      running.forEach(Writer::close);
      running.clear();
    }
  }

  @Test
  void aGroupWithoutOffsetsGoesOnFromWhatIsStored() throws Exception {
    produceCalls(100);
    Writer first = writer("forgetful", engine.url());
    await().atMost(Duration.ofSeconds(60)).until(() -> stored("count()") == 100);
    await().until(() -> committed("forgetful").offset() == 100);
    first.close();
    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .until(
            () -> {
              admin.deleteConsumerGroups(List.of("forgetful")).all().get();
              return true;
            });
    produceCalls(71);
    // Offsets 100 to 120 are gone: what is stored tells how many nobody has seen.
    admin.deleteRecords(Map.of(CALLS, RecordsToDelete.beforeOffset(121))).all().get();
    writer("forgetful", engine.url());

    await().atMost(Duration.ofSeconds(60)).until(() -> stored("uniqExact(event_id)") == 150);
    assertThat(meters.get("capacity.write.lost").counter().count()).isEqualTo(21);
  }

  @Test
  void aTopicMadeAnewIsNotTakenForTheOldOne() throws Exception {
    produceCalls(150);
    Writer first = writer("anew", engine.url());
    await().atMost(Duration.ofSeconds(60)).until(() -> stored("count()") == 150);
    first.close();
    removeTopics();
    createTopics();
    produceCalls(50);

    assertThatThrownBy(() -> writer("anew", engine.url()))
        .isInstanceOf(WriterException.class)
        .hasMessageMatching("Topic ocl\\.capacity\\.\\S+ was made anew.*")
        .hasMessageContaining("--database");
    assertThat(stored("count()")).isEqualTo(150);
  }

  @Test
  void aMissingTopicIsNamed() throws Exception {
    admin.deleteTopics(List.of(Topics.BOOKS)).all().get();
    await().until(() -> !admin.listTopics().names().get().contains(Topics.BOOKS));

    assertThatThrownBy(() -> writer("nothing", engine.url()))
        .isInstanceOf(WriterException.class)
        .hasMessage(
            "Kafka lacks the topics ocl.capacity.books: create them with ./capacity topics");
    admin.createTopics(List.of(new NewTopic(Topics.BOOKS, 1, (short) 1))).all().get();
  }

  /** Refused blocks wait and grow, the group stays as it is, and nothing is lost or doubled. */
  @Test
  void tooManyPartsSlowTheWriterDownAndNothingElse() throws Exception {
    Writer writer = writer("parts", engine.url());
    await().until(() -> assigned("parts"));
    sql("ALTER TABLE calls MODIFY SETTING parts_to_delay_insert = 1, parts_to_throw_insert = 1");
    sql("SYSTEM STOP MERGES calls");
    produceCalls(10);
    await().atMost(Duration.ofSeconds(60)).until(() -> stored("count()") == 10);
    produceCalls(10);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> meters.get("capacity.write.failures").counter().count() >= 2);
    produceCalls(10);
    assertThat(meters.get("capacity.write.block.age").gauge().value()).isGreaterThanOrEqualTo(800);
    assertThat(stored("count()")).isEqualTo(10);

    sql("ALTER TABLE calls MODIFY SETTING parts_to_throw_insert = 3000");
    await().atMost(Duration.ofSeconds(60)).until(() -> stored("count()") == 30);
    assertThat(stored("uniqExact(event_id)")).isEqualTo(30);
    assertThat(writer.failure()).isNotDone();
    assertThat(number("SELECT count() FROM system.parts WHERE " + PARTS_OF_CALLS))
        .as("the first block, the refused one, and one that grew meanwhile")
        .isEqualTo(3);
  }

  @Test
  void goesOnWhenClickHouseComesBack() throws Exception {
    Writer writer = writer("away", engine.url());
    await().until(() -> assigned("away"));
    engine.kill();
    produceCalls(100);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> meters.get("capacity.write.failures").counter().count() >= 1);
    engine.restart();

    await().atMost(Duration.ofSeconds(60)).until(() -> stored("count()") == 100);
    assertThat(stored("uniqExact(event_id)")).isEqualTo(100);
    assertThat(writer.failure()).isNotDone();
  }

  private Writer writer(String group, URI clickHouse) {
    Writer writer = Writer.start(config(group, clickHouse), meters);
    running.add(writer);
    return writer;
  }

  /**
   * Calls without minutes differ, are told, and no longer differ once the calls are gone as well.
   */
  @Test
  void whatIsStoredIsRecountedOnASchedule() throws Exception {
    produceCalls(3);
    writer("recounted", engine.url());
    await().atMost(Duration.ofSeconds(60)).until(() -> stored("count()") == 3);
    assertThat(gauge("capacity.verify.differences")).isNaN();
    sql(
        "INSERT INTO minutes_state (lines_partition, complete_until, published_at, revision) VALUES (0, %d, %d, 1)"
            .formatted(NOW + 3_600_000, NOW));
    Verifications verifications =
        Verifications.start(
            config("recounted", engine.url()),
            new VerificationSchedule(
                Duration.ofSeconds(1), Duration.ofHours(1), Duration.ZERO, 0.8),
            meters);
    try {
      // One cell of decisions, four histograms, four lanes, one of usage.
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> gauge("capacity.verify.differing.cells") == 10);
      assertThat(
              sql("SELECT calls, differing_cells, length(differences) FROM verifications LIMIT 1"))
          .isEqualTo("3\t10\t10\n");
      sql("TRUNCATE TABLE calls");
      await().atMost(Duration.ofSeconds(60)).until(() -> gauge("capacity.verify.differences") == 0);
    } finally {
      verifications.close();
    }
  }

  private double gauge(String name) {
    Gauge gauge = meters.find(name).gauge();
    return gauge == null ? Double.NaN : gauge.value();
  }

  private WriterConfig config(String group, URI clickHouse) {
    return new WriterConfig(
        kafka.bootstrap(),
        group,
        config(clickHouse),
        SchemaLayout.oneNode(),
        Retention.USUAL,
        1_000,
        Duration.ofMillis(200),
        Map.of());
  }

  private ClickHouseConfig config(URI url) {
    return new ClickHouseConfig(url, "default", engine.password(LocalClickHouse.WRITER), database);
  }

  /** Of 24 partitions each brings a call, five times: none finds company, and parts are merged. */
  @Test
  void manySmallBlocksDoNotPileUpParts() throws Exception {
    admin.createPartitions(Map.of(Topics.CALLS, NewPartitions.increaseTo(24))).all().get();
    Writer writer = writer("small", engine.url());
    await().until(() -> assigned("small"));
    for (int round = 1; round <= 5; round++) {
      produceCalls(24, 24, 5_000);
      long all = 24L * round;
      await().atMost(Duration.ofSeconds(60)).until(() -> stored("count()") == all);
    }

    assertThat(number("SELECT max(max_block_number) FROM system.parts WHERE " + PARTS_OF_CALLS))
        .as("blocks")
        .isGreaterThanOrEqualTo(120);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> number("SELECT count() FROM system.parts WHERE " + PARTS_OF_CALLS) < 100);
    assertThat(writer.failure()).isNotDone();
  }

  /** ClickHouse refuses an insert of more than 100 table partitions. */
  @Test
  void daysOfAFileGoIntoAPartitionEach() throws Exception {
    produceCalls(150, 1, -86_400_000);
    writer("days", engine.url());

    await().atMost(Duration.ofSeconds(60)).until(() -> stored("count()") == 150);
    assertThat(stored("uniqExact(toDate(ended_at))")).isEqualTo(150);
    assertThat(meters.get("capacity.write.failures").counter().count()).isZero();
  }

  private void produceCalls(int count) throws Exception {
    produceCalls(count, 1, 1);
  }

  /** Calls in turn for each partition, with a time between one and the next. */
  private void produceCalls(int count, int partitions, long stepMillis) throws Exception {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    // A producer of its own: one from before a topic was made anew still counts for the old one.
    // One
    // batch at a time: while a new topic's leader isn't ready, the first of two may be refused and
    // the
    // second taken, and then the first is out of order for ever.
    try (var producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers", kafka.bootstrap(), "max.in.flight.requests.per.connection", 1),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = 0; i < count; i++) {
        calls++;
        String row =
            "{\"event_id\":\"%s\",\"source\":\"s\",\"generation\":1,\"position\":%d,\"time_source\":\"envelope\",\"ended_at\":%d,\"read_at\":%d,\"decision\":\"admitted\"}"
                .formatted(new UUID(1, calls), calls, NOW + calls * stepMillis, NOW);
        sent.add(
            producer.send(
                new ProducerRecord<>(Topics.CALLS, i % partitions, null, row.getBytes(UTF_8))));
      }
    }
    for (Future<RecordMetadata> one : sent) {
      one.get();
    }
  }

  private static boolean assigned(String group) throws Exception {
    return admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
        .flatMap(description -> description.members().stream())
        .anyMatch(member -> !member.assignment().topicPartitions().isEmpty());
  }

  private static OffsetAndMetadata committed(String group) throws Exception {
    OffsetAndMetadata offset =
        admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().get(CALLS);
    return offset == null ? new OffsetAndMetadata(0) : offset;
  }

  private long stored(String what) {
    return number("SELECT " + what + " FROM calls");
  }

  private long number(String query) {
    return Long.parseLong(sql(query).strip());
  }

  private String sql(String statement) {
    return new ClickHouseHttp(config(engine.url()), Duration.ofSeconds(30)).execute(statement);
  }
}
