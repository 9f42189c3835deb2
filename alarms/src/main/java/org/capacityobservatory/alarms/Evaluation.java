package org.capacityobservatory.alarms;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Rules judged minute by minute: facts in, transitions out. It knows no clock and no store; the
 * evaluator, rule tests and back-tests drive it.
 *
 * <p>Not safe for use by several threads.
 */
final class Evaluation {
  /** Series of one rule beyond which new ones are left out and counted. */
  static final int MAX_SERIES = 2_000;

  private record Selection(Metric metric, Map<String, String> filters, Set<String> by) {
    static Selection of(AlarmExpression expression) {
      return new Selection(expression.metric(), expression.filters(), expression.by());
    }
  }

  private final List<AlarmRule> rules;
  private final Map<String, AlarmRule> byName = new LinkedHashMap<>();
  private final Map<SeriesKey, SeriesState> states = new HashMap<>();
  private final Map<String, Set<Labels>> active = new HashMap<>();
  private final Map<Selection, SlidingWindow> windows = new LinkedHashMap<>();
  private final Map<Metric, Duration> longest = new EnumMap<>(Metric.class);
  private long seriesLeftOut;

  /**
   * Rules that go on from states before.
   *
   * @param before states of series; those of rules that are no more are left alone
   */
  Evaluation(List<AlarmRule> rules, Map<SeriesKey, SeriesState> before) {
    this.rules = List.copyOf(rules);
    for (AlarmRule rule : rules) {
      byName.put(rule.name(), rule);
      AlarmExpression expression = rule.expression();
      windows
          .computeIfAbsent(Selection.of(expression), s -> new SlidingWindow(expression))
          .serve(expression.window());
      longest.merge(expression.metric(), expression.window(), (a, b) -> a.compareTo(b) > 0 ? a : b);
    }
    before.forEach(this::put);
  }

  private void put(SeriesKey series, SeriesState state) {
    states.put(series, state);
    Set<Labels> labels = active.computeIfAbsent(series.rule(), r -> new HashSet<>());
    if (state.isAtRest()) {
      labels.remove(series.labels());
    } else {
      labels.add(series.labels());
    }
  }

  /** The metrics that rules need, with the longest window of each. */
  Map<Metric, Duration> needs() {
    return longest;
  }

  Map<SeriesKey, SeriesState> states() {
    return states;
  }

  @Nullable AlarmRule rule(String name) {
    return byName.get(name);
  }

  /** Series that found no room, since the beginning. */
  long seriesLeftOut() {
    return seriesLeftOut;
  }

  /** Takes a minute's facts in without judging it: what windows look back on. */
  void remember(Metric metric, Instant minute, List<Fact> facts) {
    windows.forEach(
        (selection, window) -> {
          if (selection.metric() == metric) {
            window.add(minute, facts);
          }
        });
  }

  /**
   * Judges a minute whose facts have been remembered.
   *
   * @return the transitions, in the order of rules and series
   */
  List<Transition> judge(Metric.Clock clock, Instant minute) {
    List<Transition> transitions = new ArrayList<>();
    for (AlarmRule rule : rules) {
      if (rule.expression().metric().clock() == clock) {
        judge(rule, minute, transitions);
      }
    }
    return transitions;
  }

  private void judge(AlarmRule rule, Instant minute, List<Transition> transitions) {
    AlarmExpression expression = rule.expression();
    SlidingWindow window = windows.get(Selection.of(expression));
    if (window == null) {
      throw new IllegalStateException("Every rule has its window");
    }
    Map<Labels, Reading> readings = window.readings(minute, expression.window(), rule.minCalls());
    Map<Labels, Reading> judged = new TreeMap<>(Comparator.naturalOrder());
    readings.forEach(
        (labels, reading) -> {
          if (isWorthAStep(rule, labels, reading)) {
            judged.put(labels, reading);
          }
        });
    for (Labels labels : active.getOrDefault(rule.name(), Set.of())) {
      judged.putIfAbsent(labels, window.absent());
    }
    if (expression.by().isEmpty()) {
      judged.putIfAbsent(Labels.NONE, readings.getOrDefault(Labels.NONE, window.absent()));
    }
    Instant at = minute.plus(AlarmMachine.STEP);
    judged.forEach((labels, reading) -> step(rule, labels, at, reading, transitions));
  }

  /** A series at rest whose condition doesn't hold stays as it is: there may be thousands. */
  private boolean isWorthAStep(AlarmRule rule, Labels labels, Reading reading) {
    Set<Labels> known = active.getOrDefault(rule.name(), Set.of());
    if (known.contains(labels)) {
      return true;
    }
    boolean moves =
        reading.isDefined()
            ? rule.holds(reading.value(), false)
            : rule.noData() == AlarmRule.NoData.ALERT;
    if (moves && known.size() >= MAX_SERIES) {
      seriesLeftOut++;
      return false;
    }
    return moves;
  }

  private void step(
      AlarmRule rule, Labels labels, Instant at, Reading reading, List<Transition> transitions) {
    SeriesKey series = new SeriesKey(rule.name(), labels);
    SeriesState before = states.getOrDefault(series, SeriesState.INACTIVE);
    SeriesState after = AlarmMachine.step(rule, before, at, reading);
    move(rule, series, before, after, at, reading, transitions);
  }

  /**
   * Marks what is pending or firing as without data, since minutes don't become complete.
   *
   * @param at the end of the newest minute that was judged
   */
  List<Transition> stale(Metric.Clock clock, Instant at) {
    List<Transition> transitions = new ArrayList<>();
    for (AlarmRule rule : rules) {
      if (rule.expression().metric().clock() == clock) {
        List<Labels> labels = active.getOrDefault(rule.name(), Set.of()).stream().sorted().toList();
        for (Labels one : labels) {
          SeriesKey series = new SeriesKey(rule.name(), one);
          SeriesState before = states.getOrDefault(series, SeriesState.INACTIVE);
          move(rule, series, before, before.withoutData(), at, Reading.UNDEFINED, transitions);
        }
      }
    }
    return transitions;
  }

  private void move(
      AlarmRule rule,
      SeriesKey series,
      SeriesState before,
      SeriesState after,
      Instant at,
      Reading reading,
      List<Transition> transitions) {
    if (after.equals(before)) {
      return;
    }
    put(series, after);
    if (after.state() != before.state()) {
      transitions.add(transition(rule, series, before, after, at, reading));
    }
  }

  private static Transition transition(
      AlarmRule rule,
      SeriesKey series,
      SeriesState before,
      SeriesState after,
      Instant at,
      Reading reading) {
    return new Transition(
        series,
        AlertLabels.of(rule, series),
        before.state(),
        after.state(),
        at,
        after.firingSince(),
        reading.isDefined() ? OptionalDouble.of(reading.value()) : OptionalDouble.empty(),
        Math.round(reading.calls()),
        Template.fill(
            rule.annotations().getOrDefault("summary", rule.name()),
            reading.value(),
            series.labels(),
            rule.expression().filters()));
  }

  /** Forgets series at rest, which say nothing that a new series wouldn't. */
  List<SeriesKey> forgetAtRest() {
    List<SeriesKey> gone =
        states.entrySet().stream()
            .filter(e -> e.getValue().isAtRest())
            .map(Map.Entry::getKey)
            .toList();
    gone.forEach(states::remove);
    return gone;
  }
}
