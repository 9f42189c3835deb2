package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.capacityobservatory.log.EventId;
import org.capacityobservatory.log.LineHeaders;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.metrics.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapacityTopologyTest {
  private static final long NOON = Instant.parse("2026-03-01T12:00:00Z").toEpochMilli();
  private static final String ADMITTED =
      "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"tier\":\"core\",\"held_ms\":840}";

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private TopologyTestDriver driver;
  private TestInputTopic<byte[], byte[]> lines;

  @TempDir Path stateDirectory;

  @BeforeEach
  void start() {
    Topology topology = new Topology();
    CapacityTopology.build(topology, registry);
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    properties.put(StreamsConfig.STATE_DIR_CONFIG, stateDirectory.toString());
    driver = new TopologyTestDriver(topology, properties, Instant.ofEpochMilli(NOON));
    lines =
        driver.createInputTopic(Topics.LINES, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  @Test
  void aCallBecomesARowWithItsPlace() {
    lines.pipeInput(TestingLines.record(ADMITTED, 77, NOON + 604));

    assertThat(rowsOf(Topics.CALLS))
        .singleElement()
        .isEqualTo(
            json(
                """
                {"event_id":"%s","source":"s","generation":1,"position":77,
                 "time_source":"envelope","ended_at":%d,"read_at":%d,"decision":"admitted",
                 "tier":"core","full":[],"held_ms":840,"null_keys":[],"unknown":""}
                """
                    .formatted(EventId.of("s", 1, 77), NOON + 604, NOON + 604)));
  }

  @Test
  void aConfigChangeBecomesARow() {
    lines.pipeInput(
        TestingLines.record(
            "{\"event\":\"ocl_capacity_config\",\"version\":2,\"source\":\"command\",\"mode\":\"off\","
                + "\"changes\":{\"mode\":[\"shadow\",\"off\"]}}",
            0,
            NOON));

    JsonNode row = rowsOf(Topics.CONFIG_CHANGES).get(0);
    assertThat(row.get("version").asLong()).isEqualTo(2);
    assertThat(row.get("change_source").asText()).isEqualTo("command");
    assertThat(row.get("changes").asText()).isEqualTo("{\"mode\":[\"shadow\",\"off\"]}");
    assertThat(row.has("changed_by")).isFalse();
    assertThat(rowsOf(Topics.CALLS)).isEmpty();
  }

  @Test
  void whatIsNoLineBecomesADeadLetterAndNothingStops() {
    lines.pipeInput(TestingLines.record(ADMITTED, 0, NOON));
    lines.pipeInput(TestingLines.record("{\"e", 1, NOON));
    lines.pipeInput(TestingLines.record("", 2, NOON));
    lines.pipeInput(
        new TestRecord<>(
            null,
            (byte[]) null,
            TestingLines.headers("s", 3, LineHeaders.TIME_SOURCE_ENVELOPE, NOON),
            NOON));
    lines.pipeInput(TestingLines.record("[".repeat(2 << 20), 4, NOON));
    lines.pipeInput(TestingLines.record(ADMITTED, 5, 0));
    lines.pipeInput(new TestRecord<>(null, ADMITTED.getBytes(UTF_8), new RecordHeaders(), NOON));
    lines.pipeInput(TestingLines.record("{\"event\":\"ocl_capacity\",\"decision\":1}", 7, NOON));
    lines.pipeInput(TestingLines.record(ADMITTED, 8, NOON));

    assertThat(rowsOf(Topics.CALLS)).hasSize(2);
    List<JsonNode> letters = rowsOf(Topics.DEAD_LETTERS);
    assertThat(letters.stream().map(l -> l.get("reason").asText()))
        .containsExactly(
            "bad_json",
            "bad_json",
            "empty",
            "bad_json",
            "time_out_of_range",
            "no_place",
            "type_error");
    assertThat(letters.stream().map(l -> l.get("offset").asLong()))
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(letters.get(3).get("raw_length").asLong()).isEqualTo(2 << 20);
    assertThat(letters.get(3).get("raw_base64").asText()).hasSize(5464); // 4096 bytes in base64
    assertThat(registry.get("capacity.streams.dead.letters").tag("reason", "bad_json").counter())
        .extracting(c -> c.count())
        .isEqualTo(3.0);
  }

  @Test
  void aMissingLatencyIsCountedApartFromZero() {
    String call = "{\"event\":\"ocl_capacity\",\"decision\":\"%s\"%s}";
    lines.pipeInput(TestingLines.record(call.formatted("admitted", ",\"held_ms\":1000"), 0, NOON));
    lines.pipeInput(TestingLines.record(call.formatted("refused", ""), 1, NOON));
    lines.pipeInput(
        TestingLines.record(call.formatted("unavailable", ",\"held_ms\":null"), 2, NOON));
    lines.pipeInput(TestingLines.record(call.formatted("admitted", ",\"held_ms\":0"), 3, NOON));
    driver.advanceWallClockTime(Duration.ofSeconds(1));

    JsonNode held =
        newestRows(recordsOf(Topics.METRICS), "latency_minute").stream()
            .filter(row -> row.get("measure").asText().equals("held_ms"))
            .findFirst()
            .orElseThrow();
    assertThat(held.get("present").asLong()).isEqualTo(2);
    assertThat(held.get("missing").asLong()).isEqualTo(2);
    assertThat(held.get("sum").asLong()).isEqualTo(1000);
    // 1000 stands in bucket 128 + 2·64 + (1000 >> 3) − 64 = 317.
    assertThat(held.get("bucket")).isEqualTo(json("[0,317]"));
    assertThat(held.get("n")).isEqualTo(json("[1,1]"));
  }

  @Test
  void linesWithoutATimeOfTheirOwnAreKeptOutOfTheMinutes() {
    lines.pipeInput(
        new TestRecord<>(
            null,
            ADMITTED.getBytes(UTF_8),
            TestingLines.headers("s", 0, LineHeaders.TIME_SOURCE_READ, NOON),
            NOON));
    driver.advanceWallClockTime(Duration.ofSeconds(1));

    assertThat(rowsOf(Topics.CALLS)).hasSize(1);
    assertThat(recordsOf(Topics.METRICS)).isEmpty();
  }

  @Test
  void aCellThatRestedIsClosedAndALateLineOpensAnotherPartial() {
    lines.pipeInput(TestingLines.record(ADMITTED, 0, NOON));
    lines.pipeInput(TestingLines.record(ADMITTED, 1, NOON + 1));
    driver.advanceWallClockTime(Duration.ofSeconds(1));
    driver.advanceWallClockTime(Duration.ofMinutes(16));
    lines.pipeInput(TestingLines.record(ADMITTED, 2, NOON + 2));
    driver.advanceWallClockTime(Duration.ofSeconds(1));

    List<String> decisionRows =
        recordsOf(Topics.METRICS).stream()
            .filter(r -> tableOf(r).equals("decisions_minute"))
            .map(r -> json(new String(r.value(), UTF_8)))
            .map(
                row ->
                    "partial %d revision %d calls %d"
                        .formatted(
                            row.get("partial").asLong(),
                            row.get("revision").asLong(),
                            row.get("calls").asLong()))
            .toList();
    assertThat(decisionRows)
        .containsExactly(
            "partial 0 revision 2 calls 2",
            "partial 0 revision 3 calls 2",
            "partial 2 revision 4 calls 1");
  }

  /** The numbers of samples/README.md, counted there with other tools. */
  @ParameterizedTest
  @CsvSource({
    "shadow,  1805, 410,  1395, 0,    0",
    "enforce, 5685, 1805, 0,    3880, 0",
    "events,  1079, 433,  609,  0,    37"
  })
  void theMinutesOfASampleAddUpWhateverTheOrder(
      String sample,
      long calls,
      long admitted,
      long shadowRefused,
      long refused,
      long unavailable) {
    List<TestRecord<byte[], byte[]>> records = new ArrayList<>(TestingLines.ofSample(sample));
    Collections.shuffle(records, new Random(4));
    for (int i = 0; i < records.size(); i++) {
      lines.pipeInput(records.get(i));
      if (i % 500 == 0) {
        driver.advanceWallClockTime(Duration.ofSeconds(1));
      }
    }
    driver.advanceWallClockTime(Duration.ofSeconds(1));

    List<TestRecord<byte[], byte[]>> metrics = recordsOf(Topics.METRICS);
    Map<String, Long> byDecision = new TreeMap<>();
    newestRows(metrics, "decisions_minute")
        .forEach(
            row ->
                byDecision.merge(
                    row.get("decision").asText(), row.get("calls").asLong(), Long::sum));
    Map<String, Long> expected = new TreeMap<>();
    expected.put("admitted", admitted);
    expected.put("shadow-refused", shadowRefused);
    expected.put("refused", refused);
    expected.put("unavailable", unavailable);
    expected.values().removeIf(n -> n == 0);
    assertThat(byDecision).isEqualTo(expected);
    assertThat(rowsOf(Topics.CALLS)).hasSize((int) calls);
  }

  @ParameterizedTest
  @CsvSource({
    "shadow,  held_ms,  1805, 1422, 6747,  9379",
    "shadow,  queue_ms, 1805, 786,  15331, 19363",
    "enforce, held_ms,  1805, 1079, 4766,  6344",
    "enforce, queue_ms, 5685, 495,  948,   992",
    "events,  held_ms,  1042, 720,  5973,  8283",
    "events,  queue_ms, 1079, 627,  4960,  11107"
  })
  void theHistogramsOfASampleGiveItsPercentiles(
      String sample, String measure, long present, long p50, long p95, long p99) {
    TestingLines.ofSample(sample).forEach(lines::pipeInput);
    driver.advanceWallClockTime(Duration.ofSeconds(1));

    Histogram histogram = new Histogram();
    newestRows(recordsOf(Topics.METRICS), "latency_minute").stream()
        .filter(row -> row.get("measure").asText().equals(measure))
        .forEach(
            row -> {
              for (int i = 0; i < row.get("bucket").size(); i++) {
                histogram.addToBucket(
                    row.get("bucket").get(i).asInt(), row.get("n").get(i).asLong());
              }
            });
    assertThat(histogram.count()).isEqualTo(present);
    assertWithinOnePercent(histogram.percentile(0.50), p50);
    assertWithinOnePercent(histogram.percentile(0.95), p95);
    assertWithinOnePercent(histogram.percentile(0.99), p99);
  }

  private static void assertWithinOnePercent(long actual, long exact) {
    assertThat((double) actual).isBetween(exact * 0.99, exact * 1.01);
  }

  /** The newest revision of each partial, as the tables' engine keeps it. */
  private static List<JsonNode> newestRows(List<TestRecord<byte[], byte[]>> metrics, String table) {
    Map<JsonNode, JsonNode> newest = new HashMap<>();
    for (TestRecord<byte[], byte[]> record : metrics) {
      if (tableOf(record).equals(table)) {
        JsonNode row = json(new String(record.value(), UTF_8));
        JsonNode identity =
            ((ObjectNode) row.deepCopy())
                .without(List.of("revision", "calls", "present", "missing", "sum", "bucket", "n"));
        newest.merge(
            identity,
            row,
            (a, b) -> a.get("revision").asLong() > b.get("revision").asLong() ? a : b);
      }
    }
    return List.copyOf(newest.values());
  }

  private static String tableOf(TestRecord<byte[], byte[]> record) {
    return new String(record.headers().lastHeader("table").value(), UTF_8);
  }

  private List<JsonNode> rowsOf(String topic) {
    Function<TestRecord<byte[], byte[]>, JsonNode> row =
        record -> json(new String(record.value(), UTF_8));
    return recordsOf(topic).stream().map(row).toList();
  }

  private List<TestRecord<byte[], byte[]>> recordsOf(String topic) {
    return driver
        .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .readRecordsToList();
  }

  private static JsonNode json(String text) {
    try {
      return TestingLines.JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
