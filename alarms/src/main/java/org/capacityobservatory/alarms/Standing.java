package org.capacityobservatory.alarms;

import org.jspecify.annotations.Nullable;

/**
 * A series' state, and what receivers know of it.
 *
 * @param state where it stands
 * @param told whether the receivers were told that it fires
 * @param last the transition that last began or ended its firing; null before the first
 */
record Standing(SeriesState state, boolean told, @Nullable Transition last) {
  static final Standing NEW = new Standing(SeriesState.INACTIVE, false, null);

  Standing withState(SeriesState newState) {
    return new Standing(newState, told, last);
  }

  Standing withTold(boolean nowTold) {
    return new Standing(state, nowTold, last);
  }

  Standing withLast(Transition transition) {
    return new Standing(state, told, transition);
  }

  /** Whether it says no more than a series that was never seen. */
  boolean isForgotten() {
    return state.isAtRest() && !told;
  }
}
