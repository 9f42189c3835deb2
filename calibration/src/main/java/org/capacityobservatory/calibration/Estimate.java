package org.capacityobservatory.calibration;

/**
 * A predicted figure with its 90 % interval; NaN throughout where there is nothing to tell.
 *
 * @param value mean over the seeds
 * @param low 5 % bound
 * @param high 95 % bound
 */
public record Estimate(double value, double low, double high) {
  static final Estimate NOTHING = new Estimate(Double.NaN, Double.NaN, Double.NaN);

  /** Whether there is a figure. */
  public boolean isKnown() {
    return !Double.isNaN(value);
  }

  /** The interval's width. */
  public double width() {
    return high - low;
  }

  /** Whether a figure lies within the interval. */
  public boolean holds(double actual) {
    return actual >= low && actual <= high;
  }
}
