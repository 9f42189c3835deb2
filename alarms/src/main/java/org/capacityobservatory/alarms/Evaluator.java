package org.capacityobservatory.alarms;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The active evaluator: judges minutes as they become complete, keeps the book, and tells
 * receivers.
 *
 * <p>Everything that must not be forgotten is committed to the store before anyone is told, and
 * what became of telling before the next notice goes out; so wherever it is killed, the next one
 * goes on from a state in which each firing and each resolved is either told or still to be told.
 *
 * <p>Not safe for use by several threads.
 */
final class Evaluator {
  private static final Logger log = LoggerFactory.getLogger(Evaluator.class);

  /** Minutes older than this are skipped when an evaluator comes back after long. */
  static final Duration LONGEST_CATCH_UP = Duration.ofDays(7);

  private static final Duration HEARTBEAT = Duration.ofSeconds(10);
  private static final int MINUTES_AT_ONCE = 60;

  private final EvaluatorConfig config;
  private final Facts facts;
  private final Progress progress;
  private final History history;
  private final Function<Instant, List<Silence>> silences;
  private final List<Courier> couriers;
  private final InstantSource clock;
  private final AlarmMeters meters;

  private final Book book;
  private final Evaluation evaluation;
  private final Map<Metric.Clock, Boolean> primed = new EnumMap<>(Metric.Clock.class);
  private final Set<UUID> saidSilenced = new HashSet<>();
  private Instant nextHeartbeat = Instant.MIN;
  private Instant nextHistory = Instant.MIN;

  Evaluator(
      List<AlarmRule> rules,
      EvaluatorConfig config,
      AlarmStore store,
      Facts facts,
      Progress progress,
      History history,
      Function<Instant, List<Silence>> silences,
      List<Courier> couriers,
      InstantSource clock,
      AlarmMeters meters) {
    this.config = config;
    this.facts = facts;
    this.progress = progress;
    this.history = history;
    this.silences = silences;
    this.couriers = List.copyOf(couriers);
    this.clock = clock;
    this.meters = meters;
    this.book = Book.load(store);
    Map<SeriesKey, SeriesState> states = new HashMap<>();
    book.standings().forEach((series, standing) -> states.put(series, standing.state()));
    this.evaluation = new Evaluation(rules, states);
  }

  /**
   * One round: judges what has become complete, tells what is due, stores what is to be kept.
   * Commits before and after each.
   *
   * @throws AlarmStoreException when the store fails: this evaluator is then of no use any more
   */
  void tick() {
    Instant now = clock.instant();
    judge(now);
    deliver(now);
    storeHistory(now);
    heartbeat(now);
    meters.round(
        book.standings().values().stream().filter(s -> s.state().isFiring()).count(),
        book.noticesWaiting(),
        behind(now),
        evaluation.seriesLeftOut());
  }

  /**
   * Goes on telling what a round has laid out, without judging anything: a receiver is told one
   * notice at a time, and many may begin in one minute.
   */
  void tellOn() {
    deliver(clock.instant());
  }

  /** Whether a receiver can be told something now. */
  boolean isTelling() {
    Instant now = clock.instant();
    return couriers.stream().anyMatch(courier -> courier.isTelling(book, now));
  }

  private void judge(Instant now) {
    try {
      Map<Metric.Clock, Instant> bounds = progress.until(now);
      for (Metric.Clock each : Metric.Clock.values()) {
        Instant until = bounds.get(each);
        if (until != null) {
          catchUp(each, until, now);
        }
        markStale(each, now);
      }
      tell(now);
    } catch (AlarmStoreException e) {
      throw e;
    } catch (RuntimeException e) {
      // ClickHouse is away: nothing was judged, and what was staged is committed below.
      meters.trouble("clickhouse");
      log.warn("Minutes can't be read, tried again: {}", e.getMessage());
    }
    book.commit();
  }

  private void catchUp(Metric.Clock each, Instant until, Instant now) {
    Instant from = begin(each, until);
    while (from.isBefore(until)) {
      Instant chunk = from.plus(AlarmMachine.STEP.multipliedBy(MINUTES_AT_ONCE));
      Instant end = chunk.isBefore(until) ? chunk : until;
      judgeMinutes(each, from, end, now);
      book.commit();
      from = end;
    }
  }

