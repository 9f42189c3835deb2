package org.capacityobservatory.alarms;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.capacityobservatory.log.Topics;

/**
 * The store in the compacted topic {@code alarm-state}: one transaction a change.
 *
 * <p>Opening it fences whoever held it before: there is one transactional id.
 */
final class KafkaAlarmStore implements AlarmStore {
  static final TopicPartition PARTITION = new TopicPartition(Topics.ALARM_STATE, 0);
  private static final String TRANSACTIONAL_ID = "capacity-alarms";
  private static final int TRANSACTION_MILLIS = 30_000;

  /** A storm changes hundreds of thousands of entries in one transaction; alike as they are. */
  private static final int BATCH_BYTES = 256 * 1024;

  private static final Duration LOAD_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration CLOSE = Duration.ofSeconds(5);

  private final Map<String, String> client;
  private final KafkaProducer<String, String> producer;

  /**
   * Opens it.
   *
   * @param client settings of Kafka's clients, {@code bootstrap.servers} among them
   * @throws AlarmStoreException when Kafka doesn't answer
   */
  KafkaAlarmStore(Map<String, String> client) {
    this.client = Map.copyOf(client);
    Map<String, Object> settings = new TreeMap<>(client);
    settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, TRANSACTIONAL_ID);
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_MILLIS);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, TRANSACTION_MILLIS);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, TRANSACTION_MILLIS / 3);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, TRANSACTION_MILLIS);
    this.producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    try {
      producer.initTransactions();
    } catch (KafkaException e) {
      producer.close(Duration.ZERO);
      throw new AlarmStoreException("Kafka doesn't let the evaluator begin: " + e.getMessage(), e);
    }
  }

  @Override
  public Map<String, String> load() {
    try {
      long end = end();
      return readUntil(end);
    } catch (KafkaException e) {
      throw new AlarmStoreException(
          "The alarms' state can't be read from Kafka: " + e.getMessage(), e);
    }
  }

  /** What is uncommitted at this moment is told by then too, as an aborted or a committed one. */
  private long end() {
    try (KafkaConsumer<String, String> consumer = consumer("read_uncommitted")) {
      Long end = consumer.endOffsets(List.of(PARTITION)).get(PARTITION);
      if (end == null) {
        throw new AlarmStoreException(
            "Topic " + PARTITION.topic() + " isn't there: run capacity topics", null);
      }
      return end;
    }
  }

  private Map<String, String> readUntil(long end) {
    Map<String, String> entries = new TreeMap<>();
    Instant deadline = Instant.now().plus(LOAD_TIMEOUT);
    try (KafkaConsumer<String, String> consumer = consumer("read_committed")) {
      consumer.assign(List.of(PARTITION));
      consumer.seekToBeginning(List.of(PARTITION));
      while (consumer.position(PARTITION) < end) {
        for (ConsumerRecord<String, String> one : consumer.poll(POLL)) {
          if (one.value() == null) {
            entries.remove(one.key());
          } else {
            entries.put(one.key(), one.value());
          }
        }
        if (Instant.now().isAfter(deadline)) {
          throw new AlarmStoreException(
              "The alarms' state wasn't read to its end in " + LOAD_TIMEOUT.toSeconds() + " s",
              null);
        }
      }
    }
    return entries;
  }

  private KafkaConsumer<String, String> consumer(String isolation) {
    Map<String, Object> settings = new TreeMap<>(client);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
  }

  @Override
  public void commit(Map<String, Optional<String>> changes) {
    AtomicReference<Exception> refused = new AtomicReference<>();
    try {
      producer.beginTransaction();
      changes.forEach(
          (key, value) -> {
            var unused =
                producer.send(
                    new ProducerRecord<>(
                        PARTITION.topic(), PARTITION.partition(), key, value.orElse(null)),
                    (metadata, failure) -> {
                      if (failure != null) {
                        refused.set(failure);
                      }
                    });
          });
      producer.commitTransaction();
    } catch (KafkaException e) {
      abort();
      throw new AlarmStoreException(
          "The alarms' state wasn't taken by Kafka: " + e.getMessage(), e);
    }
    if (refused.get() != null) {
      throw new AlarmStoreException("The alarms' state wasn't taken by Kafka", refused.get());
    }
  }

  private void abort() {
    try {
      producer.abortTransaction();
    } catch (KafkaException e) {
      // Fenced or gone: whoever opens the store next aborts it.
      return;
    }
  }

  @Override
  public void close() {
    producer.close(CLOSE);
  }
}
