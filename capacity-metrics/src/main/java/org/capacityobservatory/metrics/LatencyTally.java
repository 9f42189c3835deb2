package org.capacityobservatory.metrics;

import org.jspecify.annotations.Nullable;

/**
 * One measure over many calls: how many had it, how many hadn't, their sum and their histogram.
 *
 * <p>A missing value is counted apart and is never a 0. Not safe for several threads.
 */
public final class LatencyTally {
  private final Histogram histogram;
  private long missing;
  private long sum;

  /** An empty tally. */
  public LatencyTally() {
    this(new Histogram(), 0, 0);
  }

  /** A tally as it was stored. */
  public LatencyTally(Histogram histogram, long missing, long sum) {
    this.histogram = histogram;
    this.missing = missing;
    this.sum = sum;
  }

  /** Adds one call's value in ms, or that it had none. */
  public void add(@Nullable Long valueMs) {
    if (valueMs == null) {
      missing++;
    } else {
      histogram.add(valueMs);
      sum += valueMs;
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

  /** Sum of the values, ms. */
  public long sum() {
    return sum;
  }

  /** The values' histogram. */
  public Histogram histogram() {
    return histogram;
  }
}
