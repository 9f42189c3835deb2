package org.capacityobservatory.alarms;

import java.time.Duration;
import java.time.Instant;

/**
 * The state machine of one series: a pure function of the rule, the state before, and one minute's
 * reading. The evaluator, rule tests and back-tests all step it.
 *
 * <ul>
 *   <li>The minute in which the condition begins to hold counts: {@code for: 3m} fires at the end
 *       of the third minute in a row.
 *   <li>An alarm that fires ends when the condition, at the clear threshold if there is one, hasn't
 *       held for longer than {@code keep_firing_for}.
 *   <li>A reading without a value is what {@code no_data} says. {@code keep}: nothing moves, no
 *       timer either, and what was pending or firing shows as no-data. Only a value can resolve.
 * </ul>
 */
final class AlarmMachine {
  static final Duration STEP = Duration.ofMinutes(1);

  private AlarmMachine() {}

  /**
   * The state after a minute.
   *
   * @param at the minute's end
   */
  static SeriesState step(AlarmRule rule, SeriesState before, Instant at, Reading reading) {
    boolean firing = before.isFiring();
    boolean holds;
    if (reading.isDefined()) {
      holds = rule.holds(reading.value(), firing);
    } else {
      switch (rule.noData()) {
        case OK -> holds = false;
        case ALERT -> holds = true;
        default -> {
          return before.withoutData();
        }
      }
    }
    if (firing) {
      return firing(rule, before, holds);
    }
    return holds
        ? began(rule, before.held().plus(STEP), at)
        : before.under() == AlarmState.PENDING ? SeriesState.INACTIVE : before;
  }

  private static SeriesState firing(AlarmRule rule, SeriesState before, boolean holds) {
    if (holds) {
      return SeriesState.firing(before.firingSince(), Duration.ZERO);
    }
    Duration over = before.over().plus(STEP);
    return over.compareTo(rule.keepFiringFor()) > 0
        ? before.resolved()
        : SeriesState.firing(before.firingSince(), over);
  }

  private static SeriesState began(AlarmRule rule, Duration held, Instant at) {
    return held.compareTo(rule.holdFor()) >= 0
        ? SeriesState.firing(at, Duration.ZERO)
        : SeriesState.pending(held);
  }
}
