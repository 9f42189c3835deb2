package org.capacityobservatory.alarms;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How the evaluator works.
 *
 * @param name this evaluator's name in the heartbeat
 * @param pace how often it looks whether a minute has become complete; 50 ms to 1 min
 * @param staleAfter how far behind wall clock complete minutes may be before what is pending or
 *     firing shows as no-data; 1 min to 1 h
 * @param lateAfter minutes judged later than this after their end change states, but nobody is told
 *     of what began and ended in them; 2 min to 1 d
 * @param giveUpAfter how long a notice is tried; 1 min to 7 d
 * @param remindEvery how often receivers that forget are told again what fires; 10 s to 1 h
 */
public record EvaluatorConfig(
    String name,
    Duration pace,
    Duration staleAfter,
    Duration lateAfter,
    Duration giveUpAfter,
    Duration remindEvery) {
  /** Checks all of it, and says every problem. */
  public EvaluatorConfig {
    List<String> problems = new ArrayList<>();
    if (name.isBlank()) {
      problems.add("name is blank");
    }
    range(problems, "pace", pace, Duration.ofMillis(50), Duration.ofMinutes(1));
    range(problems, "staleAfter", staleAfter, Duration.ofMinutes(1), Duration.ofHours(1));
    range(problems, "lateAfter", lateAfter, Duration.ofMinutes(2), Duration.ofDays(1));
    range(problems, "giveUpAfter", giveUpAfter, Duration.ofMinutes(1), Duration.ofDays(7));
    range(problems, "remindEvery", remindEvery, Duration.ofSeconds(10), Duration.ofHours(1));
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("Evaluator: " + String.join("; ", problems));
    }
  }

  /** The usual settings. */
  public static EvaluatorConfig named(String name) {
    return new EvaluatorConfig(
        name,
        Duration.ofSeconds(1),
        Duration.ofMinutes(3),
        Duration.ofMinutes(10),
        Duration.ofHours(6),
        Duration.ofMinutes(1));
  }

  /** Occupancy of a minute is known only after the longest calls have ended. */
  Duration lateAfter(Metric.Clock clock) {
    return clock == Metric.Clock.OCCUPANCY ? lateAfter.plusMinutes(45) : lateAfter;
  }

  private static void range(
      List<String> problems, String what, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      problems.add("%s is %s: %s to %s".formatted(what, value, least, most));
    }
  }
}
