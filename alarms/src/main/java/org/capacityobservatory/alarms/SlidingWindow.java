package org.capacityobservatory.alarms;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

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

  /** Sums over windows that end at one minute: rules that differ in their threshold share them. */
  private final Map<Duration, Map<Labels, Sum>> sums = new HashMap<>();

  private Instant summedAt = Instant.MIN;
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

  /** Takes a minute in; the oldest that no window reaches any more goes. */
  void add(Instant minute, List<Fact> facts) {
    sums.clear();
    Map<Labels, Sum> added = new HashMap<>();
    for (Fact fact : facts) {
      if (expression.selects(fact.labels())) {
        added.merge(
            expression.seriesOf(fact.labels()), new Sum(fact.part(), fact.whole()), this::within);
      }
    }
    minutes.put(minute, added);
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

  /** What every series that the window knows reads at the end of a minute. */
  Readings at(Instant minute, Duration window, long minCalls) {
    return new Readings(sumsAt(minute, window), window, minCalls);
  }

  /** Readings over sums that rules share: each makes them as it looks at them. */
  final class Readings {
    private final Map<Labels, Sum> known;
    private final Duration window;
    private final long minCalls;

    private Readings(Map<Labels, Sum> known, Duration window, long minCalls) {
      this.known = known;
      this.window = window;
      this.minCalls = minCalls;
    }

    /** What a series reads; one that the window doesn't know: no calls, and nothing counted. */
    Reading of(Labels labels) {
      Sum sum = known.get(labels);
      return sum == null ? absent() : reading(sum, window, minCalls);
    }

    void forEach(BiConsumer<Labels, Reading> visitor) {
      known.forEach((labels, sum) -> visitor.accept(labels, reading(sum, window, minCalls)));
    }
  }

  private Map<Labels, Sum> sumsAt(Instant minute, Duration window) {
    if (!minute.equals(summedAt)) {
      sums.clear();
      summedAt = minute;
    }
    return sums.computeIfAbsent(window, w -> summed(minute, w));
  }

  private Map<Labels, Sum> summed(Instant minute, Duration window) {
    Map<Labels, Sum> summed = new HashMap<>();
    Instant first = minute.minus(window).plus(AlarmMachine.STEP);
    for (Map<Labels, Sum> one : minutes.subMap(first, true, minute, true).values()) {
      one.forEach((labels, sum) -> summed.merge(labels, sum, this::across));
    }
    return summed;
  }

  private Reading absent() {
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
