package org.capacityobservatory.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The minutes that a request is about, and what is known of them; read once for a request.
 *
 * @param data the minutes that have data, null when none has
 * @param period the minutes asked for; null when neither request nor data says any
 */
record MinuteRange(
    Instant now, Completeness.State complete, @Nullable Period data, @Nullable Period period) {

  static MinuteRange of(TimeRange range, Store store, Completeness completeness, Instant now) {
    Period data = DataRange.read(store);
    return new MinuteRange(now, completeness.read(now), data, range.minutes(data, now));
  }

  @Nullable Instant from() {
    return period == null ? null : period.from();
  }

  @Nullable Instant to() {
    return period == null ? null : period.to();
  }

  /** The period, or an empty one. */
  Period shown() {
    return period == null ? new Period(now, now) : period;
  }

  /** The stretch in which no calls means that there were none. */
  @Nullable Period known() {
    return DataRange.known(data, complete.until());
  }

  /** The part of the period in which something is known; null when there is none. */
  @Nullable Period knownPart() {
    Period known = known();
    if (period == null || known == null) {
      return null;
    }
    Instant from = later(period.from(), known.from());
    Instant to = period.to().isBefore(known.to()) ? period.to() : known.to();
    return from.isBefore(to) ? new Period(from, to) : null;
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }
}
