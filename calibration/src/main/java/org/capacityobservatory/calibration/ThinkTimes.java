package org.capacityobservatory.calibration;

/**
 * Think times known only to lie between two bounds.
 *
 * <p>An exponential law is fitted to the bounds (expectation maximisation for interval-censored
 * data) and each time is then drawn from it within its own bounds, so wide bounds pull nothing up
 * and narrow ones are kept exactly.
 */
final class ThinkTimes {
  private static final int ROUNDS = 60;
  private static final double SMALLEST_MEAN_MICROS = 1000;

  private ThinkTimes() {}

  /** The mean of the fitted law, µs. */
  static double mean(long[] low, long[] high, int[] members, int count) {
    if (count == 0) {
      return SMALLEST_MEAN_MICROS;
    }
    double mean = 0;
    for (int i = 0; i < count; i++) {
      mean += (double) (low[members[i]] + high[members[i]]) / 2;
    }
    mean = Math.max(SMALLEST_MEAN_MICROS, mean / count);
    for (int round = 0; round < ROUNDS; round++) {
      double sum = 0;
      for (int i = 0; i < count; i++) {
        sum += expected((double) low[members[i]], (double) high[members[i]], mean);
      }
      mean = Math.max(SMALLEST_MEAN_MICROS, sum / count);
    }
    return mean;
  }

  /** E[X | low ≤ X ≤ high] for an exponential X. */
  private static double expected(double low, double high, double mean) {
    double width = (high - low) / mean;
    if (width < 1e-6) {
      return (low + high) / 2;
    }
    return low + mean * (1 - width / Math.expm1(width));
  }

  /** A draw from the law within the bounds, for a uniform u. */
  static long draw(long low, long high, double mean, double u) {
    if (high <= low) {
      return low;
    }
    double inside = -Math.expm1(-(double) (high - low) / mean);
    return low + (long) Math.min((double) (high - low), -mean * Math.log1p(-u * inside));
  }
}
