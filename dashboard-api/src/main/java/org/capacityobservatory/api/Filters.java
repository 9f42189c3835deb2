package org.capacityobservatory.api;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Values for a query with filters: {@code (:tier_on = 0 OR tier IN (<tier>))}. */
final class Filters {
  private final Map<String, Object> values = new HashMap<>();
  private final Map<String, List<String>> lists = new HashMap<>();

  /** Takes a parameter that may be given several times; not given, the filter is off. */
  Filters many(Parameters parameters, String name) {
    return list(name, parameters.many(name));
  }

  /** Takes a parameter that is one of some words. */
  Filters choice(Parameters parameters, String name, List<String> allowed) {
    String given = parameters.choice(name, allowed);
    return list(name, given == null ? List.of() : List.of(given));
  }

  /** Takes a bound: a whole number of 32 bits. */
  Filters bound(Parameters parameters, String name) {
    Long given = parameters.integer(name, 0, 4_294_967_295L);
    values.put(name + "_on", given == null ? 0 : 1);
    values.put(name, given == null ? 0 : given);
    return this;
  }

  /** Some values, or none. */
  Filters list(String name, List<String> given) {
    values.put(name + "_on", given.isEmpty() ? 0 : 1);
    // ClickHouse knows no empty IN ().
    lists.put(name, given.isEmpty() ? List.of("") : given);
    return this;
  }

  /** A value that is no filter. */
  Filters with(String name, Object value) {
    values.put(name, value);
    return this;
  }

  /** The ends of a period. */
  Filters over(Period period) {
    return with("from_ms", period.fromMs()).with("to_ms", period.toMs());
  }

  Map<String, Object> values() {
    return values;
  }

  Map<String, List<String>> lists() {
    return lists;
  }
}
