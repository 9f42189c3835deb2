package org.capacityobservatory.localstack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What Kafka's own clients get from a broker, whichever it is: the same tests run against the
 * embedded one and against one in a container.
 */
abstract class KafkaContract {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  abstract String bootstrap();

  @Test
  void recordsKeepKeyValueTimeAndHeaders() throws Exception {
    String topic = createTopic(2, Map.of());
    try (Producer<String, String> producer = producer(null)) {
      ProducerRecord<String, String> record =
          new ProducerRecord<>(topic, 1, 1_772_359_200_604L, "api-1", "line ☃");
      record.headers().add("event_id", new byte[] {0, 1, -1}).add("source", "a".getBytes(UTF_8));
      producer.send(record).get();
      producer.send(new ProducerRecord<>(topic, 1, "api-1", null)).get();
    }
    List<ConsumerRecord<String, String>> records = read(topic, 1, 2);
    ConsumerRecord<String, String> first = records.get(0);
    assertThat(first.offset()).isZero();
    assertThat(first.key()).isEqualTo("api-1");
    assertThat(first.value()).isEqualTo("line ☃");
    assertThat(first.timestamp()).isEqualTo(1_772_359_200_604L);
    assertThat(first.headers().lastHeader("event_id").value()).containsExactly(0, 1, -1);
    assertThat(records.get(1).value()).as("a tombstone").isNull();
  }

  @Test
  void onlyCommittedTransactionsAreReadCommitted() throws Exception {
    String topic = createTopic(1, Map.of());
    try (Producer<String, String> producer = producer("tx-" + topic)) {
      producer.initTransactions();
      producer.beginTransaction();
      send(producer, topic, "kept");
      producer.commitTransaction();
      producer.beginTransaction();
      send(producer, topic, "aborted");
      producer.flush();
      producer.abortTransaction();
      producer.beginTransaction();
      send(producer, topic, "kept too");
      producer.commitTransaction();
    }
    assertThat(values(read(topic, 0, 2))).containsExactly("kept", "kept too");
  }

  @Test
  void aSecondProducerOfOneTransactionalIdFencesTheFirst() throws Exception {
    String topic = createTopic(1, Map.of());
    try (Producer<String, String> first = producer("fence-" + topic)) {
      first.initTransactions();
      try (Producer<String, String> second = producer("fence-" + topic)) {
        second.initTransactions();
        second.beginTransaction();
        send(second, topic, "second");
        second.commitTransaction();
      }
      assertThatThrownBy(
              () -> {
                first.beginTransaction();
                send(first, topic, "first");
                first.commitTransaction();
              })
          .isInstanceOf(Exception.class);
    }
    assertThat(values(read(topic, 0, 1))).containsExactly("second");
  }

  @Test
  void offsetsAndTheirMetadataAreCommittedWithATransaction() throws Exception {
    String topic = createTopic(1, Map.of());
    String group = "group-" + topic;
    TopicPartition partition = new TopicPartition(topic, 0);
    try (Producer<String, String> producer = producer("off-" + topic);
        Consumer<String, String> consumer = consumer(group)) {
      producer.initTransactions();
      producer.beginTransaction();
      send(producer, topic, "v");
      producer.sendOffsetsToTransaction(
          Map.of(partition, new OffsetAndMetadata(7, "intent 7-9")), consumer.groupMetadata());
      producer.commitTransaction();
      OffsetAndMetadata committed =
          requireNonNull(consumer.committed(Set.of(partition)).get(partition));
      assertThat(committed.offset()).isEqualTo(7);
      assertThat(committed.metadata()).isEqualTo("intent 7-9");
    }
  }

  @Test
  void topicsKeepTheirOwnConfiguration() throws Exception {
    String topic = createTopic(3, Map.of("cleanup.policy", "compact", "retention.ms", "86400000"));
    try (Admin admin = admin()) {
      ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
      var config =
          requireNonNull(admin.describeConfigs(List.of(resource)).all().get().get(resource));
      assertThat(config.get("cleanup.policy").value()).isEqualTo("compact");
      assertThat(config.get("retention.ms").value()).isEqualTo("86400000");
      TopicDescription described =
          requireNonNull(admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic));
      assertThat(described.partitions()).hasSize(3);
    }
  }

  @Test
  void aTopicThatNobodyCreatedIsAnError() {
    try (Admin admin = admin()) {
      assertThatThrownBy(
              () -> admin.describeTopics(List.of("nobody-created-it")).allTopicNames().get())
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
    }
  }

  /** Sends within a transaction, whose commit tells whether it arrived. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static void send(Producer<String, String> producer, String topic, String value) {
    producer.send(new ProducerRecord<>(topic, "k", value));
  }

  String createTopic(int partitions, Map<String, String> config) throws Exception {
    String topic = "contract-" + Long.toHexString(System.nanoTime());
    try (Admin admin = admin()) {
      admin
          .createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(config)))
          .all()
          .get();
    }
    return topic;
  }

  Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrap()));
  }

  Producer<String, String> producer(@Nullable String transactionalId) {
    Map<String, Object> config = new HashMap<>();
    config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap());
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    if (transactionalId != null) {
      config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
    }
    return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
  }

  Consumer<String, String> consumer(String group) {
    return new KafkaConsumer<>(
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrap(),
            ConsumerConfig.GROUP_ID_CONFIG,
            group,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed",
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "earliest",
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false),
        new StringDeserializer(),
        new StringDeserializer());
  }

  /** Everything committed in a partition, up to its end now; the number is what must be there. */
  List<ConsumerRecord<String, String>> read(String topic, int partition, int expected) {
    TopicPartition from = new TopicPartition(topic, partition);
    List<ConsumerRecord<String, String>> records = new ArrayList<>();
    try (Consumer<String, String> consumer = consumer("reader-" + topic)) {
      consumer.assign(List.of(from));
      consumer.seekToBeginning(List.of(from));
      long end = requireNonNull(consumer.endOffsets(List.of(from)).get(from));
      long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
      while (consumer.position(from) < end && System.nanoTime() < deadlineNanos) {
        consumer.poll(POLL).forEach(records::add);
      }
    }
    assertThat(records).hasSize(expected);
    return records;
  }

  static List<String> values(List<ConsumerRecord<String, String>> records) {
    return records.stream().map(ConsumerRecord::value).toList();
  }
}
