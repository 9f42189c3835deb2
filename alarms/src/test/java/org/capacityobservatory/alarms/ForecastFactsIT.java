package org.capacityobservatory.alarms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.capacityobservatory.sql.Migrations;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Enforcement beyond its forecast, read from stored minutes and forecasts; numbers worked out by
 * hand. One database goes through the life of a forecast: none, one, one that supersedes it, and
 * that one withdrawn.
 */
class ForecastFactsIT {
  private static final String FIRST = "00000000-0000-0000-0000-000000000001";
  private static final String SECOND = "00000000-0000-0000-0000-000000000002";

  @TempDir private static Path directory;
  private static LocalClickHouse server;
  private static ClickHouseHttp clickHouse;
  private static ClickHouseFacts facts;
  private static Instant start;
  private static long partial;

  @BeforeAll
  static void start() {
    start = Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(2));
    server = LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("clickhouse")));
    ClickHouseConfig config =
        new ClickHouseConfig(
            server.url(),
            LocalClickHouse.WRITER,
            server.password(LocalClickHouse.WRITER),
            "forecast");
    clickHouse = new ClickHouseHttp(config, Duration.ofSeconds(30));
    Migrations.apply(clickHouse, config);
    facts = new ClickHouseFacts(ClickHouse.queries(config, new Properties()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void refusalsAreHeldAgainstTheForecastInForceAndAgainstNoneWhereThereIsNone() {
    // Minute 0: shadow mode. Minutes 1 to 5: enforcement, of core 30 of 100 refused, of preview 40
    // of
    // 50; in the fifth, 10 calls of no tier too.
    calls(0, "shadow-refused", "shadow", "core", 90);
    for (int minute = 1; minute <= 5; minute++) {
      calls(minute, "refused", "enforce", "core", 30);
      calls(minute, "admitted", "enforce", "core", 70);
      calls(minute, "refused", "enforce", "preview", 40);
      calls(minute, "admitted", "enforce", "preview", 10);
    }
    calls(5, "admitted", "enforce", null, 10);
    assertThat(read()).as("no forecast: not zero, no fact at all").isEmpty();

    // From minute 1 on: of all at most 40 % refused, of core 25 %. Nothing is said of preview.
    forecast(FIRST, 1, 1, false, "{'all':0.4,'tier.core':0.25}", "{'tier.core':[4]}");
    Map<String, double[]> one = read();
    assertThat(one.keySet())
        .containsExactly(
            "1 all",
            "1 tier.core",
            "2 all",
            "2 tier.core",
            "3 all",
            "3 tier.core",
            "4 all",
            "4 tier.core",
            "5 all",
            "5 tier.core");
    // 70 of 150 refused where 60 may be; 30 of 100 where 25 may be; the last with 160 calls: 64.
    is(one, "1 all", 10, 150);
    is(one, "1 tier.core", 5, 100);
    is(one, "5 all", 6, 160);

    // From minute 3 on another one, of other limits: core 60 %.
    forecast(SECOND, 1, 3, false, "{'all':0.5,'tier.core':0.6,'tier.preview':0.7}", "{}");
    Map<String, double[]> two = read();
    is(two, "2 tier.core", 5, 100);
    // 30 where 60 may be; 40 of 50 where 35 may be.
    is(two, "3 tier.core", -30, 100);
    is(two, "3 tier.preview", 5, 50);
    assertThat(two).doesNotContainKey("2 tier.preview");

    // The second is withdrawn: the first is in force again.
    forecast(SECOND, 2, 3, true, "{'all':0.5,'tier.core':0.6,'tier.preview':0.7}", "{}");
    Map<String, double[]> again = read();
    assertThat(again.keySet()).isEqualTo(one.keySet());
    is(again, "3 tier.core", 5, 100);

    // In minute 2 core's calls saw the limit that the forecast is about, in minute 4 another one,
    // and in minute 5 both: those two say nothing.
    lane(2, "tier", "core", 4, 4);
    lane(2, "tier", "preview", 9, 9);
    lane(4, "tier", "core", 6, 6);
    lane(5, "tier", "core", 4, 6);
    assertThat(read().keySet())
        .containsExactly("1 all", "1 tier.core", "2 all", "2 tier.core", "3 all", "3 tier.core");

    // The rule's reading: over minutes 1 to 3 of core, 15 of 300 calls beyond what may be.
    AlarmRule rule = rule("refused_beyond_forecast{group=\"tier.core\"}[3m] > 0.04");
    Backtest.Result result = Backtest.run(List.of(rule), facts, at(1), at(4));
    assertThat(result.transitions())
        .extracting(t -> t.at() + " " + t.to().word() + " " + t.value().orElse(-1))
        .containsExactly(at(2) + " pending 0.05", at(4) + " firing 0.05");
  }

  private static AlarmRule rule(String expression) {
    return new AlarmRule(
        "Beyond",
        AlarmExpression.parse(expression),
        Duration.ofMinutes(3),
        Duration.ZERO,
        java.util.OptionalDouble.empty(),
        100,
        AlarmRule.NoData.KEEP,
        Map.of("severity", "page"),
        Map.of("summary", "s", "runbook", "r"));
  }

  private static Map<String, double[]> read() {
    Map<String, double[]> read = new TreeMap<>();
    for (Fact fact :
        facts.between(Metric.REFUSED_BEYOND_FORECAST, start, start.plus(Duration.ofMinutes(10)))) {
      read.put(
          Duration.between(start, fact.minute()).toMinutes() + " " + fact.labels().get("group"),
          new double[] {fact.part(), fact.whole()});
    }
    return read;
  }

  private static void is(Map<String, double[]> read, String key, double part, double whole) {
    assertThat(read).containsKey(key);
    assertThat(read.getOrDefault(key, new double[2])[0]).as(key).isCloseTo(part, within(1e-9));
    assertThat(read.getOrDefault(key, new double[2])[1]).as(key).isEqualTo(whole);
  }

  private static Instant at(int minute) {
    return start.plus(Duration.ofMinutes(minute));
  }

  private static void calls(
      int minute, String decision, String mode, @Nullable String tier, int calls) {
    clickHouse.execute(
        """
        INSERT INTO decisions_minute
          (minute, lines_partition, partial, decision, mode, tier, calls, revision)
        VALUES (%d, 0, %d, '%s', '%s', %s, %d, 1)"""
            .formatted(
                at(minute).getEpochSecond(),
                partial++,
                decision,
                mode,
                tier == null ? "NULL" : "'" + tier + "'",
                calls));
  }

  private static void lane(int minute, String lane, String tier, int least, int most) {
    clickHouse.execute(
        """
        INSERT INTO lanes_minute
          (minute, lines_partition, partial, lane, tier, calls, measured, limit_min, limit_max, revision)
        VALUES (%d, 0, %d, '%s', '%s', 1, 1, %d, %d, 1)"""
            .formatted(at(minute).getEpochSecond(), partial++, lane, tier, least, most));
  }

  private static void forecast(
      String id, int revision, int minute, boolean withdrawn, String highs, String limits) {
    clickHouse.execute(
        """
        INSERT INTO forecasts
          (id, revision, starts_at, withdrawn, refused_share_high, limits, stored_by)
        VALUES ('%s', %d, %d, %s, %s, %s, 'test')"""
            .formatted(id, revision, at(minute).getEpochSecond() * 1000, withdrawn, highs, limits));
  }
}
