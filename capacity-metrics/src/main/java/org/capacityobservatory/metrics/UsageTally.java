package org.capacityobservatory.metrics;

import org.jspecify.annotations.Nullable;

/**
 * How much of the limiter's room calls used, by the minute in which they ended.
 *
 * <p>A call without {@code held_ms} held no lease or it isn't known for how long: it is no 0, and
 * is counted apart. Not safe for several threads.
 */
public final class UsageTally {
  private long calls;
  private long held;
  private long leaseMs;

  /** An empty tally. */
  public UsageTally() {}

  /** A tally as it was stored. */
  public UsageTally(long calls, long held, long leaseMs) {
    this.calls = calls;
    this.held = held;
    this.leaseMs = leaseMs;
  }

  /** Adds a call; null when it has no {@code held_ms}. */
  public void add(@Nullable Long heldMs) {
    calls++;
    if (heldMs != null) {
      held++;
      leaseMs += heldMs;
    }
  }

  /** All calls. */
  public long calls() {
    return calls;
  }

  /** Calls whose time is known. */
  public long held() {
    return held;
  }

  /** Sum of their times, ms; a thousandth is lease-seconds. */
  public long leaseMs() {
    return leaseMs;
  }
}
