package org.capacityobservatory.streams.writer;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks Kafka, and ClickHouse where need be, where the reading of partitions begins. */
final class StartPoints {
  private static final Logger log = LoggerFactory.getLogger(StartPoints.class);

  private StartPoints() {}

  /**
   * The start of each partition.
   *
   * @param topicIds the topics' ids as the database knows them
   * @throws WriterException when a topic isn't the one that was written from before
   */
  static Map<TopicPartition, StartPoint> find(
      KafkaConsumer<?, ?> consumer,
      ClickHouseHttp clickHouse,
      Map<String, String> topicIds,
      Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(Set.copyOf(partitions));
    Map<TopicPartition, Long> earliest = consumer.beginningOffsets(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    boolean someUnknown =
        partitions.stream().anyMatch(partition -> committed.get(partition) == null);
    Map<TopicPartition, Long> stored = someUnknown ? StoredOffsets.read(clickHouse) : Map.of();
    Map<TopicPartition, StartPoint> starts = new HashMap<>();
    for (TopicPartition partition : partitions) {
      OffsetAndMetadata offset = committed.get(partition);
      Progress progress = offset == null ? null : Progress.of(offset);
      refuseOtherTopic(partition, progress, topicIds.get(partition.topic()));
      StartPoint start =
          StartPoint.of(
              partition,
              progress,
              stored.get(partition),
              earliest.getOrDefault(partition, 0L),
              ends.getOrDefault(partition, 0L));
      if (start.lost() > 0) {
        log.error(
            "{}: Kafka removed {} offsets up to {} before they were stored; those rows are lost",
            partition,
            start.lost(),
            start.offset() - 1);
      }
      starts.put(partition, start);
    }
    return starts;
  }

  private static void refuseOtherTopic(
      TopicPartition partition, @Nullable Progress progress, @Nullable String now) {
    String before = progress == null ? null : progress.topicId();
    if (before != null && now != null && !now.equals(before)) {
      throw TopicIds.madeAnew(partition.topic(), before, now);
    }
  }
}
