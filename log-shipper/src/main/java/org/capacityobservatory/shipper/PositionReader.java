package org.capacityobservatory.shipper;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.capacityobservatory.log.Topics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a shipper's committed positions.
 *
 * <p>Only after the producer's {@code initTransactions}, which settles what an earlier run of this
 * shipper left open. Even then a committed reader sees nothing past the first record of any other
 * shipper's open transaction. So the end is taken as an uncommitted reader sees it, and the reading
 * goes on until that is reached: at worst as long as the other's transaction may stay open.
 */
final class PositionReader {
  private static final Logger log = LoggerFactory.getLogger(PositionReader.class);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration ASK_EVERY = Duration.ofSeconds(3);

  private final ShipperConfig config;
  private final BooleanSupplier stopping;

  PositionReader(ShipperConfig config, BooleanSupplier stopping) {
    this.config = config;
    this.stopping = stopping;
  }

  /**
   * The newest record of each of this shipper's generations and feeds.
   *
   * @throws ShipperException if one of them can't be read
   * @throws KafkaException if Kafka doesn't answer
   */
  Positions read() {
    try (Admin admin = Admin.create(KafkaSettings.admin(config));
        KafkaConsumer<byte[], byte[]> consumer =
            new KafkaConsumer<>(KafkaSettings.consumer(config))) {
      List<TopicPartition> partitions = partitions(consumer);
      Map<TopicPartition, Long> ends = uncommittedEnds(admin, partitions);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<String, PositionRecord> newest = new LinkedHashMap<>();
      boolean marked = false;
      long standsSinceNanos = System.nanoTime();
      while (!isReached(consumer, ends)) {
        ConsumerRecords<byte[], byte[]> some = consumer.poll(POLL);
        for (ConsumerRecord<byte[], byte[]> record : some) {
          marked |= take(record, newest);
        }
        if (stopping.getAsBoolean()) {
          throw new TimeoutException("stopped while reading positions");
        }
        if (!some.isEmpty()) {
          standsSinceNanos = System.nanoTime();
        } else if (System.nanoTime() - standsSinceNanos > ASK_EVERY.toNanos()) {
          // Polling a broker that has died says nothing either: this question times out.
          consumer.endOffsets(partitions);
          log.info("waiting for an open transaction on {} to end", Topics.POSITIONS);
          standsSinceNanos = System.nanoTime();
        }
      }
      return Positions.of(marked || !newest.isEmpty(), newest.values());
    }
  }

  /**
   * Whether the topic holds any record of this shipper, be it of a transaction that was undone.
   *
   * @throws KafkaException if Kafka doesn't answer
   */
  boolean isAnythingThere() {
    Map<String, Object> settings = KafkaSettings.consumer(config);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
      List<TopicPartition> partitions = partitions(consumer);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (!isReached(consumer, ends)) {
        ConsumerRecords<byte[], byte[]> some = consumer.poll(POLL);
        for (ConsumerRecord<byte[], byte[]> record : some) {
          if (record.key() != null && PositionCodec.isOf(config.identity(), record.key())) {
            return true;
          }
        }
        if (some.isEmpty()) {
          consumer.endOffsets(partitions);
        }
      }
      return false;
    }
  }

  private static List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer) {
    return consumer.partitionsFor(Topics.POSITIONS).stream()
        .map((PartitionInfo p) -> new TopicPartition(p.topic(), p.partition()))
        .toList();
  }

  private static Map<TopicPartition, Long> uncommittedEnds(
      Admin admin, List<TopicPartition> partitions) {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    partitions.forEach(partition -> latest.put(partition, OffsetSpec.latest()));
    try {
      Map<TopicPartition, Long> ends = new HashMap<>();
      for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end :
          admin
              .listOffsets(latest, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
              .all()
              .get()
              .entrySet()) {
        ends.put(end.getKey(), end.getValue().offset());
      }
      return ends;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  private static boolean isReached(
      KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  /** Takes one record; true if it is this shipper's marker. */
  private boolean take(ConsumerRecord<byte[], byte[]> record, Map<String, PositionRecord> newest) {
    byte[] key = record.key();
    if (key == null || !PositionCodec.isOf(config.identity(), key)) {
      return false;
    }
    if (PositionCodec.isMarker(key)) {
      return true;
    }
    String place =
        "%s partition %d offset %d".formatted(record.topic(), record.partition(), record.offset());
    String name = PositionCodec.generationName(key);
    byte[] value = record.value();
    if (value == null) {
      newest.remove(name);
    } else {
      newest.put(name, PositionCodec.read(key, value, place));
    }
    return false;
  }
}
