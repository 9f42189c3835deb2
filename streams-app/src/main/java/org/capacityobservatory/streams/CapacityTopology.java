package org.capacityobservatory.streams;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.capacityobservatory.log.Topics;

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
  static final String LATENCY_STORE = "latency-cells";

  /** How long a cell may rest before it is closed: the design's grace for late lines. */
  static final Duration CLOSE_AFTER = Duration.ofMinutes(15);

  /** A record without a time must reach the dead letters, not stop the job. */
  private static final TimestampExtractor ZERO_WHEN_MISSING =
      (record, partitionTime) -> Math.max(0, record.timestamp());

  private CapacityTopology() {}

  /**
   * Adds the whole job to a topology.
   *
   * @param topology what to add to; the driver test and the job use this same function
   * @param registry where the job counts
   */
  public static void build(Topology topology, MeterRegistry registry) {
    StreamsMeters meters = new StreamsMeters(registry);
    ByteArrayDeserializer in = new ByteArrayDeserializer();
    ByteArraySerializer out = new ByteArraySerializer();
    topology
        .addSource(AutoOffsetReset.earliest(), "lines", ZERO_WHEN_MISSING, in, in, Topics.LINES)
        .addProcessor("read", () -> new LineProcessor(meters), "lines")
        .addSink(CALLS_SINK, Topics.CALLS, out, out, "read")
        .addSink(CONFIG_CHANGES_SINK, Topics.CONFIG_CHANGES, out, out, "read")
        .addSink(DEAD_LETTERS_SINK, Topics.DEAD_LETTERS, out, out, "read")
        .addProcessor(METRICS, () -> new MetricsProcessor(CLOSE_AFTER), "read")
        .addSink("metrics-topic", Topics.METRICS, out, out, METRICS)
        .addStateStore(
            store(DECISIONS_STORE, CellSerdes.decisionKey(), CellSerdes.calls()), METRICS)
        .addStateStore(
            store(LATENCY_STORE, CellSerdes.latencyKey(), CellSerdes.latency()), METRICS);
  }

  // In memory: only open minutes live here. Cached: a commit writes each cell once.
  private static <K, V> StoreBuilder<KeyValueStore<K, V>> store(
      String name, Serde<K> keys, Serde<V> values) {
    return Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(name), keys, values)
        .withCachingEnabled();
  }
}
