package org.capacityobservatory.alarms;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * A transition as it is kept for people.
 *
 * @param transition what happened
 * @param decidedAt wall clock
 * @param deliveries receiver to what became of telling it
 * @param revision greater than those of the rows before of the same transition
 */
record HistoryRow(
    Transition transition, Instant decidedAt, Map<String, String> deliveries, long revision) {
  static final String PENDING = "pending";
  static final String DELIVERED = "delivered";
  static final String GIVEN_UP = "given-up";
  static final String SILENCED = "silenced";
  static final String LATE = "late";

  HistoryRow {
    deliveries = java.util.Collections.unmodifiableMap(new TreeMap<>(deliveries));
  }

  HistoryRow with(String receiver, String delivery) {
    Map<String, String> more = new TreeMap<>(deliveries);
    more.put(receiver, delivery);
    return new HistoryRow(transition, decidedAt, more, revision + 1);
  }

  boolean isFinal() {
    return !deliveries.containsValue(PENDING);
  }
}
