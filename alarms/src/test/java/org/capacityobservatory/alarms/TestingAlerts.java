package org.capacityobservatory.alarms;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Alarms as the evaluator would tell of them. */
final class TestingAlerts {
  static final Instant BEGAN = Instant.parse("2026-11-30T09:56:00Z");
  static final Instant ENDED = Instant.parse("2026-11-30T10:03:00Z");

  private TestingAlerts() {}

  static Transition firing(String tier) {
    return of(tier, AlarmState.PENDING, AlarmState.FIRING, BEGAN);
  }

  static Transition resolved(String tier) {
    return of(tier, AlarmState.FIRING, AlarmState.RESOLVED, ENDED);
  }

  private static Transition of(String tier, AlarmState from, AlarmState to, Instant at) {
    return new Transition(
        new SeriesKey("TierWouldBeRefused", Labels.of(Map.of("tier", tier))),
        Map.of("alertname", "TierWouldBeRefused", "severity", "ticket", "tier", tier),
        from,
        to,
        at,
        BEGAN,
        OptionalDouble.of(0.875),
        48,
        "87.5 % of the calls of tier " + tier + " are <refused> & more");
  }

  static Notice notice(Transition... alerts) {
    return new Notice("ops", "TierWouldBeRefused", List.of(alerts), BEGAN.plusSeconds(6));
  }
}
