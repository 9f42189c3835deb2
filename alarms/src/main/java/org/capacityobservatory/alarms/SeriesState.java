package org.capacityobservatory.alarms;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a series stands, with its timers. Timers count minutes that were judged, so time without
 * data stands still in them, and a restart changes nothing.
 *
 * @param state as it is shown
 * @param under the state that goes on below {@link AlarmState#NO_DATA}: pending or firing; else the
 *     state itself
 * @param held while pending: how long the condition has held
 * @param over while firing: how long it hasn't held
 * @param firingSince while firing, and once resolved: the event time at which it began
 */
record SeriesState(
    AlarmState state,
    AlarmState under,
    Duration held,
    Duration over,
    @Nullable Instant firingSince) {
  static final SeriesState INACTIVE =
      new SeriesState(AlarmState.INACTIVE, AlarmState.INACTIVE, Duration.ZERO, Duration.ZERO, null);

  static SeriesState pending(Duration held) {
    return new SeriesState(AlarmState.PENDING, AlarmState.PENDING, held, Duration.ZERO, null);
  }

  static SeriesState firing(@Nullable Instant since, Duration over) {
    return new SeriesState(AlarmState.FIRING, AlarmState.FIRING, Duration.ZERO, over, since);
  }

  SeriesState resolved() {
    return new SeriesState(
        AlarmState.RESOLVED, AlarmState.RESOLVED, Duration.ZERO, Duration.ZERO, firingSince);
  }

  /** The same with nothing to judge it by. */
  SeriesState withoutData() {
    boolean active = under == AlarmState.PENDING || under == AlarmState.FIRING;
    return active ? new SeriesState(AlarmState.NO_DATA, under, held, over, firingSince) : this;
  }

  boolean isFiring() {
    return under == AlarmState.FIRING;
  }

  boolean isAtRest() {
    return under == AlarmState.INACTIVE || under == AlarmState.RESOLVED;
  }
}
