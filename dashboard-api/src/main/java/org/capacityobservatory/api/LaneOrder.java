package org.capacityobservatory.api;

import java.util.List;

/** The lanes in the limiter's order; those it doesn't know yet come after. */
final class LaneOrder {
  static final List<String> KNOWN =
      List.of("api_heavy", "api_heavy_task", "es2_knn", "tier", "user");

  private LaneOrder() {}

  static int place(String lane) {
    int place = KNOWN.indexOf(lane);
    return place < 0 ? KNOWN.size() : place;
  }
}
