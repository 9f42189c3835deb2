package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.test.TestRecord;
import org.capacityobservatory.localstack.LocalKafka;
import org.capacityobservatory.localstack.LocalKafkaConfig;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.metrics.MetricsConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job on a real broker: what only a broker can show, stops, restarts and lost offsets. */
class StreamsJobIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final TopicPartition LINES = new TopicPartition(Topics.LINES, 0);
  private static final String ADMITTED =
      "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"tier\":\"core\",\"held_ms\":840}";
  private static final long NOON = Instant.parse("2026-03-01T12:00:00Z").toEpochMilli();

  @TempDir private static Path directory;
  private static LocalKafka kafka;
  private static Admin admin;
  private static KafkaProducer<byte[], byte[]> producer;

  private int jobs;

  @BeforeAll
  static void start() {
    kafka = LocalKafka.start(LocalKafkaConfig.in(directory.resolve("kafka")));
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()));
    producer =
        new KafkaProducer<>(
            // A topic that was just made may refuse the first of two batches and take the second.
            Map.of(
                "bootstrap.servers", kafka.bootstrap(), "max.in.flight.requests.per.connection", 1),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @AfterAll
  static void stop() {
    producer.close();
    admin.close();
    kafka.close();
  }

  /**
   * Over a restart without any local state, cells go on as the same partials: a store that didn't
   * write at the commit would begin them anew with the first line after it. The last record is bad,
   * and isn't read again.
   */
  @Test
  void aRestartGoesOnWithTheSameCellsAndReadsNothingTwice() throws Exception {
    makeTopics();
    SimpleMeterRegistry before = new SimpleMeterRegistry();
    try (StreamsJob job = job("restarted", before)) {
      send(0, 100, ADMITTED);
      send(100, 1, "{\"event\":\"ocl_capacity\",\"decision\":");
      awaitCommitted(job, "restarted", 101);
    }
    SimpleMeterRegistry after = new SimpleMeterRegistry();
    try (StreamsJob job = job("restarted", after)) {
      send(101, 50, ADMITTED);
      awaitCommitted(job, "restarted", 151);
      // Published by a punctuation after the lines, so perhaps in a later transaction.
      await().atMost(PATIENCE).until(() -> callsByPartial().equals(Map.of(0L, 150L)));
      assertThat(job.failure()).isNotDone();
    }

    assertThat(counted(before, "calls")).isEqualTo(100);
    assertThat(counted(before, "dead.letters")).isEqualTo(1);
    assertThat(counted(after, "calls")).isEqualTo(50);
    assertThat(counted(after, "dead.letters")).isZero();
    assertThat(read(Topics.CALLS)).hasSize(150);
    assertThat(read(Topics.DEAD_LETTERS))
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.get("topic").asText()).isEqualTo(Topics.LINES);
              assertThat(letter.get("partition").asInt()).isZero();
              assertThat(letter.get("offset").asLong()).isEqualTo(100);
              assertThat(letter.get("reason").asText()).isEqualTo("bad_json");
            });
  }

  @Test
  void linesThatRetentionRemovedAreALossOfThatMany() throws Exception {
    makeTopics();
    try (StreamsJob job = job("behind", new SimpleMeterRegistry())) {
      send(0, 100, ADMITTED);
      awaitCommitted(job, "behind", 100);
    }
    send(100, 50, ADMITTED);
    admin.deleteRecords(Map.of(LINES, RecordsToDelete.beforeOffset(121))).all().get();
    SimpleMeterRegistry after = new SimpleMeterRegistry();
    try (StreamsJob job = job("behind", after)) {
      awaitCommitted(job, "behind", 150);
    }

    assertThat(counted(after, "lost.lines")).isEqualTo(21);
    assertThat(counted(after, "calls")).isEqualTo(29);
  }

  @Test
  void lostOffsetsAndAnotherTopicStopTheJobWithAWord() throws Exception {
    makeTopics();
    try (StreamsJob job = job("lost", new SimpleMeterRegistry())) {
      send(0, 20, ADMITTED);
      awaitCommitted(job, "lost", 20);
    }
    admin.deleteConsumerGroupOffsets("lost", Set.of(LINES)).all().get();
    assertThatThrownBy(() -> job("lost", new SimpleMeterRegistry()))
        .isInstanceOf(StreamsStartException.class)
        .hasMessageContaining("its offsets on ocl.capacity.lines are gone");

    // The same name, and by now more lines than the group had read: only the id tells.
    makeTopics();
    send(0, 30, ADMITTED);
    admin.alterConsumerGroupOffsets("lost", Map.of(LINES, new OffsetAndMetadata(20))).all().get();
    try (StreamsJob job = job("lost", new SimpleMeterRegistry())) {
      await().atMost(PATIENCE).until(() -> job.failure().isDone());
      assertThat(job.failure().join()).rootCause().hasMessageContaining("was made anew");
    }
  }

  /** Skipping a line because it can't even be set aside would be a loss that nothing shows. */
  @Test
  void aDeadLetterThatCannotBeWrittenStopsTheJob() throws Exception {
    makeTopics();
    admin.deleteTopics(List.of(Topics.DEAD_LETTERS)).all().get();
    try (StreamsJob job = job("stuck", new SimpleMeterRegistry())) {
      send(0, 1, "no line");
      await().atMost(PATIENCE).until(() -> job.failure().isDone());
    }
    assertThat(admin.listConsumerGroupOffsets("stuck").partitionsToOffsetAndMetadata().get())
        .containsEntry(LINES, new OffsetAndMetadata(0));
  }

  private StreamsJob job(String applicationId, SimpleMeterRegistry registry) {
    return StreamsJob.start(
        new StreamsJobConfig(
            kafka.bootstrap(),
            applicationId,
            directory.resolve("state-" + jobs++),
            1,
            Duration.ofMillis(100),
            0,
            MetricsConfig.DEFAULT,
            Map.of("task.timeout.ms", "3000", "producer.max.block.ms", "3000")),
        registry);
  }

  private static double counted(SimpleMeterRegistry registry, String name) {
    return registry.find("capacity.streams." + name).counters().stream()
        .mapToDouble(counter -> counter.count())
        .sum();
  }

  private static void makeTopics() throws Exception {
    List<String> topics =
        List.of(
            Topics.LINES, Topics.CALLS, Topics.CONFIG_CHANGES, Topics.METRICS, Topics.DEAD_LETTERS);
    Set<String> there = admin.listTopics().names().get();
    admin.deleteTopics(topics.stream().filter(there::contains).toList()).all().get();
    await()
        .atMost(PATIENCE)
        .until(() -> admin.listTopics().names().get().stream().noneMatch(topics::contains));
    admin
        .createTopics(topics.stream().map(t -> new NewTopic(t, 1, (short) 1)).toList())
        .all()
        .get();
  }

  private static void send(int from, int lines, String line) throws Exception {
    for (int i = from; i < from + lines; i++) {
      TestRecord<byte[], byte[]> record = TestingLines.record(line, i, NOON);
      Future<RecordMetadata> unused =
          producer.send(
              new ProducerRecord<>(
                  Topics.LINES, 0, NOON, record.key(), record.value(), record.headers()));
    }
    producer.flush();
  }

  private static void awaitCommitted(StreamsJob job, String group, long offset) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              OffsetAndMetadata at =
                  admin
                      .listConsumerGroupOffsets(group)
                      .partitionsToOffsetAndMetadata()
                      .get()
                      .get(LINES);
              assertThat(job.failure()).isNotDone();
              return at != null && at.offset() == offset;
            });
  }

  private static Map<Long, Long> callsByPartial() {
    Map<Long, JsonNode> newest = new HashMap<>();
    for (JsonNode row : read(Topics.METRICS)) {
      if (row.has("decision")) {
        newest.merge(
            row.get("partial").asLong(),
            row,
            (a, b) -> a.get("revision").asLong() > b.get("revision").asLong() ? a : b);
      }
    }
    return newest.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().get("calls").asLong()));
  }

  /** All committed rows of a topic. */
  private static List<JsonNode> read(String topic) {
    Map<String, Object> properties =
        Map.of("bootstrap.servers", kafka.bootstrap(), "isolation.level", "read_committed");
    List<JsonNode> rows = new ArrayList<>();
    TopicPartition partition = new TopicPartition(topic, 0);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          rows.add(TestingJob.json(new String(record.value(), UTF_8)));
        }
      }
    }
    return rows;
  }
}
