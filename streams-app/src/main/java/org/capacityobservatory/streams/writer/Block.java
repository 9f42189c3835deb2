package org.capacityobservatory.streams.writer;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Rows of one Kafka partition that go into one partition of one table, in one insert.
 *
 * @param token the same for the same rows: made from where they stand in Kafka
 * @param jsonEachRow pieces that together are the rows, one a line
 */
record Block(Table table, String token, List<byte[]> jsonEachRow, int rows) {

  /**
   * Cuts a contiguous range of one Kafka partition into blocks, in the order of their first rows.
   */
  static List<Block> of(List<ConsumerRecord<byte[], byte[]>> range) {
    Map<Target, List<byte[]>> rows = new LinkedHashMap<>();
    Map<Target, Integer> counts = new LinkedHashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : range) {
      Table table = Table.of(record);
      Target target = new Target(table, table.partitionOf(record));
      addRow(record, rows.computeIfAbsent(target, t -> new ArrayList<>()));
      counts.merge(target, 1, Integer::sum);
    }
    String from = placeOf(range.get(0)) + "-" + range.get(range.size() - 1).offset();
    List<Block> blocks = new ArrayList<>();
    rows.forEach(
        (target, pieces) ->
            blocks.add(
                new Block(
                    target.table(),
                    from + ":" + target.table().tableName() + ":" + target.partition(),
                    List.copyOf(pieces),
                    counts.getOrDefault(target, 0))));
    return blocks;
  }

  /** A row as it came, with its place in Kafka spliced in before the closing brace. */
  private static void addRow(ConsumerRecord<byte[], byte[]> record, List<byte[]> pieces) {
    byte[] row = record.value();
    int end = row.length - 1;
    while (end >= 0 && row[end] != '}') {
      end--;
    }
    String place =
        ",\"kafka_topic\":\"%s\",\"kafka_partition\":%d,\"kafka_offset\":%d}\n"
            .formatted(record.topic(), record.partition(), record.offset());
    pieces.add(Arrays.copyOf(row, end));
    pieces.add(place.getBytes(UTF_8));
  }

  private static String placeOf(ConsumerRecord<?, ?> record) {
    return record.topic() + ":" + record.partition() + ":" + record.offset();
  }

  private record Target(Table table, int partition) {}
}
