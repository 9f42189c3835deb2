package org.capacityobservatory.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ValueTallyTest {
  @Test
  void aMissingValueIsNotAZero() {
    ValueTally tally = new ValueTally();
    tally.add(1000L);
    tally.add(null);
    tally.add(null);
    tally.add(0L);

    assertThat(tally.present()).isEqualTo(2);
    assertThat(tally.missing()).isEqualTo(2);
    assertThat(tally.sum()).isEqualTo(1000);
    assertThat(tally.histogram().percentile(0.5)).isZero();
  }

  @Test
  void aMinuteHoldsItsStartAndNotItsEnd() {
    assertThat(Minute.startOf(120_000)).isEqualTo(120_000);
    assertThat(Minute.startOf(179_999)).isEqualTo(120_000);
    assertThat(Minute.startOf(-1)).isEqualTo(-60_000);
  }
}
