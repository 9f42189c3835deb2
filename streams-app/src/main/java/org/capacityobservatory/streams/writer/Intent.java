package org.capacityobservatory.streams.writer;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What the writer is about to store of one Kafka partition, committed before it does so: after a
 * kill the same records make the same blocks with the same tokens, and ClickHouse knows them again.
 *
 * @param from offset of the first record
 * @param to offset of the last record; offsets between may be none of ours (aborted, markers)
 * @param rows how many records
 * @param checksum CRC-32C over offsets and values
 */
record Intent(long from, long to, int rows, int checksum) {

  /** The intent to store these records, which follow each other in one partition. */
  static Intent of(List<ConsumerRecord<byte[], byte[]>> range) {
    CRC32C crc = new CRC32C();
    ByteBuffer offset = ByteBuffer.allocate(Long.BYTES);
    for (ConsumerRecord<byte[], byte[]> record : range) {
      crc.update(offset.putLong(0, record.offset()).array());
      byte[] value = record.value();
      if (value != null) {
        crc.update(value);
      }
    }
    return new Intent(
        range.get(0).offset(),
        range.get(range.size() - 1).offset(),
        range.size(),
        (int) crc.getValue());
  }
}
