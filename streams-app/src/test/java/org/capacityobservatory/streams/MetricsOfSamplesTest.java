package org.capacityobservatory.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.apache.kafka.streams.test.TestRecord;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.metrics.MetricsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every expected number was counted from the raw lines with another program. */
class MetricsOfSamplesTest {
  private static final long NOW = Instant.parse("2026-11-30T12:00:00Z").toEpochMilli();

  @TempDir Path stateDirectory;

  @ParameterizedTest
  @CsvSource({
    "shadow,  1805, 410,  1395, 0,    0",
    "enforce, 5685, 1805, 0,    3880, 0",
    "events,  1079, 433,  609,  0,    37"
  })
  void theDecisionsAddUpWhateverTheOrder(
      String sample,
      long calls,
      long admitted,
      long shadowRefused,
      long refused,
      long unavailable) {
    try (TestingJob job = fed(sample)) {
      Map<String, Long> byDecision = job.sums("decisions_minute", "decision", "calls");
      assertThat(byDecision.getOrDefault("admitted", 0L)).isEqualTo(admitted);
      assertThat(byDecision.getOrDefault("shadow-refused", 0L)).isEqualTo(shadowRefused);
      assertThat(byDecision.getOrDefault("refused", 0L)).isEqualTo(refused);
      assertThat(byDecision.getOrDefault("unavailable", 0L)).isEqualTo(unavailable);
      assertThat(job.rows(Topics.CALLS)).hasSize((int) calls);
    }
  }

