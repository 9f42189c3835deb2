package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.metrics.MetricsConfig;

/** The whole job on a driver whose wall clock stands still, and the rows that came out of it. */
final class TestingJob implements AutoCloseable {
  /** What a table's engine collapses by is all but these. */
  private static final List<String> VALUES =
      List.of(
          "revision",
          "calls",
          "present",
          "missing",
          "sum",
          "bucket",
          "n",
          "measured",
          "full",
          "full_alone",
          "near_limit",
          "in_flight_max",
          "limit_min",
          "limit_max",
          "occupancy_ms",
          "held",
          "lease_ms");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final TopologyTestDriver driver;
  private final TestInputTopic<byte[], byte[]> lines;
  private final Map<String, List<JsonNode>> revisions = new HashMap<>();

  TestingJob(Path stateDirectory, MetricsConfig config, long nowMillis) {
    Topology topology = new Topology();
    CapacityTopology.build(topology, config, "topic-id", registry);
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    properties.put(StreamsConfig.STATE_DIR_CONFIG, stateDirectory.toString());
    driver = new TopologyTestDriver(topology, properties, Instant.ofEpochMilli(nowMillis));
    lines =
        driver.createInputTopic(Topics.LINES, new ByteArraySerializer(), new ByteArraySerializer());
  }

  TestingJob line(String line, long position, long eventAtMillis) {
    return line(TestingLines.record(line, position, eventAtMillis));
  }

  TestingJob line(TestRecord<byte[], byte[]> record) {
    lines.pipeInput(record);
    return this;
  }

  TestingJob waitFor(Duration wallClock) {
    driver.advanceWallClockTime(wallClock);
    return this;
  }

  /** The rows that came to one topic since they were last asked for, in order. */
  List<JsonNode> rows(String topic) {
    return newRecords(topic).stream()
        .map(record -> json(new String(record.value(), UTF_8)))
        .toList();
  }

  /** All revisions of one table's cells so far, in order. */
  List<JsonNode> revisions(String table) {
    for (TestRecord<byte[], byte[]> record : newRecords(Topics.METRICS)) {
      revisions
          .computeIfAbsent(
              new String(record.headers().lastHeader("table").value(), UTF_8),
              t -> new ArrayList<>())
          .add(json(new String(record.value(), UTF_8)));
    }
    return revisions.getOrDefault(table, List.of());
  }

  /** The newest revision of each partial, as the table's engine keeps it. */
  List<JsonNode> cells(String table) {
    Map<JsonNode, JsonNode> newest = new HashMap<>();
    for (JsonNode row : revisions(table)) {
      newest.merge(
          identityOf(row),
          row,
          (a, b) -> a.get("revision").asLong() > b.get("revision").asLong() ? a : b);
    }
    return List.copyOf(newest.values());
  }

  /** The sum of one column over a table's cells, by another column. */
  Map<String, Long> sums(String table, String by, String column) {
    return sums(table, by, column, row -> true);
  }

  Map<String, Long> sums(String table, String by, String column, Predicate<JsonNode> where) {
    Map<String, Long> sums = new TreeMap<>();
    cells(table).stream()
        .filter(where)
        .forEach(
            row ->
                sums.merge(
                    row.has(by) ? row.get(by).asText() : "-", row.get(column).asLong(), Long::sum));
    sums.values().removeIf(n -> n == 0);
    return sums;
  }

  /** The newest word on how far the partition has come. */
  JsonNode state() {
    List<JsonNode> states = revisions("minutes_state");
    return states.get(states.size() - 1);
  }

  static JsonNode identityOf(JsonNode row) {
    return ((ObjectNode) row.deepCopy()).without(VALUES);
  }

  double counted(String name, String... tags) {
    return registry.find(name).tags(tags).counters().stream()
        .mapToDouble(counter -> counter.count())
        .sum();
  }

  private List<TestRecord<byte[], byte[]>> newRecords(String topic) {
    return driver
        .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .readRecordsToList();
  }

  static JsonNode json(String text) {
    try {
      return TestingLines.JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    driver.close();
  }
}
