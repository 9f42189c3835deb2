package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CountsTest {
  @Test
  void refusedIsShadowRefusedAndRefusedOfAllCalls() {
    Counts counts = new Counts();
    counts.add("admitted", 2);
    counts.add("shadow-refused", 3);
    counts.add("refused", 1);
    counts.add("unavailable", 1);
    counts.add("deferred", 1);
    counts.add("admitted", 2);

    assertThat(counts.calls()).isEqualTo(10);
    assertThat(counts.refused()).isEqualTo(4);
    assertThat(counts.refusedShare()).isEqualTo(0.4);
  }

  @Test
  void noCallsHaveNoShare() {
    assertThat(new String(Json.bytes(new Counts()), UTF_8))
        .isEqualTo("{\"calls\":0,\"refused\":0,\"refused_share\":null,\"totals\":{}}");
  }

  @Test
  void timesAreWrittenToTheMillisecond() {
    assertThat(new String(Json.bytes(List.of(Instant.parse("2026-11-30T10:00:00.123456Z"))), UTF_8))
        .isEqualTo("[\"2026-11-30T10:00:00.123Z\"]");
  }
}
