package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.streams.test.TestRecord;
import org.capacityobservatory.log.LineHeaders;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.metrics.MetricsConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When minutes are complete and closed, by event time, and by wall clock only in silence. */
class EventTimeTest {
  private static final long TEN = Instant.parse("2026-03-01T10:00:00Z").toEpochMilli();
  private static final long MINUTE = 60_000;
  private static final String ADMITTED =
      "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"tier\":\"core\"}";

  @TempDir Path stateDirectory;

  /** After so long all that was known at its start has been published. */
  private static final long PUBLISHED = MetricsProcessor.PUBLISH_EVERY.toMillis();

  private TestingJob job;
  private long wall = TEN;
  private long position;

  @BeforeEach
  void start() {
    job = jobWith(Duration.ofSeconds(10));
  }

  @AfterEach
  void stop() {
    job.close();
  }

  /**
   * Stream time stops when traffic stops; the newest minute must be closed all the same. Other
   * partitions, which never had a line, are tasks of their own and hold nothing back.
   */
  @Test
  void theLastMinuteIsClosedThoughTrafficStops() {
    lineAt("a", TEN + 5_000);
    lineAt("a", TEN + 20_000);
    waitUntil(TEN + 2 * MINUTE + 4_000); // the source follows 60 s behind, at 10:01:04
    assertThat(decisionRevisions())
        .containsExactly(
            "10:00 partial 0 revision 0 calls 1", "10:00 partial 0 revision 2 calls 2");
    assertThat(job.state().has("complete_until")).isTrue();
    assertThat(time(job.state(), "complete_until")).isEqualTo("10:00");

    waitUntil(TEN + 2 * MINUTE + 10_000); // 10:01:10 + 60 s of wall clock
    assertThat(time(job.state(), "complete_until")).isEqualTo("10:01");
    assertThat(decisionRevisions())
        .endsWith("10:00 partial 0 revision 2 calls 2", "10:00 partial 0 revision 3 calls 2")
        .hasSize(3);

    // Late by rule: counted as late, folded into a partial of its own, the closed one unchanged.
    lineAt("a", TEN + 50_000);
    waitUntil(wall + PUBLISHED);
    assertThat(job.counted("capacity.streams.late.lines")).isEqualTo(1);
    assertThat(decisionRevisions())
        .endsWith("10:00 partial 0 revision 3 calls 2", "10:00 partial 2 revision 4 calls 1")
        .hasSize(4);
    assertThat(job.state().get("late_lines").asLong()).isEqualTo(1);
    assertThat(job.sums("decisions_minute", "tier", "calls")).containsEntry("core", 3L);
  }

  @Test
  void aLiveSourceThatIsBehindHoldsMinutesOpen() {
    lineAt("fast", TEN + 30_000);
    lineAt("slow", TEN + 1_000);
    lineAt("fast", TEN + 85_000);
    waitUntil(TEN + 86_000); // slow has been silent for less than 60 s of reading
    assertThat(time(job.state(), "complete_until")).isEqualTo("09:59");

    lineAt("slow", TEN + 66_000);
    waitUntil(wall + PUBLISHED);
    assertThat(time(job.state(), "complete_until")).isEqualTo("10:01");
    assertThat(job.counted("capacity.streams.late.lines")).isZero();
  }

  @Test
  void aSilentSourceIsIdleOnceReadingHasGoneOnWithoutIt() {
    lineAt("silent", TEN);
    for (int i = 1; i <= 9; i++) {
      lineAt("live", TEN + i * 30_000L);
    }
    waitUntil(TEN + 5 * MINUTE);

    // live stands at 10:04:30; silent is idle and follows the reading less 60 s: 10:03:30.
    assertThat(time(job.state(), "complete_until")).isEqualTo("10:03");
    assertThat(job.state().get("idle_sources").asInt()).isEqualTo(1);
  }

  @Test
  void aBackfillIsNeverLateAndHoldsNothingBack() {
    startAnew(Duration.ofMinutes(15));
    lineAt("live", TEN);
    waitUntil(wall + PUBLISHED);
    for (int day = 30; day > 0; day--) {
      long old = TEN - Duration.ofDays(day).toMillis();
      read("backfill", old, wall);
      read("backfill", old + 30 * MINUTE, wall);
      lineAt("live", wall + 60_000);
      waitUntil(wall + PUBLISHED);
    }

    assertThat(job.counted("capacity.streams.late.lines")).isZero();
    assertThat(time(job.state(), "complete_until")).isEqualTo("10:30");
    assertThat(job.sums("decisions_minute", "tier", "calls")).containsEntry("core", 91L);
  }

