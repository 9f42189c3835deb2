package org.capacityobservatory.localstack;

import java.util.UUID;

/** A query from its arrival to its answer, and the wish to end it early. */
final class RunningQuery {
  /** Begins the query's {@code log_comment}, by which the engine is asked to end it. */
  private final String mark = UUID.randomUUID().toString();

  private volatile boolean cancelled;

  String mark() {
    return mark;
  }

  void cancel() {
    cancelled = true;
  }

  boolean isCancelled() {
    return cancelled;
  }
}
