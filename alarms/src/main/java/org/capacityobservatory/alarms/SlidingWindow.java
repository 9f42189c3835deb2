package org.capacityobservatory.alarms;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The minutes of one selection of facts, by series: what rules with the same metric, filters and
 * split share, each looking back over its own window.
 */
final class SlidingWindow {
  /** Part and whole of one series, in one minute or over a window. */
  private record Sum(double part, double whole) {}

  private final AlarmExpression expression;
  private final Metric.Kind kind;
  private final TreeMap<Instant, Map<Labels, Sum>> minutes = new TreeMap<>();
  private Duration longest = Duration.ZERO;

  /** A selection, as an expression with it says. */
  SlidingWindow(AlarmExpression expression) {
    this.expression = expression;
    this.kind = expression.metric().kind();
  }

  /** Keeps minutes for a window of this length. */
  void serve(Duration window) {
    longest = longest.compareTo(window) > 0 ? longest : window;
  }

  Duration longest() {
    return longest;
  }

  /** Takes a minute in; the oldest that no window reaches any more goes. */
  void add(Instant minute, List<Fact> facts) {
    Map<Labels, Sum> sums = new HashMap<>();
    for (Fact fact : facts) {
      if (expression.selects(fact.labels())) {
        sums.merge(
            expression.seriesOf(fact.labels()), new Sum(fact.part(), fact.whole()), this::within);
      }
    }
    minutes.put(minute, sums);
    minutes.headMap(minute.minus(longest).plus(AlarmMachine.STEP), false).clear();
  }

  private Sum within(Sum a, Sum b) {
    double part =
        switch (kind) {
          case SHARE, COUNT, PER_MINUTE -> a.part + b.part;
          case MAX, LAST -> Math.max(a.part, b.part);
        };
    return new Sum(part, a.whole + b.whole);
  }

  private Sum across(Sum earlier, Sum later) {
    return kind == Metric.Kind.LAST ? later : within(earlier, later);
  }

  /** The readings at the end of a minute of every series that the window knows. */
  Map<Labels, Reading> readings(Instant minute, Duration window, long minCalls) {
    Map<Labels, Sum> sums = new HashMap<>();
    Instant first = minute.minus(window).plus(AlarmMachine.STEP);
    for (Map<Labels, Sum> one : minutes.subMap(first, true, minute, true).values()) {
      one.forEach((labels, sum) -> sums.merge(labels, sum, this::across));
    }
    Map<Labels, Reading> readings = new HashMap<>();
    sums.forEach((labels, sum) -> readings.put(labels, reading(sum, window, minCalls)));
    return readings;
  }

  /** What a series reads that the window doesn't know: no calls, and nothing counted. */
  Reading absent() {
    return switch (kind) {
      case COUNT, PER_MINUTE -> new Reading(0, 0);
      case SHARE, MAX, LAST -> Reading.UNDEFINED;
    };
  }

  private Reading reading(Sum sum, Duration window, long minCalls) {
    if (AlarmRule.RESTS_ON_CALLS.contains(kind) && sum.whole < minCalls) {
      return new Reading(Double.NaN, sum.whole);
    }
    return switch (kind) {
      case SHARE -> new Reading(sum.whole > 0 ? sum.part / sum.whole : Double.NaN, sum.whole);
      case PER_MINUTE -> new Reading(sum.part / window.toMinutes(), sum.whole);
      case COUNT, MAX, LAST -> new Reading(sum.part, sum.whole);
    };
  }
}
