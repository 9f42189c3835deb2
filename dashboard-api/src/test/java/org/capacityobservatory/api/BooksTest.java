package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BooksTest {
  private static final Instant NOW = Instant.parse("2026-11-30T10:00:00Z");

  private static Books books(
      String state, boolean atEnd, int writtenSecondsAgo, @Nullable Integer clockSecondsAgo) {
    return new Books(
        "file:a",
        state,
        null,
        atEnd,
        NOW.minusSeconds(100_000),
        NOW.minusSeconds(writtenSecondsAgo),
        10,
        0,
        0,
        clockSecondsAgo == null ? null : NOW.minusSeconds(clockSecondsAgo));
  }

  @Test
  void theLeastOfTheLiveSourcesCounts() {
    assertThat(
            Books.readUntil(
                List.of(
                    books("live", true, 1, 1),
                    books("live", false, 1, 40),
                    books("ended", true, 9_000, 9_000))))
        .isEqualTo(NOW.minusSeconds(40));
  }

  @Test
  void aSourceThatStoppedTalkingHoldsAllBack() {
    Books silent = books("live", true, 61, 61);

    assertThat(silent.silent(NOW)).isTrue();
    assertThat(books("live", true, 60, 60).silent(NOW)).isFalse();
    assertThat(Books.readUntil(List.of(books("live", true, 1, 1), silent)))
        .isEqualTo(NOW.minusSeconds(61));
  }

  @Test
  void whenNoneIsLiveTheLatestOfTheOthersCounts() {
    assertThat(Books.readUntil(List.of(books("ended", true, 90, 0), books("ended", true, 80, 0))))
        .isEqualTo(NOW.minusSeconds(80));
  }

  @Test
  void whereOneLiveSourceIsUnknownNothingIsKnown() {
    assertThat(Books.readUntil(List.of(books("live", true, 1, 1), books("live", false, 1, null))))
        .isNull();
    assertThat(Books.readUntil(List.of())).isNull();
  }
}
