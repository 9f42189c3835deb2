package org.capacityobservatory.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The evaluator on timelines worked out by hand, by a virtual clock: a shipper that stops and a
 * night without calls; a receiver that never takes anything.
 */
class EvaluatorTimelineTest {
  private static final Instant START = Instant.parse("2026-11-30T10:00:00Z");

  /**
   * Minutes 1 to 5 refuse 30 of 100. In minutes 6 to 10 the shipper is silent, so none becomes
   * complete. Then it is heard again: there were no calls until minute 13, and from minute 14 on 1
   * of 100 is refused.
   */
  @Test
  void aSilentShipperIsNoDataAndATrueZeroIsNoEvidence() {
    World world = new World();
    world.rules =
        List.of(
            rule("Refused", "refused_share[1m] > 0.2", 3),
            rule("Behind", "minutes_behind_seconds[1m] > 180", 0));
    for (int minute = 0; minute < 5; minute++) {
      world.refused.put(minute, 30);
    }
    for (int minute = 13; minute < 16; minute++) {
      world.refused.put(minute, 1);
    }
    for (int minute = 1; minute <= 16; minute++) {
      world.completeMinutes = minute > 5 && minute < 11 ? 5 : minute;
      world.tickTwiceAfter(minute);
    }

    // Judged minutes reach 10:05 while it is silent: three minutes behind is passed at 10:08:10.
    assertThat(world.told)
        .containsExactly(
            "10:03:10 Refused firing at 10:03",
            "10:08:10 Behind firing at 10:08",
            "10:11:10 Behind resolved at 10:11",
            "10:14:10 Refused resolved at 10:14");
    assertThat(world.historyOf("Refused"))
        .containsExactly(
            "pending at 10:01 0.3",
            "firing at 10:03 0.3",
            "no-data at 10:05 none",
            "resolved at 10:14 0.01");
  }

  /** A receiver says 429 for ever: 1 s doubling up to 10 min, for 6 h, and then it is said so. */
  @Test
  void whatNobodyTakesIsTriedForHoursAndThenShownAsGivenUp() {
    World world = new World();
    world.rules = List.of(rule("Refused", "refused_share[1m] > 0.2", 0));
    world.takesNothing = true;
    world.refused.put(0, 30);
    world.completeMinutes = 1;
    world.now = START.plusSeconds(70);
    Instant end = START.plus(Duration.ofHours(7));
    Instant gaveUp = Instant.MIN;
    while (world.now.isBefore(end)) {
      world.tick();
      if (gaveUp.equals(Instant.MIN) && world.deliveries().contains("given-up")) {
        gaveUp = world.now;
      }
      world.now = world.now.plusSeconds(1);
    }

    assertThat(world.deliveries()).containsExactly("given-up");
    assertThat(Duration.between(START, gaveUp))
        .isBetween(Duration.ofHours(6), Duration.ofMinutes(372));
    assertThat(world.deliveryIds).as("the same over all tries").hasSize(1);
    // Ten waits that double, 512 to 1,023 s together; then waits of 512 s to 10 min.
    assertThat(world.tries).hasSizeBetween(10 + 34, 11 + 42);
    for (int i = 1; i < world.tries.size(); i++) {
      assertThat(Duration.between(world.tries.get(i - 1), world.tries.get(i)))
          .isLessThanOrEqualTo(Duration.ofSeconds(602));
    }
    assertThat(world.registry.get("capacity.alarms.notices").tag("delivery", "given-up").counter())
        .satisfies(counter -> assertThat(counter.count()).isEqualTo(1));
  }

