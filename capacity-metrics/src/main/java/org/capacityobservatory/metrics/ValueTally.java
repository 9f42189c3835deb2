package org.capacityobservatory.metrics;

import org.jspecify.annotations.Nullable;

/**
 * One measure over many calls: how many had it, how many hadn't, their sum and their histogram.
 *
 * <p>A missing value is counted apart and is never a 0. Not safe for several threads.
 */
public final class ValueTally {
  private final Histogram histogram;
  private long missing;
  private long sum;

  /** An empty tally. */
  public ValueTally() {
    this(new Histogram(), 0, 0);
  }

  /** A tally as it was stored. */
  public ValueTally(Histogram histogram, long missing, long sum) {
    this.histogram = histogram;
    this.missing = missing;
    this.sum = sum;
  }

  /** Adds one call's value, or that it had none. */
  public void add(@Nullable Long value) {
    if (value == null) {
      missing++;
    } else {
      histogram.add(value);
      sum += value;
    }
  }

  /** Calls that had a value. */
  public long present() {
    return histogram.count();
  }

  /** Calls that had none. */
  public long missing() {
    return missing;
  }

  /** Sum of the values. */
  public long sum() {
    return sum;
  }

  /** The values' histogram. */
  public Histogram histogram() {
    return histogram;
  }
}
