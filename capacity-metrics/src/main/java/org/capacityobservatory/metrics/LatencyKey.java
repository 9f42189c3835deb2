package org.capacityobservatory.metrics;

import org.capacityobservatory.log.CapacityCall;
import org.jspecify.annotations.Nullable;

/** What latencies are kept by, per minute; null means that the line didn't have the key. */
public record LatencyKey(
    Measure measure,
    @Nullable String endpoint,
    @Nullable Boolean singleRow,
    @Nullable String tier) {

  /** What is measured, in ms. */
  public enum Measure {
    /** From acquire to release. */
    HELD_MS("held_ms"),
    /** From load balancer to view; raw, so high by 0 to 999 ms. */
    QUEUE_MS("queue_ms");

    private final String word;

    Measure(String word) {
      this.word = word;
    }

    /** The measure's name in lines, tables and answers. */
    public String word() {
      return word;
    }

    /**
     * The measure with a name.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static Measure ofWord(String word) {
      for (Measure measure : values()) {
        if (measure.word.equals(word)) {
          return measure;
        }
      }
      throw new IllegalArgumentException("There is no measure " + word);
    }

    /** This measure of a call, in ms; null when the line had none. */
    public @Nullable Long of(CapacityCall call) {
      return this == HELD_MS ? call.heldMs() : call.queueMs();
    }
  }

  /** The key under which one measure of a call is kept. */
  public static LatencyKey of(CapacityCall call, Measure measure) {
    return new LatencyKey(measure, call.endpoint(), call.singleRow(), call.tier());
  }
}
