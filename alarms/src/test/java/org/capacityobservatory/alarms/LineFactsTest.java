package org.capacityobservatory.alarms;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.capacityobservatory.log.CapacityCall;
import org.capacityobservatory.log.LineException;
import org.capacityobservatory.log.LineParser;
import org.junit.jupiter.api.Test;

/** Minutes counted from calls in memory; what each metric says was worked out by hand. */
class LineFactsTest {
  private static final Instant START = Instant.parse("2026-11-30T10:00:00Z");

  /**
   * Of api_heavy with room for one: C holds it 5 to 10 s, A 30 to 90 s, and B is refused at 60 s by
   * it, half of it being its own user's.
   */
  private static final LineFacts FACTS =
      LineFacts.of(
          List.of(
              call(
                  10_000,
                  """
                  {"event":"ocl_capacity","decision":"admitted","mode":"enforce","tier":"core","user_id":1,
                   "in_flight":1,"limit":1,"held_ms":5000,"queue_ms":6015,"single_row":true}"""),
              call(
                  90_000,
                  """
                  {"event":"ocl_capacity","decision":"admitted","mode":"enforce","tier":"core","user_id":7,
                   "in_flight":1,"limit":1,"held_ms":60000,"queue_ms":6016,"single_row":false}"""),
              call(
                  60_000,
                  """
                  {"event":"ocl_capacity","decision":"refused","mode":"enforce","tier":"core","user_id":7,
                   "full":["api_heavy"],"in_flight":1,"limit":1,"user_in_flight":1,"user_limit":2,
                   "single_row":false}""")));

  @Test
  void everyMetricThatCallsTellIsCounted() {
    assertThat(FACTS.first()).isEqualTo(START);
    assertThat(FACTS.end()).isEqualTo(START.plusSeconds(120));
    assertThat(sums(Metric.REFUSED_SHARE, "tier", "core")).containsExactly("0: 0/1", "1: 1/2");
    assertThat(sums(Metric.CALLS, "decision", "admitted")).containsExactly("0: 1/1", "1: 1/1");
    assertThat(sums(Metric.QUEUED_5S_SHARE, "tier", "core"))
        .as("6,015 ms lie in the bucket below")
        .containsExactly("0: 0/1", "1: 1/1");
    assertThat(sums(Metric.USER_REFUSED_SHARE, "user_id", "7")).containsExactly("1: 1/2");
    assertThat(sums(Metric.USER_FILLS_LANE_SHARE, "user_id", "7")).containsExactly("1: 1/2");
    assertThat(sums(Metric.LANE_FULL_SHARE, "lane", "api_heavy"))
        .containsExactly("0: 0/1", "1: 1/2");
    assertThat(sums(Metric.LANE_NEAR_LIMIT_SHARE, "lane", "api_heavy"))
        .containsExactly("0: 1/1", "1: 2/2");
    assertThat(sums(Metric.LANE_LIMIT, "lane", "user")).containsExactly("1: 2/1");
    assertThat(sums(Metric.LANE_IN_FLIGHT, "lane", "api_heavy"))
        .containsExactly("0: 1/1", "1: 1/2");
    // 5 s of C and 30 s of A, and 30 s of A.
    assertThat(sums(Metric.LANE_AT_LIMIT_SHARE, "lane", "api_heavy"))
        .containsExactly("0: 35000/60000", "1: 30000/60000");
  }

  @Test
  void whatCallsDoNotTellIsNamedAndNotJudged() {
    List<AlarmRule> rules =
        List.of(
            rule("Refused", "refused_share[1m] > 0.4"),
            rule("Unavailable", "unavailable_share[1m] > 0.1"),
            rule("Silent", "source_silent_seconds[1m] > 60"),
            rule("Beyond", "refused_beyond_forecast[1m] by (group) > 0"));
    Backtest.Result result = Backtest.run(rules, FACTS, FACTS.first(), FACTS.end());
    assertThat(result.skipped()).containsExactly("Unavailable", "Silent", "Beyond");
    assertThat(result.pages()).isEqualTo(1);
    assertThat(result.transitions())
        .extracting(t -> t.at() + " " + t.series().rule() + " " + t.to().word())
        .containsExactly("2026-11-30T10:02:00Z Refused firing");
  }

  private static AlarmRule rule(String name, String expression) {
    return new AlarmRule(
        name,
        AlarmExpression.parse(expression),
        Duration.ZERO,
        Duration.ZERO,
        OptionalDouble.empty(),
        0,
        AlarmRule.NoData.ALERT,
        Map.of("severity", "page"),
        Map.of("summary", "s", "runbook", "r"));
  }

  /** Minute, and the sums of the facts that have a label's value. */
  private static List<String> sums(Metric metric, String label, String value) {
    Map<Long, double[]> sums = new TreeMap<>();
    for (Fact fact : FACTS.between(metric, FACTS.first(), FACTS.end())) {
      if (fact.labels().get(label).equals(value)) {
        double[] sum =
            sums.computeIfAbsent(
                Duration.between(START, fact.minute()).toMinutes(), m -> new double[2]);
        sum[0] += fact.part();
        sum[1] += fact.whole();
      }
    }
    List<String> texts = new ArrayList<>();
    sums.forEach(
        (minute, sum) ->
            texts.add(minute + ": " + Numbers.plain(sum[0]) + "/" + Numbers.plain(sum[1])));
    return texts;
  }

  private static LineFacts.Ended call(long afterStartMs, String line) {
    try {
      return new LineFacts.Ended(
          START.toEpochMilli() + afterStartMs,
          (CapacityCall) LineParser.parse(line.getBytes(UTF_8)));
    } catch (LineException e) {
      throw new AssertionError(e);
    }
  }
}
