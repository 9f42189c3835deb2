package org.capacityobservatory.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The minutes that have data, whatever a request asks for. */
final class DataRange {
  private DataRange() {}

  /** From the first minute with a call to the end of the last, or null when there is none. */
  static @Nullable Period read(Store store) {
    List<Period> found =
        store.standing(
            "data-range",
            (row, context) ->
                row.getLong("partials") == 0
                    ? null
                    : new Period(
                        Instant.ofEpochMilli(row.getLong("first_ms")),
                        Instant.ofEpochMilli(row.getLong("last_ms")).plusSeconds(60)));
    return found.get(0);
  }

  /**
   * The stretch in which a minute without calls means that there were none: all that has data, and
   * on to where the data is complete.
   */
  static @Nullable Period known(@Nullable Period data, @Nullable Instant completeUntil) {
    if (data == null || completeUntil == null || !completeUntil.isAfter(data.to())) {
      return data;
    }
    return new Period(data.from(), completeUntil);
  }
}
