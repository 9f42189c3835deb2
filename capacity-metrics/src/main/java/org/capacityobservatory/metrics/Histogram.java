package org.capacityobservatory.metrics;

import java.util.Arrays;

/**
 * Counts per bucket of {@link HistogramBuckets}; additive, and cheap where few buckets are used.
 *
 * <p>Not safe for several threads.
 */
public final class Histogram {
  private int[] buckets = new int[8];
  private long[] counts = new long[8];
  private int used;
  private long count;

  /** Counts one value, 0 to {@link HistogramBuckets#MAX_VALUE}. */
  public void add(long value) {
    addToBucket(HistogramBuckets.of(value), 1);
  }

  /** Counts a number of values, all in one bucket. */
  public void addToBucket(int bucket, long n) {
    int at = Arrays.binarySearch(buckets, 0, used, bucket);
    if (at < 0) {
      at = -at - 1;
      makeRoomAt(at);
      buckets[at] = bucket;
      counts[at] = 0;
    }
    counts[at] += n;
    count += n;
  }

  private void makeRoomAt(int at) {
    if (used == buckets.length) {
      buckets = Arrays.copyOf(buckets, used * 2);
      counts = Arrays.copyOf(counts, used * 2);
    }
    System.arraycopy(buckets, at, buckets, at + 1, used - at);
    System.arraycopy(counts, at, counts, at + 1, used - at);
    used++;
  }

  /** How many values were counted. */
  public long count() {
    return count;
  }

  /** The buckets that hold values, ascending. */
  public int[] buckets() {
    return Arrays.copyOf(buckets, used);
  }

  /** The counts of {@link #buckets}, in their order. */
  public long[] counts() {
    return Arrays.copyOf(counts, used);
  }

  /**
   * A percentile by nearest rank: the value at rank ⌈p · count⌉, as its bucket's midpoint.
   *
   * @param p greater than 0, at most 1
   * @return the value, within 0.8 % of the exact one
   * @throws IllegalStateException when nothing was counted: there is no percentile of nothing
   */
  public long percentile(double p) {
    if (count == 0) {
      throw new IllegalStateException("An empty histogram has no percentiles");
    }
    if (!(p > 0 && p <= 1)) {
      throw new IllegalArgumentException("A percentile lies above 0 and up to 1, not at " + p);
    }
    long rank = (long) Math.ceil(p * count);
    long below = 0;
    for (int i = 0; i < used; i++) {
      below += counts[i];
      if (below >= rank) {
        return HistogramBuckets.midpoint(buckets[i]);
      }
    }
    throw new IllegalStateException("Counts don't add up to " + count);
  }
}
