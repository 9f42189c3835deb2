package org.capacityobservatory.alarms;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import org.capacityobservatory.alarms.AlarmExpression.Comparison;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.ClickHouseConfig;

/**
 * How long one round of the evaluator takes: reading one minute and judging 500 rules, each with a
 * thousand series. Minutes are made up, or those of a ClickHouse that has calls of a thousand
 * users: {@code AlarmsBenchmark [URL USER PASSWORD DATABASE LAST_MINUTE]}.
 */
public final class AlarmsBenchmark {
  private static final int RULES = 500;
  private static final int SERIES = 1_000;
  private static final int ROUNDS = 20;
  private static final Duration WINDOW = Duration.ofMinutes(15);

  private AlarmsBenchmark() {}

  /** Prints one line a round, and the slowest. */
  public static void main(String[] args) {
    boolean made = args.length == 0;
    Instant last =
        made
            ? Instant.parse("2026-11-30T10:00:00Z")
            : Instant.parse(args[4]).truncatedTo(ChronoUnit.MINUTES);
    Facts facts = made ? AlarmsBenchmark::madeUp : stored(args);
    Evaluation evaluation = new Evaluation(rules(), Map.of());
    Instant first = last.minus(Duration.ofMinutes(ROUNDS));
    evaluation
        .needs()
        .forEach(
            (metric, window) ->
                Backtest.feed(evaluation, metric, facts, first.minus(window), first));
    double slowest = 0;
    for (Instant minute = first; minute.isBefore(last); minute = minute.plusSeconds(60)) {
      slowest = Math.max(slowest, round(evaluation, facts, minute));
    }
    System.out.printf("slowest round: %.2f s%n", slowest);
  }

  private static double round(Evaluation evaluation, Facts facts, Instant minute) {
    long beginNanos = System.nanoTime();
    long count = 0;
    for (Metric metric : evaluation.needs().keySet()) {
      List<Fact> read = facts.between(metric, minute, minute.plusSeconds(60));
      count += read.size();
      evaluation.remember(metric, minute, read);
    }
    long readNanos = System.nanoTime();
    int transitions = evaluation.judge(Metric.Clock.MINUTES, minute).size();
    double readSeconds = (readNanos - beginNanos) / 1e9;
    double judgeSeconds = (System.nanoTime() - readNanos) / 1e9;
    System.out.printf(
        "%s: %d facts read in %.2f s, judged in %.2f s, %d transitions%n",
        minute, count, readSeconds, judgeSeconds, transitions);
    return readSeconds + judgeSeconds;
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
