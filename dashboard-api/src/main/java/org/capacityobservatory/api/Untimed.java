package org.capacityobservatory.api;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls whose line had no time: they are in no minute, so they are told apart. */
final class Untimed {
  private Untimed() {}

  /** When the first and the last of them were read; null when there are none. */
  private record Read(@Nullable Instant first, @Nullable Instant last) {
    boolean touches(Period period) {
      return first != null
          && last != null
          && !first.isAfter(period.to())
          && !last.isBefore(period.from());
    }
  }

  /** How many were read in a range; they are only counted where there are any. */
  static long count(Store store, TimeRange range) {
    Period period = range.widest();
    List<Read> read =
        store.standing(
            "untimed-range",
            (row, context) ->
                new Read(Rows.time(row, "first_read_ms"), Rows.time(row, "last_read_ms")));
    if (!read.get(0).touches(period)) {
      return 0;
    }
    List<Long> found =
        store.list(
            "untimed-calls",
            Map.of("from_ms", period.fromMs(), "to_ms", period.toMs()),
            (row, context) -> row.getLong("n"));
    return found.get(0);
  }
}
