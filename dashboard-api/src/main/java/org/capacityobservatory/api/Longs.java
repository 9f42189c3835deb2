package org.capacityobservatory.api;

/** Sums of what lines claim. */
final class Longs {
  private Longs() {}

  /** A sum that stays at the largest number: no claim must turn it negative. */
  static long sum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
