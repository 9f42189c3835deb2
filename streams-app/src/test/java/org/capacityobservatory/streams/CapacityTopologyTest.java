package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.capacityobservatory.log.EventId;
import org.capacityobservatory.log.LineHeaders;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.metrics.Histogram;
import org.capacityobservatory.metrics.MetricsConfig;
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

  private TestingJob job;

  @TempDir Path stateDirectory;

  @BeforeEach
  void start() {
    job = new TestingJob(stateDirectory, MetricsConfig.DEFAULT, NOON);
  }

  @AfterEach
  void stop() {
    job.close();
  }

  @Test
  void aCallBecomesARowWithItsPlace() {
    job.line(TestingLines.record(ADMITTED, 77, NOON + 604));

    assertThat(job.rows(Topics.CALLS))
        .singleElement()
        .isEqualTo(
            TestingJob.json(
                """
                {"event_id":"%s","source":"s","generation":1,"position":77,
                 "time_source":"envelope","ended_at":%d,"read_at":%d,"decision":"admitted",
                 "tier":"core","held_ms":840}
                """
                    .formatted(EventId.of("s", 1, 77), NOON + 604, NOON + 604)));
  }

  /** A line's own bytes are its row where they can be, and the two ways give the same columns. */
  @Test
  void aCallThatHasMoreThanItsColumnsIsWrittenAnew() {
    job.line(
        TestingLines.record(
            ADMITTED.replace(
                "\"held_ms\":840",
                "\"held_ms\":-0,\"rows\":\"many\",\"cid\":null,\"error\":\"\\ud83d\",\"new\":{\"a\":[1]}"),
            77,
            NOON + 604));

    assertThat(job.rows(Topics.CALLS))
        .singleElement()
        .isEqualTo(
            TestingJob.json(
                """
                {"event_id":"%s","source":"s","generation":1,"position":77,
                 "time_source":"envelope","ended_at":%d,"read_at":%d,"decision":"admitted",
                 "tier":"core","full":[],"held_ms":0,"error":"\\\\ud83d","null_keys":["cid"],
                 "unknown":"{\\"rows\\":\\"many\\",\\"new\\":{\\"a\\":[1]}}","type_errors":["rows"]}
                """
                    .formatted(EventId.of("s", 1, 77), NOON + 604, NOON + 604)));
    assertThat(job.counted("capacity.streams.type.errors", "field", "rows")).isEqualTo(1);
  }

  /** A value that no version of ours knows, or of another type, costs nobody else a row. */
  @Test
  void unknownValuesKeepTheirRowsAndAreCounted() {
    String call = "{\"event\":\"ocl_capacity\",\"decision\":%s%s}";
    for (int i = 0; i < 995; i++) {
      job.line(TestingLines.record(ADMITTED, i, NOON));
    }
    job.line(TestingLines.record(call.formatted("\"deferred\"", ""), 995, NOON));
    job.line(
        TestingLines.record(call.formatted("\"refused\"", ",\"scope\":\"gpu_heavy\""), 996, NOON));
    job.line(TestingLines.record(call.formatted("\"admitted\"", ",\"tier\":\"\""), 997, NOON));
    job.line(TestingLines.record(call.formatted("\"Admitted\"", ""), 998, NOON));
    job.line(TestingLines.record(call.formatted("1", ""), 999, NOON));
    job.waitFor(MetricsProcessor.PUBLISH_EVERY);

    List<JsonNode> rows = job.rows(Topics.CALLS);
    assertThat(rows).hasSize(1000);
    assertThat(job.rows(Topics.DEAD_LETTERS)).isEmpty();
    JsonNode number = rows.get(999);
    assertThat(number.get("decision").asText()).isEmpty();
    assertThat(number.get("type_errors")).isEqualTo(TestingJob.json("[\"decision\"]"));
    assertThat(number.get("unknown").asText()).isEqualTo("{\"decision\":1}");
    assertThat(job.sums("decisions_minute", "decision", "calls"))
        .isEqualTo(Map.of("admitted", 996L, "deferred", 1L, "refused", 1L, "Admitted", 1L, "", 1L));
    assertThat(job.sums("events_minute", "value", "n")).isEqualTo(Map.of("decision", 1L));
    assertThat(job.counted("capacity.streams.unknown.values", "field", "decision")).isEqualTo(3);
    assertThat(job.counted("capacity.streams.unknown.values", "field", "scope")).isEqualTo(1);
    assertThat(job.counted("capacity.streams.unknown.values", "field", "tier")).isEqualTo(1);
  }

  @Test
  void aConfigChangeBecomesARow() {
    job.line(
        TestingLines.record(
            "{\"event\":\"ocl_capacity_config\",\"version\":2,\"source\":\"command\",\"mode\":\"off\","
                + "\"changes\":{\"mode\":[\"shadow\",\"off\"]}}",
            0,
            NOON));

    JsonNode row = job.rows(Topics.CONFIG_CHANGES).get(0);
    assertThat(row.get("version").asLong()).isEqualTo(2);
    assertThat(row.get("change_source").asText()).isEqualTo("command");
    assertThat(row.get("changes").asText()).isEqualTo("{\"mode\":[\"shadow\",\"off\"]}");
    assertThat(row.has("changed_by")).isFalse();
    assertThat(job.rows(Topics.CALLS)).isEmpty();
  }

  @Test
  void whatIsNoLineBecomesADeadLetterAndNothingStops() {
    job.line(TestingLines.record(ADMITTED, 0, NOON));
    job.line(TestingLines.record("{\"e", 1, NOON));
    job.line(TestingLines.record("", 2, NOON));
    job.line(
        new TestRecord<>(
            null,
            (byte[]) null,
            TestingLines.headers("s", 3, LineHeaders.TIME_SOURCE_ENVELOPE, NOON),
            NOON));
    job.line(TestingLines.record("[".repeat(2 << 20), 4, NOON));
    job.line(TestingLines.record(ADMITTED, 5, 0));
    job.line(new TestRecord<>(null, ADMITTED.getBytes(UTF_8), new RecordHeaders(), NOON));
    job.line(TestingLines.record("{\"event\":\"ocl_capacity\",\"tier\":\"core\"}", 7, NOON));
    job.line(TestingLines.record(ADMITTED, 8, NOON));

    assertThat(job.rows(Topics.CALLS)).hasSize(2);
    List<JsonNode> letters = job.rows(Topics.DEAD_LETTERS);
    assertThat(letters.stream().map(l -> l.get("reason").asText()))
        .containsExactly(
            "bad_json",
            "bad_json",
            "empty",
            "bad_json",
            "time_out_of_range",
            "no_place",
            "missing_field");
    assertThat(letters.stream().map(l -> l.get("offset").asLong()))
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(letters.get(3).get("raw_length").asLong()).isEqualTo(2 << 20);
    assertThat(letters.get(3).get("raw_base64").asText()).hasSize(5464); // 4096 bytes in base64
    assertThat(job.counted("capacity.streams.dead.letters", "reason", "bad_json")).isEqualTo(3.0);
    // The good lines around them count in their minute.
    assertThat(
            job.waitFor(MetricsProcessor.PUBLISH_EVERY).sums("decisions_minute", "tier", "calls"))
        .isEqualTo(Map.of("core", 2L));
  }

  @Test
  void aMissingLatencyIsCountedApartFromZero() {
    String call = "{\"event\":\"ocl_capacity\",\"decision\":\"%s\"%s}";
    job.line(TestingLines.record(call.formatted("admitted", ",\"held_ms\":1000"), 0, NOON));
    job.line(TestingLines.record(call.formatted("refused", ""), 1, NOON));
    job.line(TestingLines.record(call.formatted("unavailable", ",\"held_ms\":null"), 2, NOON));
    job.line(TestingLines.record(call.formatted("admitted", ",\"held_ms\":0"), 3, NOON));
    job.waitFor(MetricsProcessor.PUBLISH_EVERY);

    JsonNode held =
        job.cells("latency_minute").stream()
            .filter(row -> row.get("measure").asText().equals("held_ms"))
            .findFirst()
            .orElseThrow();
    assertThat(held.get("present").asLong()).isEqualTo(2);
    assertThat(held.get("missing").asLong()).isEqualTo(2);
    assertThat(held.get("sum").asLong()).isEqualTo(1000);
    // 1000 stands in bucket 128 + 2·64 + (1000 >> 3) − 64 = 317.
    assertThat(held.get("bucket")).isEqualTo(TestingJob.json("[0,317]"));
    assertThat(held.get("n")).isEqualTo(TestingJob.json("[1,1]"));
  }

  @Test
  void linesWithoutATimeOfTheirOwnAreKeptOutOfTheMinutes() {
    job.line(
        new TestRecord<>(
            null,
            ADMITTED.getBytes(UTF_8),
            TestingLines.headers("s", 0, LineHeaders.TIME_SOURCE_READ, NOON),
            NOON));
    job.waitFor(MetricsProcessor.PUBLISH_EVERY);

    assertThat(job.rows(Topics.CALLS)).hasSize(1);
    assertThat(job.rows(Topics.METRICS)).isEmpty();
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
    TestingLines.ofSample(sample).forEach(job::line);
    job.waitFor(MetricsProcessor.PUBLISH_EVERY);

    Histogram histogram = new Histogram();
    job.cells("latency_minute").stream()
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
}
