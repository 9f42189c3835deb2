package org.capacityobservatory.streams.writer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class PartitionQueueTest {
  private static final TopicPartition PARTITION = new TopicPartition("rows", 0);
  private static final long ANY_BYTES = 1 << 20;

  @Test
  void batchesAreBoundedByRowsByBytesAndByTheOffsetsTheyReachOver() {
    PartitionQueue queue = new PartitionQueue(PARTITION, null);
    for (long offset : new long[] {0, 1, 2, 3, StartPoint.BATCH_SPAN, 900_000}) {
      queue.add(record(offset, "0123456789"));
    }

    assertThat(queue.bytes()).isEqualTo(60);
    assertThat(offsets(queue.batch(900_001, 2, ANY_BYTES))).containsExactly(0L, 1L);
    assertThat(offsets(queue.batch(900_001, 9, 30))).containsExactly(0L, 1L, 2L);
    assertThat(offsets(queue.batch(900_001, 9, ANY_BYTES))).containsExactly(0L, 1L, 2L, 3L);
    assertThat(offsets(queue.batch(900_001, 9, 3))).as("a row too big alone").containsExactly(0L);
    queue.stored(5);
    assertThat(offsets(queue.batch(900_001, 9, ANY_BYTES))).containsExactly(900_000L);
    assertThat(queue.bytes()).isEqualTo(10);
  }

  @Test
  void whatWasPromisedIsFormedAgainBeforeAnythingElse() {
    List<ConsumerRecord<byte[], byte[]>> first = List.of(record(100, "a"), record(199, "b"));
    PartitionQueue queue = new PartitionQueue(PARTITION, Intent.of(first));
    queue.add(first.get(0));
    assertThat(queue.batch(101, 9, ANY_BYTES)).as("not read to its end yet").isEmpty();
    queue.add(first.get(1));
    queue.add(record(249, "c"));

    assertThat(offsets(queue.batch(250, 9, ANY_BYTES))).containsExactly(100L, 199L);
    queue.stored(2);
    assertThat(offsets(queue.batch(250, 9, ANY_BYTES))).containsExactly(249L);
  }

  /** A token once used with other rows would make ClickHouse drop these in silence. */
  @Test
  void otherRecordsInPlaceOfThePromisedStopTheWriter() {
    List<ConsumerRecord<byte[], byte[]>> before = List.of(record(100, "a"), record(199, "b"));
    PartitionQueue queue = new PartitionQueue(PARTITION, Intent.of(before));
    queue.add(record(100, "a"));
    queue.add(record(199, "B"));

    assertThatThrownBy(() -> queue.batch(200, 9, ANY_BYTES))
        .isInstanceOf(WriterException.class)
        .hasMessageContaining("rows-0 held 2 records from offset 100 to 199");
  }

  private static List<Long> offsets(List<ConsumerRecord<byte[], byte[]>> batch) {
    return LongStream.range(0, batch.size()).map(i -> batch.get((int) i).offset()).boxed().toList();
  }

  private static ConsumerRecord<byte[], byte[]> record(long offset, String value) {
    byte[] bytes = value.getBytes(UTF_8);
    return new ConsumerRecord<>(
        "rows",
        0,
        offset,
        0L,
        TimestampType.CREATE_TIME,
        0,
        bytes.length,
        new byte[0],
        bytes,
        new RecordHeaders(),
        Optional.empty());
  }
}
