package org.capacityobservatory.streams.writer;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The records of one partition that wait to be stored, cut into batches in their order. */
final class PartitionQueue {
  private final TopicPartition partition;
  private final List<ConsumerRecord<byte[], byte[]>> waiting = new ArrayList<>();
  private @Nullable Intent promised;
  private long bytes;

  PartitionQueue(TopicPartition partition, @Nullable Intent promised) {
    this.partition = partition;
    this.promised = promised;
  }

  void add(ConsumerRecord<byte[], byte[]> record) {
    waiting.add(record);
    bytes += sizeOf(record);
  }

  private static int sizeOf(ConsumerRecord<byte[], byte[]> record) {
    return Math.max(0, record.serializedValueSize());
  }

  int rows() {
    return waiting.size();
  }

  /** Bytes of the values that wait. */
  long bytes() {
    return bytes;
  }

  /**
   * The next records to store together; empty when there are none, or when those promised before a
   * kill aren't all read again yet.
   *
   * @param position the offset up to which the partition has been read
   * @throws WriterException when the promised records are others now
   */
  List<ConsumerRecord<byte[], byte[]>> batch(long position, int maxRows, long maxBytes) {
    Intent before = promised;
    if (before == null) {
      return List.copyOf(waiting.subList(0, cut(maxRows, maxBytes)));
    }
    if (position <= before.to()) {
      return List.of();
    }
    int size = 0;
    while (size < waiting.size() && waiting.get(size).offset() <= before.to()) {
      size++;
    }
    List<ConsumerRecord<byte[], byte[]>> again = List.copyOf(waiting.subList(0, size));
    if (again.isEmpty() || !Intent.of(again).equals(before)) {
      throw new WriterException(
          "%s held %d records from offset %d to %d when they were about to be stored, and holds others now: the topic was changed. Write into a new --database"
              .formatted(partition, before.rows(), before.from(), before.to()));
    }
    return again;
  }

  private int cut(int maxRows, long maxBytes) {
    int size = 0;
    long sum = 0;
    while (size < waiting.size() && size < maxRows) {
      ConsumerRecord<byte[], byte[]> next = waiting.get(size);
      sum += sizeOf(next);
      boolean fits =
          sum <= maxBytes && next.offset() - waiting.get(0).offset() < StartPoint.BATCH_SPAN;
      if (size > 0 && !fits) {
        break;
      }
      size++;
    }
    return size;
  }

  /** Forgets the first records, which are stored. */
  void stored(int rows) {
    List<ConsumerRecord<byte[], byte[]>> done = waiting.subList(0, rows);
    done.forEach(record -> bytes -= sizeOf(record));
    done.clear();
    promised = null;
  }
}
