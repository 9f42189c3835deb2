package org.capacityobservatory.alarms;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What rules would have done over a stretch of time, by the same state machine as live. */
public final class Backtest {
  /** The longest stretch. */
  public static final Duration LONGEST = Duration.ofDays(92);

  private static final Duration SLICE = Duration.ofHours(6);

  private Backtest() {}

  /**
   * What came out.
   *
   * @param transitions in event-time order
   * @param firings how often an alarm would have begun to fire
   * @param pages of them, those with severity page
   * @param skipped rules whose metrics these facts don't know: not judged, so not quiet either
   */
  public record Result(
      List<Transition> transitions, long firings, long pages, List<String> skipped) {
    /** Keeps its own copies. */
    public Result {
      transitions = List.copyOf(transitions);
      skipped = List.copyOf(skipped);
    }
  }

  /**
   * Runs rules over a stretch of time; all its minutes count as complete.
   *
   * @param from begins at this minute; windows look back before it
   * @param to ends before this minute
   * @throws IllegalArgumentException when the stretch is empty or longer than {@link #LONGEST}
   */
  public static Result run(List<AlarmRule> rules, Facts facts, Instant from, Instant to) {
    Instant first = from.truncatedTo(ChronoUnit.MINUTES);
    if (!first.isBefore(to) || Duration.between(first, to).compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "A back-test goes from a time to a later one, over at most "
              + LONGEST.toDays()
              + " days, not from "
              + from
              + " to "
              + to);
    }
    List<AlarmRule> judged =
        rules.stream().filter(r -> facts.knows(r.expression().metric())).toList();
    List<Transition> transitions = transitions(judged, facts, first, to);
    long firings = transitions.stream().filter(Transition::isFiring).count();
    long pages =
        transitions.stream().filter(t -> t.isFiring() && t.severity().equals("page")).count();
    List<String> skipped =
        rules.stream()
            .filter(r -> !facts.knows(r.expression().metric()))
            .map(AlarmRule::name)
            .toList();
    return new Result(transitions, firings, pages, skipped);
  }

  private static List<Transition> transitions(
      List<AlarmRule> rules, Facts facts, Instant first, Instant to) {
    Evaluation evaluation = new Evaluation(rules, Map.of());
    evaluation
        .needs()
        .forEach((metric, window) -> feed(evaluation, metric, facts, first.minus(window), first));
    List<Transition> transitions = new ArrayList<>();
    for (Instant start = first; start.isBefore(to); start = start.plus(SLICE)) {
      Instant end = start.plus(SLICE).isBefore(to) ? start.plus(SLICE) : to;
      transitions.addAll(slice(evaluation, facts, start, end));
    }
    return transitions;
  }

  private static List<Transition> slice(
      Evaluation evaluation, Facts facts, Instant start, Instant end) {
    Map<Metric, Map<Instant, List<Fact>>> read = new HashMap<>();
    evaluation
        .needs()
        .keySet()
        .forEach(metric -> read.put(metric, byMinute(facts.between(metric, start, end))));
    List<Transition> transitions = new ArrayList<>();
    for (Instant minute = start; minute.isBefore(end); minute = minute.plus(AlarmMachine.STEP)) {
      Instant now = minute;
      read.forEach(
          (metric, minutes) ->
              evaluation.remember(metric, now, minutes.getOrDefault(now, List.of())));
      for (Metric.Clock clock : Metric.Clock.values()) {
        transitions.addAll(evaluation.judge(clock, minute));
      }
    }
    return transitions;
  }

  /** Facts of a metric by minute. */
  static Map<Instant, List<Fact>> byMinute(List<Fact> facts) {
    Map<Instant, List<Fact>> minutes = new HashMap<>();
    facts.forEach(fact -> minutes.computeIfAbsent(fact.minute(), m -> new ArrayList<>()).add(fact));
    return minutes;
  }

  /** Lets windows look back on minutes before the first that is judged. */
  static void feed(Evaluation evaluation, Metric metric, Facts facts, Instant from, Instant to) {
    if (!from.isBefore(to)) {
      return;
    }
    Map<Instant, List<Fact>> minutes = byMinute(facts.between(metric, from, to));
    for (Instant minute = from; minute.isBefore(to); minute = minute.plus(AlarmMachine.STEP)) {
      evaluation.remember(metric, minute, minutes.getOrDefault(minute, List.of()));
    }
  }
}
