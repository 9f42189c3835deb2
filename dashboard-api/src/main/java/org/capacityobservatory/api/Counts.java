package org.capacityobservatory.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Calls by decision, and what follows from them. */
@JsonPropertyOrder({"calls", "refused", "refusedShare", "totals"})
final class Counts {
  private static final String SHADOW_REFUSED = "shadow-refused";
  private static final String REFUSED = "refused";

  private final Map<String, Long> totals = new TreeMap<>();

  void add(String decision, long calls) {
    totals.merge(decision, calls, Long::sum);
  }

  @JsonProperty
  Map<String, Long> totals() {
    return totals;
  }

  /** All calls, whatever was decided. */
  @JsonProperty
  long calls() {
    return totals.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Calls that were refused, or would have been. */
  @JsonProperty
  long refused() {
    return totals.getOrDefault(SHADOW_REFUSED, 0L) + totals.getOrDefault(REFUSED, 0L);
  }

  /** Refused of all calls, a fraction; null when there are no calls. */
  @JsonProperty
  @Nullable Double refusedShare() {
    long calls = calls();
    return calls == 0 ? null : (double) refused() / calls;
  }
}