  /** Where judging goes on; at the very first it begins with the newest minute. */
  private Instant begin(Metric.Clock each, Instant until) {
    Instant before = book.judgedUntil(each);
    if (before == null) {
      return until.minus(AlarmMachine.STEP);
    }
    Instant earliest = until.minus(LONGEST_CATCH_UP);
    if (before.isBefore(earliest)) {
      long skipped = Duration.between(before, earliest).toMinutes();
      log.warn("{} minutes from {} on are too old to be judged now", skipped, before);
      meters.minutesSkipped(skipped);
      return earliest;
    }
    return before;
  }

  private void judgeMinutes(Metric.Clock each, Instant from, Instant end, Instant now) {
    Map<Metric, Map<Instant, List<Fact>>> read = new EnumMap<>(Metric.class);
    evaluation
        .needs()
        .forEach(
            (metric, window) -> {
              if (metric.clock() == each) {
                // The first time, windows are filled with the minutes before.
                boolean first = !primed.containsKey(each);
                Instant start = first ? from.minus(window) : from;
                read.put(metric, Backtest.byMinute(read(metric, start, end, now)));
                if (first) {
                  remember(metric, read.get(metric), start, from);
                }
              }
            });
    primed.put(each, true);
    for (Instant minute = from; minute.isBefore(end); minute = minute.plus(AlarmMachine.STEP)) {
      Instant next = minute.plus(AlarmMachine.STEP);
      for (Map.Entry<Metric, Map<Instant, List<Fact>>> entry : read.entrySet()) {
        remember(entry.getKey(), entry.getValue(), minute, next);
      }
      apply(evaluation.judge(each, minute), each, now);
      book.judged(each, next);
      // After each minute: what began and ended within one round is told as well.
      tell(now);
    }
  }

  private void remember(
      Metric metric, @Nullable Map<Instant, List<Fact>> minutes, Instant from, Instant to) {
    Map<Instant, List<Fact>> known = minutes == null ? Map.of() : minutes;
    for (Instant minute = from; minute.isBefore(to); minute = minute.plus(AlarmMachine.STEP)) {
      evaluation.remember(metric, minute, known.getOrDefault(minute, List.of()));
    }
  }

  private List<Fact> read(Metric metric, Instant from, Instant to, Instant now) {
    if (metric != Metric.MINUTES_BEHIND_SECONDS) {
      return facts.between(metric, from, to);
    }
    return book.judgedUntil(Metric.Clock.MINUTES) == null
        ? List.of()
        : List.of(
            new Fact(to.minus(AlarmMachine.STEP), Labels.NONE, behind(now).toMillis() / 1000.0, 0));
  }

  private Duration behind(Instant now) {
    Instant until = book.judgedUntil(Metric.Clock.MINUTES);
    return until == null ? Duration.ZERO : Duration.between(until, now);
  }

  private void apply(List<Transition> transitions, Metric.Clock each, Instant now) {
    Map<SeriesKey, SeriesState> changed = evaluation.takeChanged();
    for (Transition judged : transitions) {
      Standing before = book.standing(judged.series());
      Transition transition =
          judged.isResolved() && before.last() != null
              ? judged.underLabelsOf(before.last())
              : judged;
      boolean turns = transition.isFiring() || transition.isResolved();
      SeriesState state = changed.getOrDefault(transition.series(), SeriesState.INACTIVE);
      book.put(
          transition.series(), (turns ? before.withLast(transition) : before).withState(state));
      book.keep(transition, now);
      meters.transition(transition.severity());
      boolean late = Duration.between(transition.at(), now).compareTo(config.lateAfter(each)) > 0;
      if (turns && late) {
        couriers.forEach(
            courier -> book.delivery(transition, courier.name(), HistoryRow.LATE, now));
      }
    }
    // Timers move without transitions; a restart goes on with them.
    changed.forEach((series, state) -> book.put(series, book.standing(series).withState(state)));
  }

