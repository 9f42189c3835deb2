package org.capacityobservatory.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.capacityobservatory.alarms.ClickHouseProgress.Known;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClickHouseProgressTest {
  private static final Instant NOW = Instant.parse("2026-11-30T10:00:30Z");

  @Test
  void minutesMayBeJudgedOnceCompleteAndVouchedForByEverySource() {
    assertThat(minutes(at("10:00:20"), at("10:00:28"), at("10:00:27"))).isEqualTo(at("10:00:00"));
    assertThat(minutes(at("09:58:20"), at("10:00:28"))).isEqualTo(at("09:58:00"));
    // Wall clock has completed the minutes of a source whose shipper is silent too: it may be late.
    assertThat(minutes(at("10:00:20"), at("10:00:28"), at("09:55:03"))).isEqualTo(at("09:54:00"));
  }

  @Test
  void aSourceThatIsSilentForLongHoldsNothingBackUnlessAllAre() {
    assertThat(minutes(at("10:00:20"), at("10:00:28"), at("09:45:00"))).isEqualTo(at("10:00:00"));
    assertThat(minutes(at("10:00:20"), at("08:00:28"))).isEqualTo(at("08:00:00"));
  }

  @Test
  void withoutSourcesOrWithoutACompleteMinuteThereIsNone() {
    assertThat(minutes(at("10:00:20"))).isNull();
    assertThat(minutes(null, at("10:00:28"))).isNull();
    assertThat(ClickHouseProgress.until(new Known(null, null, List.of()), NOW))
        .containsOnly(Map.entry(Metric.Clock.WALL, at("10:00:00")));
  }

  private static @Nullable Instant minutes(@Nullable Instant complete, Instant... heartbeats) {
    return ClickHouseProgress.until(new Known(complete, null, List.of(heartbeats)), NOW)
        .get(Metric.Clock.MINUTES);
  }

  private static Instant at(String time) {
    return Instant.parse("2026-11-30T" + time + "Z");
  }
}
