package org.capacityobservatory.api;

import org.jspecify.annotations.Nullable;

/** Fractions that don't exist where there is nothing to divide by. */
final class Shares {
  private Shares() {}

  static @Nullable Double of(long part, long all) {
    return all == 0 ? null : (Double) ((double) part / all);
  }

  static @Nullable Double of(double part, double all) {
    return all == 0 ? null : (Double) (part / all);
  }
}
