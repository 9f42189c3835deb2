package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.kafka.streams.test.TestRecord;
import org.capacityobservatory.log.LineHeaders;
import org.capacityobservatory.metrics.MetricsConfig;

/** Any order of lines, silences and closings: no count shrinks, and all of them add up. */
class CellsOnlyGrowPropertyTest {
  private static final long TEN = Instant.parse("2026-03-01T10:00:00Z").toEpochMilli();
  private static final Map<String, List<String>> COUNTS =
      Map.of(
          "decisions_minute", List.of("calls"),
          "latency_minute", List.of("present", "missing", "sum"),
          "lanes_minute",
              List.of("calls", "measured", "full", "full_alone", "near_limit", "occupancy_ms"),
          "usage_minute", List.of("calls", "held", "lease_ms"),
          "events_minute", List.of("n"));

  @Property(tries = 25)
  void noCountShrinksBetweenRevisions(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    Path directory = Files.createTempDirectory("cells");
    MetricsConfig config =
        new MetricsConfig(
            MetricsConfig.DEFAULT.requestSources(),
            MetricsConfig.DEFAULT.algorithms(),
            0.8,
            Duration.ofSeconds(random.nextInt(90)),
            Duration.ofSeconds(1 + random.nextInt(90)));
    long calls = 0;
    long heldMs = 0;
    try (TestingJob job = new TestingJob(directory, config, TEN)) {
      long wall = TEN;
      for (int i = 0; i < 120; i++) {
        if (random.nextInt(4) == 0) {
          int seconds = 1 + random.nextInt(random.nextInt(10) == 0 ? 2_000 : 20);
          job.waitFor(Duration.ofSeconds(seconds));
          wall += seconds * 1000L;
        } else {
          int held = random.nextInt(200_000);
          job.line(line(random, i, wall - random.nextInt(300_000) + 100_000L, wall, held));
          calls++;
          heldMs += held;
        }
      }
      job.waitFor(MetricsProcessor.PUBLISH_EVERY);

      COUNTS.forEach((table, columns) -> assertGrowing(job.revisions(table), columns));
      assertThat(total(job, "decisions_minute", "calls")).isEqualTo(calls);
      assertThat(total(job, "usage_minute", "lease_ms")).isEqualTo(heldMs);
      assertThat(total(job, "lanes_minute", "occupancy_ms")).isEqualTo(4 * heldMs);
    }
  }

  private static TestRecord<byte[], byte[]> line(
      Random random, int position, long at, long now, int heldMs) {
    String source = "s" + random.nextInt(3);
    String json =
        "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"tier\":\"t%d\",\"held_ms\":%d,\"full\":[\"user\"]}"
            .formatted(random.nextInt(2), heldMs);
    return new TestRecord<>(
        source.getBytes(UTF_8),
        json.getBytes(UTF_8),
        TestingLines.headers(source, position, LineHeaders.TIME_SOURCE_ENVELOPE, now),
        at);
  }

  private static void assertGrowing(List<JsonNode> revisions, List<String> columns) {
    Map<JsonNode, JsonNode> before = new HashMap<>();
    for (JsonNode row : revisions) {
      JsonNode earlier = before.put(TestingJob.identityOf(row), row);
      if (earlier != null) {
        assertThat(row.get("revision").asLong()).isGreaterThan(earlier.get("revision").asLong());
        for (String column : columns) {
          assertThat(row.get(column).asLong())
              .as(column)
              .isGreaterThanOrEqualTo(earlier.get(column).asLong());
        }
      }
    }
  }

  private static long total(TestingJob job, String table, String column) {
    return job.cells(table).stream().mapToLong(row -> row.get(column).asLong()).sum();
  }
}
