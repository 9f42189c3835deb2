package org.capacityobservatory.metrics;

/**
 * The buckets of every stored histogram: values below 128 stand for themselves, then each power of
 * two is cut into 64 equal buckets.
 *
 * <p>A bucket's midpoint is within 0.8 % of every value in it. Stored histograms depend on these
 * numbers: they never change.
 */
public final class HistogramBuckets {
  private static final int EXACT = 128;
  private static final int EXACT_BITS = 7;
  private static final int PER_POWER = 64;

  /** The largest value that has a bucket: 2³² − 1. */
  public static final long MAX_VALUE = 0xFFFF_FFFFL;

  private HistogramBuckets() {}

  /**
   * The bucket of a value.
   *
   * @param value 0 to {@link #MAX_VALUE}
   * @throws IllegalArgumentException when the value is outside
   */
  public static int of(long value) {
    if (value < 0 || value > MAX_VALUE) {
      throw new IllegalArgumentException("No bucket for " + value);
    }
    if (value < EXACT) {
      return (int) value;
    }
    int power = 63 - Long.numberOfLeadingZeros(value);
    int shift = power - EXACT_BITS + 1;
    return EXACT + (power - EXACT_BITS) * PER_POWER + (int) (value >> shift) - PER_POWER;
  }

  /** The smallest value in a bucket. */
  public static long lowest(int bucket) {
    if (bucket < EXACT) {
      return bucket;
    }
    return (long) (PER_POWER + (bucket - EXACT) % PER_POWER) << shiftOf(bucket);
  }

  /** The largest value in a bucket. */
  public static long highest(int bucket) {
    return bucket < EXACT ? bucket : lowest(bucket) + (1L << shiftOf(bucket)) - 1;
  }

  /** The value that stands for all in a bucket: its midpoint, rounded down. */
  public static long midpoint(int bucket) {
    return (lowest(bucket) + highest(bucket)) / 2;
  }

  private static int shiftOf(int bucket) {
    return (bucket - EXACT) / PER_POWER + 1;
  }
}
