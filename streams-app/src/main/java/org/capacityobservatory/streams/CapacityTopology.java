package org.capacityobservatory.streams;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.metrics.MetricsConfig;

/**
 * From lines to calls, config changes, dead letters and metric cells.
 *
 * <p>One sub-topology, no repartitioning: each Kafka partition folds its own partials, and the
 * queries add them up.
 */
public final class CapacityTopology {
  static final String CALLS_SINK = "calls";
  static final String CONFIG_CHANGES_SINK = "config-changes";
  static final String DEAD_LETTERS_SINK = "dead-letters";
  static final String METRICS = "metrics";
  static final String DECISIONS_STORE = "decision-cells";
  static final String MEASURES_STORE = "measure-cells";
  static final String LANES_STORE = "lane-cells";
  static final String USAGE_STORE = "usage-cells";
  static final String EVENTS_STORE = "event-cells";
  static final String SOURCES_STORE = "source-clocks";
  static final String PARTITION_STORE = "partition-clock";

  /** Changelog records have their line's time, and that may lie hours ahead of the broker's. */
  private static final Map<String, String> CHANGELOG =
      Map.of(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, Long.toString(Long.MAX_VALUE));

  /** A record without a time must reach the dead letters, not stop the job. */
  private static final TimestampExtractor ZERO_WHEN_MISSING =
      (record, partitionTime) -> Math.max(0, record.timestamp());

  private CapacityTopology() {}

  /**
   * Adds the whole job to a topology.
   *
   * @param topology what to add to; the driver test and the job use this same function
   * @param config how calls are counted
   * @param linesTopicId Kafka's own id of the topic of lines
   * @param registry where the job counts
   */
  public static void build(
      Topology topology, MetricsConfig config, String linesTopicId, MeterRegistry registry) {
    StreamsMeters meters = new StreamsMeters(registry);
    ByteArrayDeserializer in = new ByteArrayDeserializer();
    ByteArraySerializer out = new ByteArraySerializer();
    topology
        // A group that has lost its offsets must stop, not begin anew: see LinesOffsets.
        .addSource(AutoOffsetReset.none(), "lines", ZERO_WHEN_MISSING, in, in, Topics.LINES)
        .addProcessor("read", () -> new LineProcessor(meters), "lines")
        .addSink(CALLS_SINK, Topics.CALLS, out, out, "read")
        .addSink(CONFIG_CHANGES_SINK, Topics.CONFIG_CHANGES, out, out, "read")
        .addSink(DEAD_LETTERS_SINK, Topics.DEAD_LETTERS, out, out, "read")
        .addProcessor(METRICS, () -> new MetricsProcessor(config, linesTopicId, meters), "read")
        .addSink("metrics-topic", Topics.METRICS, out, out, METRICS);
    add(topology, DECISIONS_STORE, CellSerdes.decisionKey(), CellSerdes.count());
    add(topology, MEASURES_STORE, CellSerdes.callKind(), CellSerdes.measures());
    add(topology, LANES_STORE, CellSerdes.laneKey(), CellSerdes.lanes());
    add(topology, USAGE_STORE, CellSerdes.usageKey(), CellSerdes.usage());
    add(topology, EVENTS_STORE, CellSerdes.eventKey(), CellSerdes.count());
    add(topology, SOURCES_STORE, Serdes.String(), CellSerdes.sourceClock());
    add(topology, PARTITION_STORE, Serdes.String(), CellSerdes.partitionClock());
  }

  // In memory: only open minutes live here.
  private static <K, V extends HeapStore.Held> void add(
      Topology topology, String name, Serde<K> keys, Serde<V> values) {
    topology.addStateStore(
        HeapStore.builder(name, keys, values).withLoggingEnabled(CHANGELOG), METRICS);
  }
}
