package org.capacityobservatory.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.capacityobservatory.log.CapacityCall;

/** One tally for each {@link Measure}. Not safe for several threads. */
public final class MeasureTallies {
  private final Map<Measure, ValueTally> tallies = new EnumMap<>(Measure.class);

  /** Empty tallies. */
  public MeasureTallies() {
    for (Measure measure : Measure.values()) {
      tallies.put(measure, new ValueTally());
    }
  }

  /** Adds every measure of a call, or that it had none. */
  public void add(CapacityCall call) {
    tallies.forEach((measure, tally) -> tally.add(measure.of(call)));
  }

  /** The tally of one measure. */
  public ValueTally of(Measure measure) {
    return Objects.requireNonNull(tallies.get(measure));
  }

  /** Puts a tally as it was stored in a measure's place. */
  public void put(Measure measure, ValueTally tally) {
    tallies.put(measure, tally);
  }
}