  /** A receiver is told one notice at a time; what begins in one minute doesn't wait for rounds. */
  @Test
  void manyThatBeginInOneMinuteAreToldInOneRound() {
    World world = new World();
    List<AlarmRule> rules = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      rules.add(rule("Refused" + i, "refused_share[1m] > 0.2", 0));
    }
    world.rules = rules;
    world.refused.put(0, 30);
    world.completeMinutes = 1;
    world.now = START.plusSeconds(70);
    Evaluator evaluator = world.tick();
    assertThat(world.told).as("of the round itself").hasSize(1);
    int more = 0;
    while (evaluator.isTelling() && more++ < 100) {
      evaluator.tellOn();
    }
    assertThat(world.told).hasSize(30).doesNotHaveDuplicates();
    assertThat(evaluator.isTelling()).isFalse();
    assertThat(world.deliveries()).hasSize(30).containsOnly("pending");
    world.tick();
    assertThat(world.deliveries()).hasSize(30).containsOnly("delivered");
  }

  private static AlarmRule rule(String name, String expression, int holdFor) {
    return new AlarmRule(
        name,
        AlarmExpression.parse(expression),
        Duration.ofMinutes(holdFor),
        Duration.ZERO,
        OptionalDouble.empty(),
        0,
        AlarmRule.NoData.KEEP,
        Map.of("severity", "page"),
        Map.of("summary", name));
  }

  /** All that is around an evaluator. */
  private static final class World implements AlarmStore, Progress, History, Receiver {
    private final Map<Integer, Integer> refused = new HashMap<>();
    private final Map<String, String> entries =
        new HashMap<>(Map.of("clock/minutes", Long.toString(START.toEpochMilli())));
    private final List<String> told = new ArrayList<>();
    private final List<Instant> tries = new ArrayList<>();
    private final Map<UUID, Integer> deliveryIds = new HashMap<>();
    private final Map<UUID, HistoryRow> history = new LinkedHashMap<>();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private List<AlarmRule> rules = List.of();
    private int completeMinutes;
    private boolean takesNothing;
    private Instant now = START;
    private @Nullable Evaluator evaluator;

    /** The courier takes in at a second tick what came of the first. */
    void tickTwiceAfter(int minute) {
      now = START.plus(Duration.ofMinutes(minute)).plusSeconds(10);
      tick();
      tick();
    }

    Evaluator tick() {
      Evaluator running = evaluator;
      if (running == null) {
        EvaluatorConfig config = EvaluatorConfig.named("e");
        AlarmMeters meters = new AlarmMeters(registry);
        running =
            new Evaluator(
                rules,
                config,
                this,
                this::between,
                this,
                this,
                at -> List.of(),
                List.of(
                    new Courier(this, config, new Backoff(new Random(1)), Runnable::run, meters)),
                () -> now,
                meters);
      }
      evaluator = running;
      running.tick();
      return running;
    }

    private List<Fact> between(Metric metric, Instant from, Instant to) {
      List<Fact> facts = new ArrayList<>();
      refused.forEach(
          (number, part) -> {
            Instant minute = START.plus(Duration.ofMinutes(number));
            if (metric == Metric.REFUSED_SHARE && !minute.isBefore(from) && minute.isBefore(to)) {
              facts.add(new Fact(minute, Labels.NONE, part, 100));
            }
          });
      return facts;
    }

    @Override
    public Map<Metric.Clock, Instant> until(Instant wall) {
      return Map.of(
          Metric.Clock.MINUTES,
          START.plus(Duration.ofMinutes(completeMinutes)),
          Metric.Clock.WALL,
          wall.truncatedTo(java.time.temporal.ChronoUnit.MINUTES));
    }

    @Override
    public Map<String, String> load() {
      return Map.copyOf(entries);
    }

    @Override
    public void commit(Map<String, Optional<String>> changes) {
      changes.forEach(
          (key, value) ->
              value.ifPresentOrElse(text -> entries.put(key, text), () -> entries.remove(key)));
    }

    @Override
    public String name() {
      return "ops";
    }

    @Override
    public void deliver(Notice notice) throws DeliveryException {
      tries.add(now);
      deliveryIds.merge(notice.id(), 1, Integer::sum);
      if (takesNothing) {
        throw DeliveryException.passing("429", null);
      }
      notice
          .alerts()
          .forEach(
              alert ->
                  told.add(
                      "%s %s %s at %s"
                          .formatted(
                              now.toString().substring(11, 19),
                              alert.series().rule(),
                              alert.to().word(),
                              alert.at().toString().substring(11, 16))));
    }

    @Override
    public void write(List<HistoryRow> rows) {
      rows.forEach(row -> history.put(row.transition().id(), row));
    }

    List<String> historyOf(String rule) {
      return history.values().stream()
          .map(HistoryRow::transition)
          .filter(transition -> transition.series().rule().equals(rule))
          .map(
              transition ->
                  "%s at %s %s"
                      .formatted(
                          transition.to().word(),
                          transition.at().toString().substring(11, 16),
                          transition.value().isPresent()
                              ? Numbers.plain(transition.value().getAsDouble())
                              : "none"))
          .toList();
    }

    List<String> deliveries() {
      return history.values().stream().flatMap(r -> r.deliveries().values().stream()).toList();
    }

    @Override
    public void heartbeat(String name, @Nullable Instant until, Instant wall) {}

    @Override
    public void close() {}
  }
}
