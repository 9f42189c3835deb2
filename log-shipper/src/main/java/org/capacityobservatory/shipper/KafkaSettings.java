package org.capacityobservatory.shipper;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The settings of the shipper's Kafka clients, and why they are so. */
final class KafkaSettings {
  private static final int MIB = 1024 * 1024;

  /** How long one call to Kafka may block: short enough to close within 10 s. */
  static final Duration BLOCK = Duration.ofSeconds(4);

  private KafkaSettings() {}

  static Map<String, Object> producer(ShipperConfig config) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 20);
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 256 * 1024);
    // This bounds memory while the broker is away: then sending blocks, and reading with it.
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 64L * MIB);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (int) BLOCK.toMillis());
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    // The broker refuses a transaction's first batch while it still marks the last one's end: that
    // takes milliseconds, and the default would have each transaction wait for 100 of them.
    settings.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 10L);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 30_000);
    settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);
    settings.putAll(config.kafkaProperties());
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, "capacity-ship-" + config.identity());
    settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId(config));
    settings.put(
        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) config.transactionTimeout().toMillis());
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(
        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
        Math.max(MIB, config.maxLineBytes()) + KafkaLink.RECORD_OVERHEAD_BYTES);
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    return settings;
  }

  static String transactionalId(ShipperConfig config) {
    return "capacity-ship-" + config.identity();
  }

  static Map<String, Object> consumer(ShipperConfig config) {
    Map<String, Object> settings = new HashMap<>(config.kafkaProperties());
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) BLOCK.toMillis());
    settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) BLOCK.toMillis());
    settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return settings;
  }

  static Map<String, Object> admin(ShipperConfig config) {
    Map<String, Object> settings = new HashMap<>(config.kafkaProperties());
    settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) BLOCK.toMillis());
    settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) BLOCK.toMillis());
    return settings;
  }
}
