package org.capacityobservatory.streams.writer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.capacityobservatory.sql.NativeRows;
import org.capacityobservatory.sql.RowException;
import org.capacityobservatory.sql.TableColumns;

/**
 * Rows of one Kafka partition that go into one partition of one table, in one insert.
 *
 * @param token the same for the same rows: made from where they stand in Kafka
 */
record Block(Table table, String token, NativeRows rows) {

  /**
   * Cuts a contiguous range of one Kafka partition into blocks, in the order of their first rows;
   * but what says that minutes are complete comes last, so that it is never stored before the
   * minutes. Each row is given its place in Kafka.
   *
   * @throws BadRowException when a record can't be a row of its table
   */
  static List<Block> of(
      List<ConsumerRecord<byte[], byte[]>> range, Function<Table, TableColumns> columns) {
    Map<Target, NativeRows> targets = new LinkedHashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : range) {
      Table table = Table.of(record);
      NativeRows rows =
          targets.computeIfAbsent(
              new Target(table, table.partitionOf(record)),
              target -> new NativeRows(columns.apply(target.table())));
      try {
        rows.add(record.value(), record.topic(), record.partition(), record.offset());
      } catch (RowException e) {
        throw new BadRowException(record, String.valueOf(e.getMessage()));
      }
    }
    List<Block> blocks = new ArrayList<>();
    targets.forEach(
        (target, rows) -> blocks.add(new Block(target.table(), tokenOf(range, target), rows)));
    blocks.sort(Comparator.comparing(block -> block.table() == Table.MINUTES_STATE));
    return blocks;
  }

  private static String tokenOf(List<ConsumerRecord<byte[], byte[]>> range, Target target) {
    ConsumerRecord<?, ?> first = range.get(0);
    return "%s:%d:%d-%d:%s:%d"
        .formatted(
            first.topic(),
            first.partition(),
            first.offset(),
            range.get(range.size() - 1).offset(),
            target.table().tableName(),
            target.partition());
  }

  private record Target(Table table, int partition) {}
}
