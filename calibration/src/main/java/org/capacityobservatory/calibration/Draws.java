package org.capacityobservatory.calibration;

/**
 * Random numbers that belong to a place, not to a sequence: the same seed, call and step give the
 * same number in every candidate's replay (common random numbers) and on every thread.
 */
final class Draws {
  private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

  private Draws() {}

  /** Uniform in [0, 1). */
  static double uniform(long seed, long call, long step) {
    return (mix(mix(seed * GOLDEN + call) + step * GOLDEN) >>> 11) * 0x1.0p-53;
  }

  /** Standard normal, by the inverse of a logistic-like polynomial of two uniforms (Box–Muller). */
  static double normal(long seed, long call, long step) {
    double radius = Math.sqrt(-2 * Math.log1p(-uniform(seed, call, step)));
    return radius * Math.cos(2 * Math.PI * uniform(seed, call, step + 1));
  }

  // The finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
  static long mix(long z) {
    long x = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    x = (x ^ (x >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return x ^ (x >>> 31);
  }
}
