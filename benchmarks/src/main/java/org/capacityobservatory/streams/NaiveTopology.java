package org.capacityobservatory.streams;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.state.WindowStore;
import org.capacityobservatory.log.Topics;

/**
 * What one writes first: data binding, the DSL's grouping with its repartitioning, and windowed
 * counts in RocksDB. One count by decision, endpoint and tier stands where the job has five tables.
 */
final class NaiveTopology {
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private NaiveTopology() {}

  /**
   * The topology.
   *
   * @param counted grows with every line that has been counted
   */
  static Topology build(LongAdder counted) {
    StreamsBuilder builder = new StreamsBuilder();
    KStream<byte[], ObjectNode> calls =
        builder.stream(Topics.LINES, Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
            .mapValues(NaiveTopology::parsed);
    calls
        .mapValues(NaiveTopology::written)
        .to(Topics.CALLS, Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
    calls
        .map((key, call) -> KeyValue.pair(groupOf(call), call.path("held_ms").asLong()))
        .groupByKey(Grouped.with(Serdes.String(), Serdes.Long()))
        .windowedBy(TimeWindows.ofSizeAndGrace(Duration.ofMinutes(1), Duration.ofMinutes(15)))
        .aggregate(
            () -> 0L,
            (group, heldMs, count) -> {
              counted.increment();
              return count + 1;
            },
            Materialized.<String, Long, WindowStore<Bytes, byte[]>>as("counts")
                .withKeySerde(Serdes.String())
                .withValueSerde(Serdes.Long()))
        .toStream((window, count) -> window.key() + "@" + window.window().start())
        .to(Topics.METRICS, Produced.with(Serdes.String(), Serdes.Long()));
    return builder.build();
  }

  private static ObjectNode parsed(byte[] line) {
    try {
      return JSON.readValue(line, ObjectNode.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] written(ObjectNode call) {
    try {
      return JSON.writeValueAsString(call).getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String groupOf(ObjectNode call) {
    return String.join(
        "|",
        call.path("decision").asText(),
        call.path("endpoint").asText(),
        call.path("tier").asText());
  }
}
