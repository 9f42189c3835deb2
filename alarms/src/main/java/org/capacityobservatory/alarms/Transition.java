package org.capacityobservatory.alarms;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One change of the state of one series.
 *
 * @param series whose
 * @param labels all labels as receivers know them: the rule's, its filters, and the series' own
 * @param from the state left
 * @param to the state entered
 * @param at event time: end of the minute that decided it
 * @param firingSince event time at which the alarm began to fire; null when it doesn't and didn't
 * @param value the metric's value; empty when it had none
 * @param calls calls that the value rests on; 0 where it rests on none
 * @param summary the rule's summary, filled in
 */
public record Transition(
    SeriesKey series,
    Map<String, String> labels,
    AlarmState from,
    AlarmState to,
    Instant at,
    @Nullable Instant firingSince,
    OptionalDouble value,
    long calls,
    String summary) {

  /** Keeps its own copy. */
  public Transition {
    labels = java.util.Collections.unmodifiableMap(new TreeMap<>(labels));
  }

  /** How bad it is: the label {@code severity}, or {@code ticket}. */
  public String severity() {
    return labels.getOrDefault("severity", "ticket");
  }

  /** The same under the labels of another: receivers know an alarm by the labels it fired with. */
  Transition underLabelsOf(Transition firing) {
    return new Transition(series, firing.labels, from, to, at, firingSince, value, calls, summary);
  }

  /** The same for the same transition, however often it is come to: after a kill, for example. */
  public UUID id() {
    return UUID.nameUUIDFromBytes(
        "%s\n%s\n%d\n%s"
            .formatted(series.rule(), series.labels(), at.toEpochMilli(), to.word())
            .getBytes(UTF_8));
  }

  /** Whether an alarm begins to fire here. */
  public boolean isFiring() {
    return to == AlarmState.FIRING && at.equals(firingSince);
  }

  /** Whether it ends here. */
  public boolean isResolved() {
    return to == AlarmState.RESOLVED;
  }
}