  @Test
  void aTimeInTheFutureIsCountedAndMovesNoClockPastItsReading() {
    read("a", TEN + 23 * 60 * MINUTE, TEN);
    waitUntil(TEN + PUBLISHED);

    assertThat(time(job.state(), "complete_until")).isEqualTo("09:59");
    assertThat(job.state().get("future_times").asLong()).isEqualTo(1);
    assertThat(job.rows(Topics.CALLS)).hasSize(1);

    lineAt("a", TEN + 2_000);
    waitUntil(wall + PUBLISHED);
    assertThat(job.counted("capacity.streams.late.lines")).isZero();
  }

  @Test
  void aReadersWrongClockMakesNobodyElseIdle() {
    lineAt("right", TEN + 1_000);
    read("wrong", TEN, TEN + Duration.ofDays(365).toMillis());
    waitUntil(TEN + 30_000);

    assertThat(time(job.state(), "complete_until")).isEqualTo("09:59");
  }

  @Test
  void occupancyStaysOpenForCallsThatAreStillRunning() {
    startAnew(Duration.ofMinutes(1));
    lineAt("a", TEN + 10_000);
    lineAt("a", TEN + 5 * MINUTE);
    waitUntil(wall + PUBLISHED);
    job.line(
        record(
            "a",
            "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"held_ms\":360000}",
            wall,
            wall));
    waitUntil(wall + PUBLISHED);

    List<String> tenOClock =
        job.revisions("lanes_minute").stream()
            .filter(row -> row.get("minute").asLong() == TEN / 1000)
            .filter(row -> row.get("lane").asText().equals("tier"))
            .map(
                row ->
                    "%s revision %d occupancy %d"
                        .formatted(
                            row.has("tier") ? row.get("tier").asText() : "-",
                            row.get("revision").asLong(),
                            row.get("occupancy_ms").asLong()))
            .toList();
    // The decisions of 10:00 are closed, its lanes aren't: the call ran from 09:59:01 to 10:05:01.
    assertThat(decisionRevisions()).contains("10:00 partial 0 revision 1 calls 1");
    assertThat(tenOClock)
        .containsExactly("core revision 0 occupancy 0", "- revision 4 occupancy 60000");
  }

  private void startAnew(Duration grace) {
    job.close();
    job = jobWith(grace);
  }

  private TestingJob jobWith(Duration grace) {
    return new TestingJob(
        stateDirectory,
        new MetricsConfig(
            MetricsConfig.DEFAULT.requestSources(),
            MetricsConfig.DEFAULT.algorithms(),
            0.8,
            grace,
            Duration.ofSeconds(60)),
        TEN);
  }

  /** A line that is read as it happens, or now when it happened before. */
  private void lineAt(String source, long eventAtMillis) {
    waitUntil(Math.max(wall, eventAtMillis));
    read(source, eventAtMillis, wall);
  }

  private void read(String source, long eventAtMillis, long readAtMillis) {
    job.line(record(source, ADMITTED, eventAtMillis, readAtMillis));
  }

  private TestRecord<byte[], byte[]> record(
      String source, String line, long eventAtMillis, long readAtMillis) {
    return new TestRecord<>(
        source.getBytes(UTF_8),
        line.getBytes(UTF_8),
        TestingLines.headers(source, position++, LineHeaders.TIME_SOURCE_ENVELOPE, readAtMillis),
        eventAtMillis);
  }

  private void waitUntil(long wallMillis) {
    if (wallMillis > wall) {
      // Not within one punctuation: the rows say what was known when.
      job.waitFor(Duration.ofMillis(wallMillis - wall));
      wall = wallMillis;
    }
  }

  private List<String> decisionRevisions() {
    return job.revisions("decisions_minute").stream()
        .map(
            row ->
                "%s partial %d revision %d calls %d"
                    .formatted(
                        clock(row.get("minute").asLong() * 1000),
                        row.get("partial").asLong(),
                        row.get("revision").asLong(),
                        row.get("calls").asLong()))
        .toList();
  }

  private static String time(JsonNode row, String column) {
    return clock(row.get(column).asLong());
  }

  private static String clock(long epochMillis) {
    return Instant.ofEpochMilli(epochMillis).toString().substring(11, 16);
  }
}
