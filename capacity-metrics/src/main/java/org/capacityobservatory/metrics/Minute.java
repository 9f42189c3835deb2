package org.capacityobservatory.metrics;

/** Minutes of event time, as the start of each in epoch milliseconds. */
public final class Minute {
  /** A minute's length, ms. */
  public static final long MILLIS = 60_000;

  private Minute() {}

  /** The start of the minute that holds an instant; the end is not in it. */
  public static long startOf(long epochMillis) {
    return Math.floorDiv(epochMillis, MILLIS) * MILLIS;
  }
}
