package org.capacityobservatory.api;

import java.util.List;
import java.util.Map;

/** Calls whose line had no time: they are in no minute, so they are told apart. */
final class Untimed {
  private Untimed() {}

  /** How many were read in a range. */
  static long count(Store store, TimeRange range) {
    Period period = range.widest();
    List<Long> found =
        store.list(
            "untimed-calls",
            Map.of("from_ms", period.fromMs(), "to_ms", period.toMs()),
            (row, context) -> row.getLong("n"));
    return found.get(0);
  }
}