  @Test
  void theShadowSampleByEveryOtherDimension() {
    try (TestingJob job = fed("shadow")) {
      assertThat(job.sums("decisions_minute", "enforced", "calls"))
          .isEqualTo(Map.of("false", 1805L));
      assertThat(job.sums("decisions_minute", "source_class", "calls"))
          .isEqualTo(Map.of("tbv3", 397L, "mapper-row", 375L, "automatch", 1033L));
      assertThat(job.sums("decisions_minute", "tier", "calls"))
          .isEqualTo(Map.of("staff", 111L, "core", 371L, "early_access", 431L, "preview", 892L));
      assertThat(lanes(job, "calls"))
          .isEqualTo(counts(1805, 1805, 1415, 1805, 1805))
          .isEqualTo(lanes(job, "measured"));
      assertThat(lanes(job, "full")).isEqualTo(counts(1256, 1146, 874, 816, 692));
      assertThat(lanes(job, "full_alone")).isEqualTo(counts(10, 11, 11, 26, 47));
      assertThat(lanes(job, "near_limit")).isEqualTo(counts(1356, 1389, 1012, 1098, 1274));
      assertThat(lanes(job, "occupancy_ms"))
          .isEqualTo(counts(4_217_142, 4_217_142, 3_486_831, 4_217_142, 4_217_142));
      assertThat(most(job, "in_flight_max")).isEqualTo(8);
      assertThat(most(job, "limit_max")).isEqualTo(4);
      assertThat(job.sums("usage_minute", "tier", "lease_ms"))
          .isEqualTo(
              Map.of(
                  "preview", 2_030_965L,
                  "early_access", 867_800L,
                  "core", 1_120_684L,
                  "staff", 197_693L));
      Map<String, Long> fullSets = job.sums("events_minute", "value", "n", kind("full_set"));
      assertThat(fullSets)
          .hasSize(26)
          .containsEntry("api_heavy+api_heavy_task+es2_knn", 285L)
          .containsEntry("api_heavy+api_heavy_task+es2_knn+tier+user", 276L)
          .containsEntry("api_heavy", 10L);
      assertThat(fullSets.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(1395);
    }
  }

  @Test
  void occupancyFallsInTheMinutesInWhichCallsRan() {
    try (TestingJob job = fed("shadow")) {
      Map<String, Long> byMinute =
          job.sums(
              "lanes_minute",
              "minute",
              "occupancy_ms",
              row -> row.get("lane").asText().equals("api_heavy"));
      assertThat(byMinute)
          .hasSize(21)
          .containsEntry(Long.toString(29933873L * 60), 99_937L)
          .containsEntry(Long.toString(29933874L * 60), 405_603L);
    }
  }

  @Test
  void whatARefusalSaysIsADistribution() {
    try (TestingJob job = fed("shadow")) {
      assertThat(distribution(job, "retry_after"))
          .isEqualTo(Map.of(5, 140L, 10, 182L, 15, 183L, 20, 308L, 25, 579L, 30, 3L));
      assertThat(job.sums("latency_minute", "measure", "missing"))
          .isEqualTo(Map.of("retry_after", 410L));
      assertThat(distribution(job, "suggested")).isEqualTo(Map.of(1, 1515L, 2, 181L, 3, 109L));
    }
  }

  @Test
  void errorsAndUnavailableCallsAreCountedByKind() {
    try (TestingJob job = fed("events")) {
      assertThat(job.sums("events_minute", "value", "n", kind("error")))
          .isEqualTo(Map.of("TimeoutError", 5L, "release skipped", 3L, "skipped", 35L));
      assertThat(lanes(job, "calls")).isEqualTo(counts(1079, 1079, 918, 1079, 1079));
      assertThat(lanes(job, "measured")).isEqualTo(counts(1042, 1042, 895, 1042, 1042));
      assertThat(lanes(job, "near_limit")).isEqualTo(counts(484, 515, 396, 592, 738));
      // Calls without a lease are no lease of 0 s.
      assertThat(sum(job, "usage_minute", "calls")).isEqualTo(1079);
      assertThat(sum(job, "usage_minute", "held")).isEqualTo(1042);
      assertThat(sum(job, "usage_minute", "lease_ms")).isEqualTo(1_844_240);
    }
  }

  private TestingJob fed(String sample) {
    TestingJob job = new TestingJob(stateDirectory, MetricsConfig.DEFAULT, NOW);
    List<TestRecord<byte[], byte[]>> records = new ArrayList<>(TestingLines.ofSample(sample));
    Collections.shuffle(records, new Random(4));
    for (int i = 0; i < records.size(); i++) {
      job.line(records.get(i));
      if (i % 500 == 0) {
        job.waitFor(Duration.ofSeconds(40));
      }
    }
    return job.waitFor(MetricsProcessor.PUBLISH_EVERY);
  }

  private static Map<String, Long> lanes(TestingJob job, String column) {
    return job.sums("lanes_minute", "lane", column);
  }

  private static Map<String, Long> counts(long heavy, long task, long knn, long tier, long user) {
    return Map.of(
        "api_heavy", heavy, "api_heavy_task", task, "es2_knn", knn, "tier", tier, "user", user);
  }

  private static long sum(TestingJob job, String table, String column) {
    return job.cells(table).stream().mapToLong(row -> row.get(column).asLong()).sum();
  }

  private static long most(TestingJob job, String column) {
    return job.cells("lanes_minute").stream()
        .filter(row -> row.get("lane").asText().equals("api_heavy") && row.has(column))
        .mapToLong(row -> row.get(column).asLong())
        .max()
        .orElseThrow();
  }

  private static Predicate<JsonNode> kind(String kind) {
    return row -> row.get("kind").asText().equals(kind);
  }

  private static Map<Integer, Long> distribution(TestingJob job, String measure) {
    Map<Integer, Long> counts = new java.util.TreeMap<>();
    job.cells("latency_minute").stream()
        .filter(row -> row.get("measure").asText().equals(measure))
        .forEach(
            row -> {
              for (int i = 0; i < row.get("bucket").size(); i++) {
                counts.merge(
                    row.get("bucket").get(i).asInt(), row.get("n").get(i).asLong(), Long::sum);
              }
            });
    return counts;
  }
}
