package org.capacityobservatory.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.capacityobservatory.alarms.AlarmExpression.Comparison;
import org.capacityobservatory.alarms.AlarmRule.NoData;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Two scripted days under a virtual clock, with the evaluator killed at random among all its reads
 * and writes: before or after the store took a change, before or after a receiver took a notice,
 * while history is written. A killed one leaves nothing but the store; the next begins from it.
 *
 * <p>What must come out is computed without any of it: the rules over the same minutes, judged in
 * one go. That the check can fail is shown by a store that takes a change in part when it is
 * killed.
 */
class KillSimulationTest {
  private static final Instant START = Instant.parse("2026-11-28T00:00:00Z");
  private static final int MINUTES = 2 * 24 * 60;
  private static final int SEEDS = 200;

  @Test
  void noTransitionIsMissedAndNoneIsInvented() {
    long kills = 0;
    long repeats = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Set<String> expected = expected(seed);
      Outcome outcome = new Simulation(seed, false).run(expected);
      assertThat(outcome.told).as("seed %d", seed).isEqualTo(expected);
      assertThat(outcome.repeats).as("seed %d", seed).isLessThanOrEqualTo(outcome.kills);
      assertThat(outcome.outOfOrder).as("seed %d", seed).isEmpty();
      assertThat(outcome.historyMissing).as("seed %d", seed).isEmpty();
      kills += outcome.kills;
      repeats += outcome.repeats;
    }
    assertThat(kills).isGreaterThan(20L * SEEDS);
    // Kills between a receiver's taking and its being committed do happen, and show as repeats.
    assertThat(repeats).isPositive();
  }

  @Test
  void aStoreThatTakesChangesInPartIsFoundOut() {
    int wrong = 0;
    for (int seed = 0; seed < 10; seed++) {
      Set<String> expected = expected(seed);
      Outcome outcome = new Simulation(seed, true).run(expected);
      boolean right =
          outcome.told.equals(expected)
              && outcome.repeats <= outcome.kills
              && outcome.historyMissing.isEmpty();
      wrong += right ? 0 : 1;
    }
    assertThat(wrong).isPositive();
  }

  private static List<AlarmRule> rules() {
    return List.of(
        rule(
            "Share",
            new AlarmExpression(
                Metric.REFUSED_SHARE,
                Map.of(),
                Duration.ofMinutes(5),
                Set.of("tier"),
                Comparison.ABOVE,
                0.5),
            3,
            2,
            OptionalDouble.of(0.3)),
        rule(
            "Count",
            new AlarmExpression(
                Metric.EVENTS,
                Map.of("kind", "lease_lost"),
                Duration.ofMinutes(1),
                Set.of(),
                Comparison.ABOVE,
                0),
            0,
            1,
            OptionalDouble.empty()));
  }

  private static AlarmRule rule(
      String name, AlarmExpression expression, int holdFor, int keep, OptionalDouble clear) {
    return new AlarmRule(
        name,
        expression,
        Duration.ofMinutes(holdFor),
        Duration.ofMinutes(keep),
        clear,
        0,
        NoData.KEEP,
        Map.of("severity", "page"),
        Map.of("summary", "{{ $value }}"));
  }

  /** Two days of two tiers that go up and down, with hours of nothing, and a rare event. */
  private static final class Script implements Facts {
    private final Map<Metric, Map<Instant, List<Fact>>> minutes = new EnumMap<>(Metric.class);

    Script(long seed) {
      Random random = new Random(seed);
      for (String tier : List.of("core", "preview")) {
        boolean busy = false;
        boolean silent = false;
        for (int i = 0; i < MINUTES; i++) {
          busy = random.nextInt(25) == 0 ? !busy : busy;
          silent = random.nextInt(silent ? 20 : 200) == 0 ? !silent : silent;
          if (!silent) {
            double part = Math.min(10, (busy ? 6 : 1) + random.nextInt(4));
            put(Metric.REFUSED_SHARE, new Fact(at(i), Labels.of(Map.of("tier", tier)), part, 10));
          }
        }
      }
      for (int i = 0; i < MINUTES; i++) {
        if (random.nextInt(150) == 0) {
          put(Metric.EVENTS, new Fact(at(i), Labels.of(Map.of("kind", "lease_lost")), 1, 0));
        }
      }
    }

    private void put(Metric metric, Fact fact) {
      minutes
          .computeIfAbsent(metric, m -> new HashMap<>())
          .computeIfAbsent(fact.minute(), m -> new ArrayList<>())
          .add(fact);
    }

    private static Instant at(int minute) {
      return START.plus(Duration.ofMinutes(minute));
    }

    @Override
    public List<Fact> between(Metric metric, Instant from, Instant to) {
      List<Fact> facts = new ArrayList<>();
      Map<Instant, List<Fact>> known = minutes.getOrDefault(metric, Map.of());
      for (Instant minute = from; minute.isBefore(to); minute = minute.plusSeconds(60)) {
        facts.addAll(known.getOrDefault(minute, List.of()));
      }
      return facts;
    }
  }

  /** Firing and resolved of every series, as rules say when nothing ever goes wrong. */
  private static Set<String> expected(long seed) {
    Set<String> expected = new TreeSet<>();
    Backtest.run(rules(), new Script(seed), START, START.plus(Duration.ofMinutes(MINUTES)))
        .transitions()
        .stream()
        .filter(t -> t.isFiring() || t.isResolved())
        .forEach(t -> expected.add(described(t)));
    return expected;
  }

  private static String described(Transition transition) {
    return "%s%s %s at %s"
        .formatted(
            transition.series().rule(),
            transition.series().labels(),
            transition.to().word(),
            transition.at());
  }

  private static final class Outcome {
    private final Set<String> told = new TreeSet<>();
    private final List<String> outOfOrder = new ArrayList<>();
    private final Set<String> historyMissing = new TreeSet<>();
    private long kills;
    private long repeats;
  }

  /** The end of a process: nothing in it may catch this. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed() {
      super("killed", null, false, false);
    }
  }

  private static final class Simulation implements Receiver, History, AlarmStore, Progress {
    private final Random random;
    private final Script script;
    private final boolean torn;
    private final Outcome outcome = new Outcome();
    private final Map<String, String> entries = new TreeMap<>();
    private final Set<UUID> noticesTaken = new HashSet<>();
    private final Map<SeriesKey, AlarmState> receiverSees = new LinkedHashMap<>();
    private final Set<String> historyHas = new HashSet<>();
    private boolean mayKill = true;
    private boolean dying;
    private Instant now = START.plusSeconds(60);
    private Instant stalledUntil = Instant.MIN;
    private Instant bound = START.plusSeconds(60);

    Simulation(long seed, boolean torn) {
      this.random = new Random(~seed);
      this.script = new Script(seed);
      this.torn = torn;
      // An evaluator that never ran begins with the newest minute; this one ran until the start.
      entries.put("clock/minutes", Long.toString(START.toEpochMilli()));
    }

    Outcome run(Set<String> expected) {
      Instant end = START.plus(Duration.ofMinutes(MINUTES));
      @Nullable Evaluator evaluator = null;
      int drained = 0;
      while (drained < 100) {
        if (!now.isBefore(end)) {
          mayKill = false;
          drained++;
        }
        try {
          if (evaluator == null) {
            evaluator = start();
          }
          evaluator.tick();
          now = now.plusSeconds(30 + random.nextInt(60));
        } catch (Killed e) {
          outcome.kills++;
          dying = false;
          evaluator = null;
          now = now.plusSeconds(random.nextInt(120));
        }
      }
      expected.stream().filter(t -> !historyHas.contains(t)).forEach(outcome.historyMissing::add);
      return outcome;
    }

    private Evaluator start() {
      EvaluatorConfig config = EvaluatorConfig.named("simulated");
      AlarmMeters meters = new AlarmMeters(new SimpleMeterRegistry());
      Courier courier = new Courier(this, config, new Backoff(random), this::executeOrDie, meters);
      return new Evaluator(
          rules(),
          config,
          this,
          (metric, from, to) -> {
            maybeDie();
            return script.between(metric, from, to);
          },
          this,
          this,
          at -> List.of(),
          List.of(courier),
          () -> now,
          meters);
    }

    /** A future would keep the kill to itself, and the evaluator would live on. */
    private void executeOrDie(Runnable task) {
      task.run();
      if (dying) {
        throw new Killed();
      }
    }

    private void maybeDie() {
      if (mayKill && random.nextInt(600) == 0) {
        dying = true;
        throw new Killed();
      }
    }

    @Override
    public Map<Metric.Clock, Instant> until(Instant wall) {
      maybeDie();
      // Now and then minutes don't become complete for some minutes, and then all at once.
      if (wall.isAfter(stalledUntil)) {
        bound = wall.truncatedTo(java.time.temporal.ChronoUnit.MINUTES);
        if (random.nextInt(500) == 0) {
          stalledUntil = wall.plusSeconds(120 + random.nextInt(240));
        }
      }
      Instant end = START.plus(Duration.ofMinutes(MINUTES));
      return Map.of(Metric.Clock.MINUTES, bound.isBefore(end) ? bound : end);
    }

    @Override
    public Map<String, String> load() {
      maybeDie();
      return Map.copyOf(entries);
    }

    @Override
    public void commit(Map<String, Optional<String>> changes) {
      maybeDie();
      boolean inPart = torn && mayKill && random.nextInt(100) == 0;
      changes.forEach(
          (key, value) -> {
            if (!inPart || random.nextBoolean()) {
              value.ifPresentOrElse(text -> entries.put(key, text), () -> entries.remove(key));
            }
          });
      if (inPart) {
        throw new Killed();
      }
      maybeDie();
    }

    @Override
    public String name() {
      return "ops";
    }

    @Override
    public void deliver(Notice notice) throws DeliveryException {
      maybeDie();
      if (random.nextInt(10) == 0) {
        throw DeliveryException.after(Duration.ofSeconds(random.nextInt(60)), "429");
      }
      if (noticesTaken.add(notice.id())) {
        notice.alerts().forEach(this::taken);
      } else {
        outcome.repeats++;
      }
      maybeDie();
    }

    private void taken(Transition alert) {
      outcome.told.add(described(alert));
      AlarmState before = receiverSees.put(alert.series(), alert.to());
      boolean inOrder =
          alert.isFiring() ? before != AlarmState.FIRING : before == AlarmState.FIRING;
      if (!inOrder) {
        outcome.outOfOrder.add(described(alert) + " after " + before);
      }
    }

    @Override
    public void write(List<HistoryRow> rows) {
      maybeDie();
      rows.forEach(row -> historyHas.add(described(row.transition())));
      maybeDie();
    }

    @Override
    public void heartbeat(String evaluator, @Nullable Instant until, Instant wall) {
      maybeDie();
    }

    @Override
    public void close() {}
  }
}
