package org.capacityobservatory.cli;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.capacityobservatory.log.Topics;

/**
 * A topic as it should be.
 *
 * @param partitions how many
 * @param config what differs from the broker's defaults
 */
record TopicPlan(String name, int partitions, Map<String, String> config) {
  private static final String WEEK_MILLIS = Long.toString(7L * 24 * 3_600_000);
  private static final String NEVER = "-1";

  static final int DEFAULT_PARTITIONS = 4;

  /** All topics, with as many partitions as the lines are to be spread over. */
  static List<TopicPlan> all(int partitions) {
    return List.of(
        // Records carry event times, so retention by time would drop a backfill before it is read.
        new TopicPlan(
            Topics.LINES,
            partitions,
            Map.of(
                TopicConfig.RETENTION_MS_CONFIG,
                NEVER,
                TopicConfig.RETENTION_BYTES_CONFIG,
                Long.toString(4L << 30),
                TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
                Long.toString(Long.MAX_VALUE),
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                Integer.toString(2 << 20))),
        rows(Topics.CALLS, partitions),
        rows(Topics.CONFIG_CHANGES, 1),
        rows(Topics.METRICS, partitions),
        rows(Topics.DEAD_LETTERS, 1),
        rows(Topics.BOOKS, 1),
        compacted(Topics.POSITIONS),
        compacted(Topics.ALARM_STATE));
  }

  private static TopicPlan compacted(String name) {
    return new TopicPlan(
        name, 1, Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT));
  }

  private static TopicPlan rows(String name, int partitions) {
    return new TopicPlan(
        name,
        partitions,
        Map.of(
            TopicConfig.RETENTION_MS_CONFIG,
            WEEK_MILLIS,
            TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
            Integer.toString(2 << 20)));
  }
}
