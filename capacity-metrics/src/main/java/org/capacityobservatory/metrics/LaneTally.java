package org.capacityobservatory.metrics;

import org.jspecify.annotations.Nullable;

/**
 * What one lane saw in one minute, as the calls that ended in it tell.
 *
 * <p>Counts and {@link #occupancyMs} add up over tallies; of {@link #inFlightMax} and {@link
 * #limitMax} the greatest counts, of {@link #limitMin} the least. Not safe for several threads.
 */
public final class LaneTally {
  private long calls;
  private long measured;
  private long full;
  private long fullAlone;
  private long nearLimit;
  private @Nullable Long inFlightMax;
  private @Nullable Long limitMin;
  private @Nullable Long limitMax;
  private long occupancyMs;

  /** An empty tally. */
  public LaneTally() {}

  /** A tally as it was stored. */
  public LaneTally(
      long calls,
      long measured,
      long full,
      long fullAlone,
      long nearLimit,
      @Nullable Long inFlightMax,
      @Nullable Long limitMin,
      @Nullable Long limitMax,
      long occupancyMs) {
    this.calls = calls;
    this.measured = measured;
    this.full = full;
    this.fullAlone = fullAlone;
    this.nearLimit = nearLimit;
    this.inFlightMax = inFlightMax;
    this.limitMin = limitMin;
    this.limitMax = limitMax;
    this.occupancyMs = occupancyMs;
  }

  /**
   * Counts a call that passed the lane, or found it full.
   *
   * @param inFlight calls in the lane when it arrived, itself counted where it took a lease; null
   *     when unknown
   * @param limit the lane's limit; null when unknown
   * @param nearLimitShare from which share of the limit the lane is near it, 0 to 1
   */
  public void addCall(@Nullable Long inFlight, @Nullable Long limit, double nearLimitShare) {
    calls++;
    if (limit != null) {
      limitMin = limitMin == null ? limit : Math.min(limitMin, limit);
      limitMax = limitMax == null ? limit : Math.max(limitMax, limit);
    }
    if (inFlight != null) {
      inFlightMax = inFlightMax == null ? inFlight : Math.max(inFlightMax, inFlight);
    }
    if (inFlight != null && limit != null) {
      measured++;
      if (inFlight >= nearLimitShare * limit) {
        nearLimit++;
      }
    }
  }

  /**
   * Counts that the call found the lane full.
   *
   * @param alone whether no other lane was
   */
  public void addFull(boolean alone) {
    full++;
    if (alone) {
      fullAlone++;
    }
  }

  /** Adds the time for which a call held the lane in this minute, ms. */
  public void addOccupancy(long ms) {
    occupancyMs += ms;
  }

  /** Calls that passed the lane, or would have. */
  public long calls() {
    return calls;
  }

  /** Calls of which both in-flight count and limit are known. */
  public long measured() {
    return measured;
  }

  /** Calls that found the lane full. */
  public long full() {
    return full;
  }

  /** Calls that found this lane full and no other. */
  public long fullAlone() {
    return fullAlone;
  }

  /** Measured calls that found the lane near its limit, at it, or beyond. */
  public long nearLimit() {
    return nearLimit;
  }

  /** Most calls in flight that any call saw; null when none says. */
  public @Nullable Long inFlightMax() {
    return inFlightMax;
  }

  /** Least limit that any call saw; null when none says. */
  public @Nullable Long limitMin() {
    return limitMin;
  }

  /** Greatest limit that any call saw; null when none says. */
  public @Nullable Long limitMax() {
    return limitMax;
  }

  /** Sum over calls of the time for which they held the lane within the minute, ms. */
  public long occupancyMs() {
    return occupancyMs;
  }
}
