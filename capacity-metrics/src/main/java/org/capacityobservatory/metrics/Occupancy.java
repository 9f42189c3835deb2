package org.capacityobservatory.metrics;

/**
 * How long a finished call held its lanes in each minute.
 *
 * <p>The sum over calls, divided by the minute's length, is the mean number of calls in flight
 * (Little's law), and it adds up however the calls are split.
 */
public final class Occupancy {
  /**
   * The longest time that the limiter renews a lease, ms ({@code max_hold_seconds}); what a call
   * runs beyond it isn't counted by the limiter, nor here.
   */
  public static final long MAX_HELD_MS = 900_000;

  private Occupancy() {}

  /** Takes a call's overlap with one minute. */
  public interface Minutes {
    /**
     * One overlap.
     *
     * @param minuteMillis start of the minute, epoch ms
     * @param ms 1 to 60,000
     */
    void add(long minuteMillis, long ms);
  }

  /**
   * Gives out a call's overlap with every minute that it touches, oldest first; nothing for a call
   * of no length.
   *
   * @param endedAtMillis when the call ended, epoch ms; the end itself isn't held
   * @param heldMs from acquire to release, at least 0
   */
  public static void overlaps(long endedAtMillis, long heldMs, Minutes minutes) {
    long acquired = endedAtMillis - heldMs;
    long released = acquired + Math.min(heldMs, MAX_HELD_MS);
    if (released == acquired) {
      return;
    }
    for (long minute = Minute.startOf(acquired); minute < released; minute += Minute.MILLIS) {
      long from = Math.max(acquired, minute);
      long to = Math.min(released, minute + Minute.MILLIS);
      minutes.add(minute, to - from);
    }
  }
}
