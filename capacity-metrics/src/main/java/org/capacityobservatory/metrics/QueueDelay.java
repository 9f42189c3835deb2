package org.capacityobservatory.metrics;

/**
 * The true queueing delay that a raw {@code queue_ms} stands for, as a range in ms.
 *
 * <p>The load balancer's stamp has whole seconds, so the raw value is high by 0 to 999 ms, evenly.
 * A range of single values, of a mean or of a percentile is found alike; a single number in place
 * of the range would claim what nobody measured.
 *
 * @param lowMs the least that it can have been, at least 0
 * @param highMs the most: the raw value
 */
public record QueueDelay(long lowMs, long highMs) {
  /** The most by which a raw value is high, ms. */
  public static final long MAX_BIAS_MS = 999;

  /** The range of a raw value of at least 0 ms. */
  public static QueueDelay of(long queueMs) {
    return new QueueDelay(Math.max(0, queueMs - MAX_BIAS_MS), queueMs);
  }
}
