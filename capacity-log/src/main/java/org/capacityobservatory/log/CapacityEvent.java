package org.capacityobservatory.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One line of the limiter, read: a gated call or a change of its config. */
public sealed interface CapacityEvent permits CapacityCall, ConfigChange {
  /** Lines that the sink dropped before this one; null when the line doesn't say. */
  @Nullable Long logDropped();

  /** The keys that stood in the line with the value null, in the line's order. */
  List<String> nullKeys();

  /**
   * A JSON object of what no component holds: keys that this version doesn't know, and known ones
   * of another type; values verbatim, empty when none.
   */
  String unknown();

  /** The known keys whose value was of another type, in the line's order; it is in unknown. */
  List<String> typeErrors();
}