  private void markStale(Metric.Clock each, Instant now) {
    Instant until = book.judgedUntil(each);
    Duration allowed =
        each == Metric.Clock.OCCUPANCY
            ? config.lateAfter(each).plus(config.staleAfter())
            : config.staleAfter();
    if (until != null && Duration.between(until, now).compareTo(allowed) > 0) {
      apply(evaluation.stale(each, until), each, now);
    }
  }

  /** Lays out what receivers don't know yet. Nobody is told from minutes of long ago. */
  private void tell(Instant now) {
    List<SeriesKey> untold =
        book.standings().entrySet().stream()
            .filter(e -> e.getValue().told() != e.getValue().state().isFiring())
            .map(Map.Entry::getKey)
            .filter(series -> isCurrent(series, now))
            .sorted(
                java.util.Comparator.comparing(SeriesKey::rule).thenComparing(SeriesKey::labels))
            .toList();
    if (untold.isEmpty()) {
      return;
    }
    List<Silence> silent = silences.apply(now);
    Map<String, List<Transition>> byRule = new LinkedHashMap<>();
    for (SeriesKey series : untold) {
      Standing standing = book.standing(series);
      Transition last = standing.last();
      if (last == null) {
        continue;
      }
      boolean fires = standing.state().isFiring();
      if (fires && isSilenced(series, silent, now)) {
        silenced(last, now);
        continue;
      }
      book.put(series, standing.withTold(fires));
      byRule.computeIfAbsent(series.rule(), r -> new ArrayList<>()).add(last);
    }
    byRule.forEach((rule, alerts) -> send(rule, alerts, now));
  }

  private void send(String rule, List<Transition> alerts, Instant now) {
    for (Courier courier : couriers) {
      book.send(new Notice(courier.name(), rule, alerts, now));
      alerts.forEach(alert -> book.delivery(alert, courier.name(), HistoryRow.PENDING, now));
    }
  }

  private void silenced(Transition firing, Instant now) {
    if (saidSilenced.add(firing.id())) {
      couriers.forEach(courier -> book.delivery(firing, courier.name(), HistoryRow.SILENCED, now));
    }
  }

  private boolean isCurrent(SeriesKey series, Instant now) {
    AlarmRule rule = evaluation.rule(series.rule());
    if (rule == null) {
      return true;
    }
    Metric.Clock each = rule.expression().metric().clock();
    Instant until = book.judgedUntil(each);
    return until != null && Duration.between(until, now).compareTo(config.lateAfter(each)) <= 0;
  }

  private boolean isSilenced(SeriesKey series, List<Silence> silent, Instant now) {
    Map<String, String> labels = allLabels(series);
    return silent.stream().anyMatch(silence -> silence.silences(labels, now));
  }

  private Map<String, String> allLabels(SeriesKey series) {
    AlarmRule rule = evaluation.rule(series.rule());
    return AlertLabels.of(rule, series);
  }

  private void deliver(Instant now) {
    couriers.forEach(courier -> courier.tick(book, this::firing, now));
    book.commit();
  }

  private List<Transition> firing() {
    return book.standings().values().stream()
        .filter(s -> s.told() && s.state().isFiring() && s.last() != null)
        .map(Standing::last)
        .filter(java.util.Objects::nonNull)
        .toList();
  }

  private void storeHistory(Instant now) {
    List<HistoryRow> rows = book.unstored();
    if (rows.isEmpty() || now.isBefore(nextHistory)) {
      return;
    }
    try {
      history.write(rows);
      book.stored(rows);
      book.commit();
    } catch (AlarmStoreException e) {
      throw e;
    } catch (RuntimeException e) {
      nextHistory = now.plus(HEARTBEAT);
      meters.trouble("history");
      log.warn("{} transitions can't be stored, tried again: {}", rows.size(), e.getMessage());
    }
  }

  private void heartbeat(Instant now) {
    if (now.isBefore(nextHeartbeat)) {
      return;
    }
    nextHeartbeat = now.plus(HEARTBEAT);
    try {
      history.heartbeat(config.name(), book.judgedUntil(Metric.Clock.MINUTES), now);
    } catch (RuntimeException e) {
      meters.trouble("history");
      log.warn("The heartbeat can't be stored: {}", e.getMessage());
    }
  }
}
