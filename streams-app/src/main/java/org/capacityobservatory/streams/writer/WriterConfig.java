package org.capacityobservatory.streams.writer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.Retention;
import org.capacityobservatory.sql.SchemaLayout;

/**
 * How the writer runs.
 *
 * @param bootstrapServers Kafka, as HOST:PORT[,HOST:PORT…]
 * @param groupId the writers' consumer group
 * @param clickHouse where the rows go, as a user who may create tables and insert
 * @param layout on one node or over a cluster
 * @param retention how long rows are kept
 * @param maxBlockRows rows per insert, 1 to 1,000,000
 * @param maxBlockAge how long a row may wait for others to join its block
 * @param kafka further properties of the Kafka consumer, which win over ours
 */
public record WriterConfig(
    String bootstrapServers,
    String groupId,
    ClickHouseConfig clickHouse,
    SchemaLayout layout,
    Retention retention,
    int maxBlockRows,
    Duration maxBlockAge,
    Map<String, String> kafka) {
  /** The group's usual name. */
  public static final String DEFAULT_GROUP_ID = "capacity-write";

  /** Rows per insert when nothing else is said. */
  public static final int DEFAULT_MAX_BLOCK_ROWS = 50_000;

  /**
   * How long rows wait when nothing else is said: rows come in bursts, with each commit of the job,
   * and this is enough for a burst to be whole. Waiting for the next one would make no fewer
   * blocks.
   */
  public static final Duration DEFAULT_MAX_BLOCK_AGE = Duration.ofMillis(250);

  /**
   * Checks all values.
   *
   * @throws IllegalArgumentException naming every value that is wrong
   */
  public WriterConfig {
    kafka = Map.copyOf(kafka);
    List<String> problems = new ArrayList<>();
    if (bootstrapServers.isBlank()) {
      problems.add("Kafka's address is empty: write HOST:PORT");
    }
    if (groupId.isBlank()) {
      problems.add("the consumer group is empty");
    }
    if (maxBlockRows < 1 || maxBlockRows > 1_000_000) {
      problems.add("rows per insert is " + maxBlockRows + ": 1 to 1000000");
    }
    if (maxBlockAge.isNegative() || maxBlockAge.compareTo(Duration.ofMinutes(1)) > 0) {
      problems.add("block age is " + maxBlockAge + ": 0 to 1 minute");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }
}
