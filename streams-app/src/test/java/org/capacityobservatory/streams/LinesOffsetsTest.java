package org.capacityobservatory.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.capacityobservatory.streams.LinesOffsets.Plan;
import org.capacityobservatory.streams.LinesOffsets.Range;
import org.junit.jupiter.api.Test;

class LinesOffsetsTest {
  @Test
  void theFirstStartBeginsAtWhatIsThere() {
    assertThat(plan(false, new Range(null, 0, 10), new Range(null, 7, 7)))
        .isEqualTo(new Plan(Map.of(0, 0L, 1, 7L), 0));
  }

  @Test
  void aRestartGoesOnWhereItStopped() {
    assertThat(plan(true, new Range(5L, 0, 10), new Range(7L, 7, 7)))
        .isEqualTo(new Plan(Map.of(), 0));
  }

  @Test
  void aNewPartitionBeginsAtItsStart() {
    assertThat(plan(true, new Range(5L, 0, 10), new Range(null, 0, 3)))
        .isEqualTo(new Plan(Map.of(1, 0L), 0));
  }

  @Test
  void whatRetentionRemovedIsALossOfThatManyLines() {
    assertThat(plan(true, new Range(100L, 121, 150))).isEqualTo(new Plan(Map.of(0, 121L), 21));
  }

  @Test
  void expiredOffsetsStopAJobThatHasState() {
    assertThatThrownBy(() -> plan(true, new Range(null, 0, 150)))
        .isInstanceOf(StreamsStartException.class)
        .hasMessageContaining("its offsets on ocl.capacity.lines are gone")
        .hasMessageContaining("--reset-offsets");
  }

  @Test
  void aTopicThatEndsBeforeTheGroupStoppedIsAnotherTopic() {
    assertThatThrownBy(() -> plan(true, new Range(150L, 0, 50)))
        .isInstanceOf(StreamsStartException.class)
        .hasMessageContaining(
            "stopped at offset 150 of ocl.capacity.lines-0, which now ends at 50");
  }

  private static Plan plan(boolean hasState, Range... ranges) {
    return LinesOffsets.plan(
        "group",
        ranges.length == 1 ? Map.of(0, ranges[0]) : Map.of(0, ranges[0], 1, ranges[1]),
        hasState);
  }
}
