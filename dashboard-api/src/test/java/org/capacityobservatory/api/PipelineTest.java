package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PipelineTest {
  private static final Instant NOW = Instant.parse("2026-11-30T10:00:00Z");

  /** Books of a source that has acknowledged ten lines. */
  private static SourceState source(
      String state,
      boolean atEnd,
      Instant writtenAt,
      @Nullable Instant clock,
      long stored,
      @Nullable Instant newestStored) {
    return new SourceState(
        "file:a",
        "shipper",
        writtenAt,
        1,
        12,
        10,
        1,
        1,
        0,
        100,
        0,
        0,
        clock,
        atEnd,
        state,
        null,
        stored,
        0,
        newestStored,
        stored == 0 ? null : NOW.minusSeconds(3_600));
  }

  private static SourceState live(boolean atEnd, int writtenSecondsAgo, int clockSecondsAgo) {
    return source(
        "live",
        atEnd,
        NOW.minusSeconds(writtenSecondsAgo),
        NOW.minusSeconds(clockSecondsAgo),
        10,
        NOW.minusSeconds(clockSecondsAgo));
  }

  @Test
  void atItsEndASourceIsKnownUntilItsBooksWereWritten() {
    assertThat(live(true, 2, 500).knownUntil(NOW)).isEqualTo(NOW.minusSeconds(2));
  }

  @Test
  void behindItsEndASourceIsKnownUntilItsClock() {
    assertThat(live(false, 2, 500).knownUntil(NOW)).isEqualTo(NOW.minusSeconds(500));
    assertThat(source("live", false, NOW, null, 10, NOW).knownUntil(NOW)).isNull();
  }

  @Test
  void rowsOnTheirWayHoldItBackToWhatIsStored() {
    SourceState behind = source("live", true, NOW, NOW.minusSeconds(5), 9, NOW.minusSeconds(30));
    assertThat(behind.notStored(NOW)).isEqualTo(1);
    assertThat(behind.knownUntil(NOW)).isEqualTo(NOW.minusSeconds(30));
    assertThat(source("live", true, NOW, NOW, 0, null).knownUntil(NOW)).isNull();
  }

  @Test
  void moreRowsThanTheBooksKnowOfIsNoLag() {
    assertThat(source("live", true, NOW, NOW, 11, NOW).notStored(NOW)).isZero();
  }

  @Test
  void rowsThatMayHaveBeenRemovedByAgeCantBeCompared() {
    SourceState old =
        new SourceState(
            "file:a",
            "shipper",
            NOW,
            1,
            12,
            10,
            1,
            1,
            0,
            100,
            0,
            0,
            NOW,
            true,
            "live",
            null,
            4,
            0,
            NOW.minusSeconds(60),
            NOW.minusSeconds(86 * 86_400));

    assertThat(old.notStored(NOW)).isNull();
    assertThat(old.knownUntil(NOW)).isEqualTo(NOW);
  }

  @Test
  void aSourceThatStoppedTalkingIsSilentAndHoldsCompletenessBack() {
    assertThat(live(true, 60, 60).silent(NOW)).isFalse();
    SourceState silent = live(true, 61, 61);
    assertThat(silent.silent(NOW)).isTrue();
  }

  @Test
  void booksFromTheFutureAreNotOfNegativeAge() {
    assertThat(live(true, -5, 0).heartbeatAge(NOW)).isZero();
  }
}
