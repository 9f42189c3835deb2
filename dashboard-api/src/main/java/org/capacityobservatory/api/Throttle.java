package org.capacityobservatory.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How fast and how many at once one caller may ask.
 *
 * <p>A bucket per caller is filled at a steady rate and holds a burst; each request takes one out.
 */
final class Throttle {
  private static final int MOST_CALLERS = 1_000;

  private final double perSecond;
  private final double burst;
  private final int atOnce;
  private final LongSupplier nanoClock;
  private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

  private static final class Bucket {
    double left;
    long filledNanos;
    int running;
  }

  Throttle(double perSecond, double burst, int atOnce, LongSupplier nanoClock) {
    this.perSecond = perSecond;
    this.burst = burst;
    this.atOnce = atOnce;
    this.nanoClock = nanoClock;
  }

  /**
   * Lets a request of a caller begin; {@link #end} must follow.
   *
   * @return false when it comes too fast or too many run already; then there is nothing to end
   */
  synchronized boolean begin(String caller) {
    Bucket bucket = buckets.computeIfAbsent(caller, c -> full());
    long now = nanoClock.getAsLong();
    bucket.left = Math.min(burst, bucket.left + (now - bucket.filledNanos) / 1e9 * perSecond);
    bucket.filledNanos = now;
    if (bucket.left < 1 || bucket.running >= atOnce) {
      return false;
    }
    bucket.left -= 1;
    bucket.running++;
    forgetIdle();
    return true;
  }

  /** Ends what {@link #begin} let begin. */
  synchronized void end(String caller) {
    Bucket bucket = buckets.get(caller);
    if (bucket != null) {
      bucket.running--;
    }
  }

  private Bucket full() {
    Bucket bucket = new Bucket();
    bucket.left = burst;
    bucket.filledNanos = nanoClock.getAsLong();
    return bucket;
  }

  /** Callers are few; this only bounds what names could be made up. */
  private void forgetIdle() {
    if (buckets.size() > MOST_CALLERS) {
      buckets.values().removeIf(bucket -> bucket.running == 0 && bucket.left > burst / 2);
    }
  }
}
