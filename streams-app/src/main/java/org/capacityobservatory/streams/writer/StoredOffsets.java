package org.capacityobservatory.streams.writer;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.capacityobservatory.sql.ClickHouseHttp;

/** The highest offset of each partition that the tables hold. */
final class StoredOffsets {
  private StoredOffsets() {}

  /** Asks every table; for where the group's own offsets are gone. */
  static Map<TopicPartition, Long> read(ClickHouseHttp clickHouse) {
    String eachTable =
        Arrays.stream(Table.values())
            .map(
                table ->
                    "SELECT kafka_topic, kafka_partition, max(kafka_offset) AS newest FROM "
                        + table.tableName()
                        + " GROUP BY kafka_topic, kafka_partition")
            .collect(Collectors.joining(" UNION ALL "));
    Map<TopicPartition, Long> highest = new HashMap<>();
    clickHouse
        .execute(
            "SELECT kafka_topic, kafka_partition, max(newest) FROM ("
                + eachTable
                + ") GROUP BY kafka_topic, kafka_partition FORMAT TabSeparated")
        .lines()
        .map(line -> line.split("\t", -1))
        .forEach(
            row ->
                highest.put(
                    new TopicPartition(row[0], Integer.parseInt(row[1])), Long.valueOf(row[2])));
    return highest;
  }
}
