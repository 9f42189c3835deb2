package org.capacityobservatory.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class OccupancyTest {
  @Test
  void aCallWithinAMinuteIsThatMinutes() {
    assertThat(overlaps(60_500, 400)).isEqualTo(Map.of(60_000L, 400L));
  }

  @Test
  void aCallOverAMinutesEdgeIsCutThere() {
    // From 59.8 s to 60.5 s.
    assertThat(overlaps(60_500, 700)).isEqualTo(Map.of(0L, 200L, 60_000L, 500L));
  }

  @Test
  void whatEndsWithAMinuteTouchesNoOther() {
    assertThat(overlaps(120_000, 60_000)).isEqualTo(Map.of(60_000L, 60_000L));
    assertThat(overlaps(120_000, 1)).isEqualTo(Map.of(60_000L, 1L));
    assertThat(overlaps(120_000, 0)).isEmpty();
    assertThat(overlaps(120_001, 0)).isEmpty();
  }

  @Test
  void aCallThatOutlivesItsLeaseHoldsForFifteenMinutes() {
    // From 0 to 1 h: the lease is renewed for the first 15 min only.
    Map<Long, Long> overlaps = overlaps(3_600_000, 3_600_000);
    assertThat(overlaps).hasSize(15).containsEntry(0L, 60_000L).containsEntry(840_000L, 60_000L);
  }

  @Property(tries = 300)
  void minutesSumToTheTimeHeld(
      @ForAll @LongRange(min = 0, max = 1_000_000) long heldMs,
      @ForAll @LongRange(min = 1_700_000_000_000L, max = 1_700_000_200_000L) long endedAt) {
    Map<Long, Long> overlaps = overlaps(endedAt, heldMs);
    assertThat(overlaps.values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(Math.min(heldMs, 900_000));
    assertThat(overlaps.values()).allMatch(ms -> ms >= 1 && ms <= 60_000);
    // All minutes between the first and the last are held in whole.
    overlaps.forEach(
        (minute, ms) -> {
          if (overlaps.containsKey(minute - 60_000) && overlaps.containsKey(minute + 60_000)) {
            assertThat(ms).isEqualTo(60_000);
          }
        });
  }

  private static Map<Long, Long> overlaps(long endedAtMillis, long heldMs) {
    Map<Long, Long> overlaps = new TreeMap<>();
    Occupancy.overlaps(
        endedAtMillis, heldMs, (minute, ms) -> assertThat(overlaps.put(minute, ms)).isNull());
    return overlaps;
  }
}
