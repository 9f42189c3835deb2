package org.capacityobservatory.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistogramTest {
  /** Worked out by hand: 128 = 64 << 1, 130 = 65 << 1, 255 = 127 << 1 (+1), 256 = 64 << 2, … */
  @ParameterizedTest
  @CsvSource({
    "0,         0,    0,         0",
    "127,       127,  127,       127",
    "128,       128,  128,       129",
    "129,       128,  128,       129",
    "130,       129,  130,       131",
    "255,       191,  254,       255",
    "256,       192,  256,       259",
    "1000,      317,  1000,      1007",
    "4294967295,1727, 4261412864,4294967295"
  })
  void knowsTheBucketOfAValue(long value, int bucket, long lowest, long highest) {
    assertThat(HistogramBuckets.of(value)).isEqualTo(bucket);
    assertThat(HistogramBuckets.lowest(bucket)).isEqualTo(lowest);
    assertThat(HistogramBuckets.highest(bucket)).isEqualTo(highest);
  }

  @Property
  void aBucketHoldsItsValueAndItsMidpointIsNear(
      @ForAll @LongRange(max = HistogramBuckets.MAX_VALUE) long value) {
    int bucket = HistogramBuckets.of(value);
    assertThat(value).isBetween(HistogramBuckets.lowest(bucket), HistogramBuckets.highest(bucket));
    assertThat(Math.abs(HistogramBuckets.midpoint(bucket) - value))
        .isLessThanOrEqualTo((long) Math.ceil(value * 0.008));
  }

  @Test
  void bucketsFollowEachOtherWithoutGap() {
    for (int bucket = 1; bucket <= HistogramBuckets.of(HistogramBuckets.MAX_VALUE); bucket++) {
      assertThat(HistogramBuckets.lowest(bucket))
          .isEqualTo(HistogramBuckets.highest(bucket - 1) + 1);
    }
  }

  @Property
  void aPercentileIsWithinABucketOfTheNearestRank(
      @ForAll @NotEmpty List<@LongRange(max = 900_000) Long> values,
      @ForAll @DoubleRange(min = 0.01, max = 1) double p) {
    Histogram histogram = new Histogram();
    values.forEach(histogram::add);
    int rank = (int) Math.ceil(p * values.size());
    long exact = values.stream().sorted().toList().get(rank - 1);

    assertThat(HistogramBuckets.of(histogram.percentile(p))).isEqualTo(HistogramBuckets.of(exact));
    assertThat(histogram.count()).isEqualTo(values.size());
  }

  @Test
  void countsAddUpWhateverTheOrder() {
    Histogram histogram = new Histogram();
    histogram.add(5);
    histogram.add(128);
    histogram.add(129);
    histogram.addToBucket(5, 3);

    assertThat(histogram.buckets()).containsExactly(5, 128);
    assertThat(histogram.counts()).containsExactly(4, 2);
  }

  @Test
  void nothingHasNoPercentile() {
    assertThatThrownBy(() -> new Histogram().percentile(0.5))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> HistogramBuckets.of(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
