package org.capacityobservatory.alarms;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.capacityobservatory.alarms.AlarmExpression.Comparison;
import org.capacityobservatory.localstack.LocalKafka;
import org.capacityobservatory.localstack.LocalKafkaConfig;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.jspecify.annotations.Nullable;

/**
 * How long one round of the evaluator takes: reading one minute, judging 500 rules, each with a
 * thousand series, and committing what has changed to a real Kafka. Minutes are made up, or those
 * of a ClickHouse that has calls of a thousand users: {@code AlarmsBenchmark [URL USER PASSWORD
 * DATABASE LAST_MINUTE]}.
 *
 * <p>The first rounds are a storm: half of all series, a quarter of a million, begin at once.
 */
public final class AlarmsBenchmark {
  private static final int RULES = 500;
  private static final int SERIES = 1_000;
  private static final int ROUNDS = 20;
  private static final Duration WINDOW = Duration.ofMinutes(15);

  private AlarmsBenchmark() {}

  /** Prints one line a round, and the slowest. */
  public static void main(String[] args)
      throws IOException, ExecutionException, InterruptedException {
    boolean made = args.length == 0;
    Instant last =
        made
            ? Instant.parse("2026-11-30T10:00:00Z")
            : Instant.parse(args[4]).truncatedTo(ChronoUnit.MINUTES);
    Facts facts = made ? AlarmsBenchmark::madeUp : stored(args);
    Path directory = Files.createTempDirectory("alarms-benchmark");
    try (LocalKafka kafka = LocalKafka.start(LocalKafkaConfig.in(directory))) {
      Map<String, String> client = Map.of("bootstrap.servers", kafka.bootstrap());
      try (Admin admin = Admin.create(Map.<String, Object>copyOf(client))) {
        admin.createTopics(List.of(new NewTopic(Topics.ALARM_STATE, 1, (short) 1))).all().get();
      }
      try (KafkaAlarmStore store = new KafkaAlarmStore(client)) {
        run(store, facts, last);
      }
    }
  }

  private static void run(AlarmStore store, Facts facts, Instant last) {
    AtomicReference<Instant> minute = new AtomicReference<>(last);
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Evaluator evaluator = evaluator(store, facts, minute, new AlarmMeters(registry));
    double slowest = 0;
    double transitionsBefore = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      minute.set(last.minus(Duration.ofMinutes(ROUNDS - round)));
      long beginNanos = System.nanoTime();
      evaluator.tick();
      double seconds = (System.nanoTime() - beginNanos) / 1e9;
      double transitions =
          registry.find("capacity.alarms.transitions").counters().stream()
              .mapToDouble(counter -> counter.count())
              .sum();
      System.out.printf(
          "round %2d: %5.2f s, %,9.0f transitions, %,9.0f fire%n",
          round,
          seconds,
          transitions - transitionsBefore,
          registry.get("capacity.alarms.firing").gauge().value());
      transitionsBefore = transitions;
      slowest = Math.max(slowest, seconds);
    }
    System.out.printf("slowest round: %.2f s, goal <= 10 s%n", slowest);
  }

  /** An evaluator whose history and receiver take everything at once. */
  private static Evaluator evaluator(
      AlarmStore store, Facts facts, AtomicReference<Instant> minute, AlarmMeters meters) {
    EvaluatorConfig config = EvaluatorConfig.named("benchmark");
    History history =
        new History() {
          @Override
          public void write(List<HistoryRow> rows) {
            // Taken.
          }

          @Override
          public void heartbeat(String name, @Nullable Instant until, Instant now) {
            // Heard.
          }
        };
    Receiver receiver =
        new Receiver() {
          @Override
          public String name() {
            return "benchmark";
          }

          @Override
          public void deliver(Notice notice) {
            // Told.
          }
        };
    return new Evaluator(
        rules(),
        config,
        store,
        facts,
        now -> Map.of(Metric.Clock.MINUTES, Objects.requireNonNull(minute.get())),
        history,
        now -> List.of(),
        List.of(new Courier(receiver, config, new Backoff(new Random(1)), Runnable::run, meters)),
        () -> Objects.requireNonNull(minute.get()).plusSeconds(10),
        meters);
  }

  /** Half on each metric by user, with thresholds all over the range. */
  private static List<AlarmRule> rules() {
    List<AlarmRule> rules = new ArrayList<>();
    for (int i = 0; i < RULES; i++) {
      rules.add(
          new AlarmRule(
              "Rule" + i,
              new AlarmExpression(
                  i % 2 == 0 ? Metric.USER_REFUSED_SHARE : Metric.USER_FILLS_LANE_SHARE,
                  Map.of(),
                  WINDOW,
                  Set.of("user_id"),
                  Comparison.ABOVE,
                  i / (double) RULES),
              Duration.ofMinutes(3),
              Duration.ofMinutes(5),
              OptionalDouble.empty(),
              5,
              AlarmRule.NoData.KEEP,
              Map.of("severity", "info"),
              Map.of("summary", "{{ $value }}", "runbook", "none")));
    }
    return rules;
  }

  private static List<Fact> madeUp(Metric metric, Instant from, Instant to) {
    List<Fact> facts = new ArrayList<>();
    for (Instant minute = from; minute.isBefore(to); minute = minute.plusSeconds(60)) {
      Random random = new Random(minute.getEpochSecond());
      for (int user = 0; user < SERIES; user++) {
        facts.add(
            new Fact(
                minute,
                Labels.of(Map.of("user_id", Integer.toString(user))),
                random.nextInt(10),
                10));
      }
    }
    return facts;
  }

  private static Facts stored(String[] args) {
    return new ClickHouseFacts(
        ClickHouse.queries(
            new ClickHouseConfig(URI.create(args[0]), args[1], args[2], args[3]),
            new Properties()));
  }
}
