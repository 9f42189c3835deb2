package org.capacityobservatory.alarms;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
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

  /**
   * What is known of one rule between minutes.
   *
   * @param active the states of series that aren't at rest; one at rest says nothing that a new one
   *     wouldn't
   */
  private record Watched(AlarmRule rule, SlidingWindow window, Map<Labels, SeriesState> active) {}

  private final Map<String, Watched> watched = new LinkedHashMap<>();
  private final Map<Selection, SlidingWindow> windows = new LinkedHashMap<>();
  private final Map<Metric, Duration> longest = new EnumMap<>(Metric.class);
  private Map<SeriesKey, SeriesState> changed = new LinkedHashMap<>();
  private long seriesLeftOut;

  /**
   * Rules that go on from states before.
   *
   * @param before states of series; those of rules that are no more are left alone
   */
  Evaluation(List<AlarmRule> rules, Map<SeriesKey, SeriesState> before) {
    for (AlarmRule rule : rules) {
      AlarmExpression expression = rule.expression();
      SlidingWindow window =
          windows.computeIfAbsent(Selection.of(expression), s -> new SlidingWindow(expression));
      window.serve(expression.window());
      watched.put(rule.name(), new Watched(rule, window, new HashMap<>()));
      longest.merge(expression.metric(), expression.window(), (a, b) -> a.compareTo(b) > 0 ? a : b);
    }
    before.forEach(
        (series, state) -> {
          Watched of = watched.get(series.rule());
          if (of != null && !state.isAtRest()) {
            of.active().put(series.labels(), state);
          }
        });
  }

  /** The metrics that rules need, with the longest window of each. */
  Map<Metric, Duration> needs() {
    return longest;
  }

  /**
   * The states that have changed since this was asked last, timers among them: what must be kept.
   */
  Map<SeriesKey, SeriesState> takeChanged() {
    Map<SeriesKey, SeriesState> taken = changed;
    changed = new LinkedHashMap<>();
    return taken;
  }

  @Nullable AlarmRule rule(String name) {
    Watched of = watched.get(name);
    return of == null ? null : of.rule();
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
    for (Watched of : watched.values()) {
      if (of.rule().expression().metric().clock() == clock) {
        judge(of, minute, transitions);
      }
    }
    return transitions;
  }

  private void judge(Watched of, Instant minute, List<Transition> transitions) {
    AlarmRule rule = of.rule();
    SlidingWindow.Readings readings =
        of.window().at(minute, rule.expression().window(), rule.minCalls());
    Map<Labels, Reading> judged = new HashMap<>();
    of.active().keySet().forEach(labels -> judged.put(labels, readings.of(labels)));
    List<Labels> beginning = new ArrayList<>();
    readings.forEach(
        (labels, reading) -> {
          if (begins(rule, reading) && !of.active().containsKey(labels)) {
            judged.put(labels, reading);
            beginning.add(labels);
          }
        });
    if (rule.expression().by().isEmpty() && begins(rule, readings.of(Labels.NONE))) {
      // The one series there is may have no minute that says anything.
      judged.putIfAbsent(Labels.NONE, readings.of(Labels.NONE));
    }
    leaveOut(of, beginning, judged);
    Instant at = minute.plus(AlarmMachine.STEP);
    List<Transition> ofRule = new ArrayList<>();
    judged.forEach(
        (labels, reading) -> {
          SeriesState before = of.active().getOrDefault(labels, SeriesState.INACTIVE);
          SeriesState after = AlarmMachine.step(rule, before, at, reading);
          move(of, labels, before, after, at, reading, ofRule);
        });
    addInOrder(transitions, ofRule);
  }

  /** A series at rest whose condition doesn't hold stays as it is: there may be thousands. */
  private static boolean begins(AlarmRule rule, Reading reading) {
    return reading.isDefined()
        ? rule.holds(reading.value(), false)
        : rule.noData() == AlarmRule.NoData.ALERT;
  }

  private void leaveOut(Watched of, List<Labels> beginning, Map<Labels, Reading> judged) {
    int room = Math.max(0, MAX_SERIES - of.active().size());
    if (beginning.size() > room) {
      beginning.sort(Comparator.naturalOrder());
      List<Labels> left = beginning.subList(room, beginning.size());
      left.forEach(judged::remove);
      seriesLeftOut += left.size();
    }
  }

  private static void addInOrder(List<Transition> transitions, List<Transition> ofRule) {
    ofRule.sort(Comparator.comparing(transition -> transition.series().labels()));
    transitions.addAll(ofRule);
  }

  /**
   * Marks what is pending or firing as without data, since minutes don't become complete.
   *
   * @param at the end of the newest minute that was judged
   */
  List<Transition> stale(Metric.Clock clock, Instant at) {
    List<Transition> transitions = new ArrayList<>();
    for (Watched of : watched.values()) {
      if (of.rule().expression().metric().clock() == clock) {
        List<Transition> ofRule = new ArrayList<>();
        Map.copyOf(of.active())
            .forEach(
                (labels, before) ->
                    move(of, labels, before, before.withoutData(), at, Reading.UNDEFINED, ofRule));
        addInOrder(transitions, ofRule);
      }
    }
    return transitions;
  }

  private void move(
      Watched of,
      Labels labels,
      SeriesState before,
      SeriesState after,
      Instant at,
      Reading reading,
      List<Transition> transitions) {
    if (after.equals(before)) {
      return;
    }
    if (after.isAtRest()) {
      of.active().remove(labels);
    } else {
      of.active().put(labels, after);
    }
    SeriesKey series = new SeriesKey(of.rule().name(), labels);
    changed.put(series, after);
    if (after.state() != before.state()) {
      transitions.add(transition(of.rule(), series, before, after, at, reading));
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
}
