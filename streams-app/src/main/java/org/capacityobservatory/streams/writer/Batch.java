package org.capacityobservatory.streams.writer;

import java.util.List;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.capacityobservatory.sql.ClickHouseException;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.capacityobservatory.sql.TableColumns;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records of one partition on their way into ClickHouse, block after block: where one is refused,
 * the next attempt goes on there.
 *
 * <p>One thread at a time may use it.
 */
final class Batch {
  private static final Logger log = LoggerFactory.getLogger(Batch.class);

  private final PartitionQueue queue;
  private final List<ConsumerRecord<byte[], byte[]>> records;
  private @Nullable List<Block> blocks;
  private int blocksStored;

  /** The first records of a queue, which stay in it until {@link #forget}. */
  Batch(PartitionQueue queue, List<ConsumerRecord<byte[], byte[]>> records) {
    this.queue = queue;
    this.records = records;
  }

  Intent intent() {
    return Intent.of(records);
  }

  long nextOffset() {
    return records.get(records.size() - 1).offset() + 1;
  }

  /** Whether it was taken from this queue, and not from one that the partition had before. */
  boolean isOf(@Nullable PartitionQueue other) {
    return queue == other;
  }

  boolean isStored() {
    return blocks != null && blocksStored == blocks.size();
  }

  /**
   * Sends what isn't stored yet, until all is or ClickHouse refuses.
   *
   * @throws BadRowException when a record can't be a row
   */
  void store(
      ClickHouseHttp clickHouse, Function<Table, TableColumns> columns, WriterMetrics metrics) {
    if (blocks == null) {
      blocks = Block.of(records, columns);
    }
    while (!isStored()) {
      Block block = blocks.get(blocksStored);
      try {
        clickHouse.insertBlock(block.rows(), block.token());
      } catch (ClickHouseException e) {
        metrics.failed();
        log.warn(
            "{} rows of {} are not stored yet and will be sent again: {}",
            block.rows().rows(),
            block.table().tableName(),
            e.getMessage());
        return;
      }
      metrics.stored(block);
      blocksStored++;
    }
  }

  /** Takes the records out of their queue. */
  void forget() {
    queue.stored(records.size());
  }
}
