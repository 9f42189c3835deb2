package org.capacityobservatory.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The named queries by which a request was answered, on the thread that answered it.
 *
 * @param query its name in {@code sql/queries}
 * @param values bound by name
 * @param lists bound by name as lists
 */
record Overheard(String query, Map<String, ?> values, Map<String, List<String>> lists) {
  private static final ThreadLocal<@Nullable List<Overheard>> LISTENING = new ThreadLocal<>();

  /** Does some work and tells the queries that it asked, in their order. */
  static List<Overheard> during(Runnable work) {
    List<Overheard> heard = new ArrayList<>();
    LISTENING.set(heard);
    try {
      work.run();
    } finally {
      LISTENING.remove();
    }
    return heard;
  }

  /** Does work that asks piece by piece, and tells of it as the one query that it stands for. */
  static <T> T asOne(Overheard whole, Supplier<T> work) {
    List<Overheard> heard = LISTENING.get();
    LISTENING.remove();
    try {
      return work.get();
    } finally {
      if (heard != null) {
        heard.add(whole);
        LISTENING.set(heard);
      }
    }
  }

  /** Tells of a query, if anybody listens. */
  static void tell(String query, Map<String, ?> values, Map<String, List<String>> lists) {
    List<Overheard> heard = LISTENING.get();
    if (heard != null) {
      heard.add(new Overheard(query, Map.copyOf(values), Map.copyOf(lists)));
    }
  }
}
