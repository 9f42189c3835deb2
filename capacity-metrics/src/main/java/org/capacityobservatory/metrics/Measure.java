package org.capacityobservatory.metrics;

import org.capacityobservatory.log.CapacityCall;
import org.jspecify.annotations.Nullable;

/** What is kept as a histogram, per minute. */
public enum Measure {
  /** From acquire to release, ms. */
  HELD_MS("held_ms"),
  /** From load balancer to view, ms; raw, so high by 0 to 999 ({@link QueueDelay}). */
  QUEUE_MS("queue_ms"),
  /** What a refusal said or would have said, s. */
  RETRY_AFTER("retry_after"),
  /** Calls that the user should keep in flight. */
  SUGGESTED("suggested");

  private final String word;

  Measure(String word) {
    this.word = word;
  }

  /** The measure's name in lines, tables and answers. */
  public String word() {
    return word;
  }

  /** This measure of a call; null when the line had none. */
  public @Nullable Long of(CapacityCall call) {
    return switch (this) {
      case HELD_MS -> call.heldMs();
      case QUEUE_MS -> call.queueMs();
      case RETRY_AFTER -> call.retryAfter();
      case SUGGESTED -> call.suggested();
    };
  }
}
