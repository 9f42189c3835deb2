package org.capacityobservatory.streams.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PaceTest {
  private final Pace pace = new Pace(Duration.ofSeconds(1));

  @Test
  void refusedBlocksAreTriedAgainLessAndLessOftenUpToAMinute() {
    assertThat(IntStream.range(0, 8).mapToLong(i -> pace.failed().toSeconds()))
        .containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
    pace.stored(Duration.ofMillis(10));
    assertThat(pace.failed()).hasSeconds(1);
  }

  @Test
  void blocksGrowWhileInsertingIsSlowAndShrinkAgain() {
    pace.stored(Duration.ofMillis(1_001));
    pace.failed();
    assertThat(pace.blockAge()).hasSeconds(4);
    pace.stored(Duration.ofSeconds(1));
    assertThat(pace.blockAge()).as("quick for so long an age").hasSeconds(2);
    pace.stored(Duration.ofSeconds(1));
    assertThat(pace.blockAge()).as("neither slow nor quick").hasSeconds(2);
    IntStream.range(0, 9).forEach(i -> pace.failed());
    assertThat(pace.blockAge()).hasSeconds(30);
    IntStream.range(0, 9).forEach(i -> pace.stored(Duration.ofMillis(1)));
    assertThat(pace.blockAge()).hasSeconds(1);
  }
}
