package org.capacityobservatory.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Asks the engine's planner what each named query would read: those bound in time read only the
 * parts of that time, and those that aren't are few and named here.
 */
class QueriesIT {
  /** Rows of ten days and of four months; the queries ask for one hour of the fifth day. */
  private static final Instant FROM = Instant.parse("2026-11-05T10:00:00Z");

  private static final Instant TO = Instant.parse("2026-11-05T11:00:00Z");
  private static final int DAYS = 10;
  private static final int MONTHS = 4;

  private static final Map<String, Object> VALUES =
      Map.ofEntries(
          Map.entry("from_ms", FROM.toEpochMilli()),
          Map.entry("to_ms", TO.toEpochMilli()),
          Map.entry("since_ms", FROM.toEpochMilli()),
          Map.entry("settled_ms", TO.toEpochMilli()),
          Map.entry("after_ms", TO.toEpochMilli()),
          Map.entry("after_id", "00000000-0000-0000-0000-000000000001"),
          Map.entry("group_by", "tier"),
          Map.entry("kind", "error"),
          Map.entry("silent_s", 300),
          Map.entry("measure", "held_ms"),
          Map.entry("near_limit_share", 0.8),
          Map.entry("closed_s", TO.getEpochSecond()),
          Map.entry("step_s", 3_600),
          Map.entry("top", 10),
          Map.entry("untimed", "any"),
          Map.entry("personal", 0),
          Map.entry("event_id", "00000000-0000-0000-0000-000000000001"),
          Map.entry("held_ms_min", 0),
          Map.entry("held_ms_max", 0),
          Map.entry("queue_ms_min", 0),
          Map.entry("queue_ms_max", 0),
          Map.entry("rows_min", 0),
          Map.entry("rows_max", 0),
          Map.entry("lane", "api_heavy"),
          Map.entry("order_by", "calls"),
          Map.entry("run", "run-1"),
          Map.entry("row_limit", 10));

  /** What looks at everything, and why it may. */
  private static final Map<String, String> UNBOUND =
      Map.ofEntries(
          Map.entry("alarm-config-stale", "changes since the beginning"),
          Map.entry("alarm-evaluator", "one row"),
          Map.entry("alarm-progress", "the newest books of each source"),
          Map.entry("alarm-reconcile", "the newest books, and all that is stored of each source"),
          Map.entry("alarm-store-silent", "the newest of small tables"),
          Map.entry("alarm-silences", "a small table"),
          Map.entry("alarm-states", "a small table: the newest transition of each series"),
          Map.entry("alarm-history", "a small table, sorted by time"),
          Map.entry("calls-not-in-minutes", "bound from below only"),
          Map.entry("config-version-gaps", "versions since the beginning"),
          Map.entry("books-newest", "a row a source and part, by a projection"),
          Map.entry("untimed-range", "a row a part, by a projection"),
          Map.entry("sources-with-rows", "a narrow column, and only for sources that are new"),
          Map.entry("saved-views", "a small table"),
          Map.entry("forecasts", "a small table"),
          Map.entry("calibration-jobs", "a small table"),
          Map.entry("calibration-result", "a small table"),
          Map.entry("minutes-complete", "a small table"),
          Map.entry("data-range", "the first and last minute there are"),
          Map.entry("dead-letters-by-reason", "a count of what is kept"),
          Map.entry("minutes-recount", "a count since the beginning"),
          Map.entry("pipeline-sources", "the newest books, and all that is stored of each source"),
          Map.entry("hours-changed", "what was stored lately, of whatever hour"),
          Map.entry("verification-newest", "a small table"),
          Map.entry("verify-books", "the newest books, and all that is stored of each source"),
          Map.entry("probe", "no table"),
          Map.entry("schema-version", "a small table"),
          Map.entry("summary-books", "by source"),
          Map.entry("summary-groups", "by source"),
          Map.entry("summary-latency", "by source"),
          Map.entry("summary-lines", "by source"),
          Map.entry("summary-stored", "by source"));

  private static final Pattern PARAMETER = Pattern.compile("(?<![:\\w]):([a-z_]+)");
  private static final Pattern LIST = Pattern.compile("<([a-z_]+)>");
  private static final Pattern TABLE =
      Pattern.compile("ReadFromMergeTree \\((?:[^.)]+\\.)?(\\w+)\\)");
  private static final Pattern PARTS = Pattern.compile("Parts: (\\d+)/(\\d+)");

  @TempDir private static Path directory;
  private static LocalClickHouse server;
  private static Jdbi queries;

  @BeforeAll
  static void storeTenDaysAndFourMonths() {
    server = LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("clickhouse")));
    ClickHouseConfig config =
        new ClickHouseConfig(
            server.url(),
            LocalClickHouse.WRITER,
            server.password(LocalClickHouse.WRITER),
            "planned");
    ClickHouseHttp clickHouse = new ClickHouseHttp(config, Duration.ofSeconds(30));
    Migrations.apply(clickHouse, config);
    for (String told : tables(clickHouse)) {
      store(clickHouse, told);
    }
    // Half of the hour asked for stands as hours, half as minutes: both are read.
    clickHouse.execute(
        "INSERT INTO hours_state (id, built_until, made_of, revision) VALUES (1, %d, 1, 1)"
            .formatted(FROM.plusSeconds(1_800).getEpochSecond()));
    queries = ClickHouse.queries(config, new Properties());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static List<String> tables(ClickHouseHttp clickHouse) {
    return clickHouse
        .execute(
            "SELECT name, partition_key, position(engine_full, ' TTL ') > 0 FROM system.tables WHERE database = currentDatabase()"
                + " AND partition_key != '' FORMAT TabSeparated")
        .lines()
        .toList();
  }

  /** One row in each partition of the time that the table is partitioned by. */
  private static void store(ClickHouseHttp clickHouse, String told) {
    String[] parts = told.split("\t", 3);
    boolean daily = parts[1].startsWith("toYYYYMMDD");
    String time = parts[1].replaceAll("^\\w+\\(|\\)$", "");
    if (parts[2].equals("1")) {
      clickHouse.execute("ALTER TABLE " + parts[0] + " REMOVE TTL");
    }
    clickHouse.execute(
        "INSERT INTO %s (%s) SELECT toDateTime('2026-11-%s 10:30:00', 'UTC') - %s FROM numbers(%d)"
            .formatted(
                parts[0],
                time,
                daily ? "10" : "05",
                daily ? "toIntervalDay(number)" : "toIntervalMonth(number)",
                daily ? DAYS : MONTHS));
  }

  @Test
  void whatIsBoundInTimeReadsOnlyThePartsOfThatTime() throws IOException {
    Set<String> readsMore = new TreeSet<>();
    for (String name : names()) {
      Map<String, List<Integer>> parts = plannedParts(name);
      boolean more = parts.values().stream().flatMap(List::stream).anyMatch(n -> n > 1);
      if (more) {
        readsMore.add(name);
      }
      if (!UNBOUND.containsKey(name)) {
        assertThat(parts).as(name).isNotEmpty();
        assertThat(more).as("%s reads %s", name, parts).isFalse();
      }
    }
    // The check can fail: this one has no bounds.
    assertThat(readsMore).contains("pipeline-sources");
  }

  @Test
  void everyUnboundQueryThatIsNamedIsThere() throws IOException {
    assertThat(names()).containsAll(UNBOUND.keySet());
  }

  /** Otherwise every answer of the API would read all rows there are. */
  @Test
  void whatStandsBehindEveryAnswerIsReadFromProjections() {
    Map<String, List<String>> projections =
        Map.of(
            "books-newest", List.of("(newest)"),
            "untimed-range", List.of("(by_time_source)"),
            "pipeline-sources", List.of("(newest)", "(by_source)"));
    projections.forEach(
        (name, expected) ->
            assertThat(
                    plan(NamedQuery.text(name)).stream()
                        .filter(line -> line.contains("ReadFromMergeTree ("))
                        .map(line -> line.replaceAll(".*ReadFromMergeTree ", ""))
                        .filter(read -> !read.contains(".")))
                .as(name)
                .containsExactlyInAnyOrderElementsOf(expected));
  }

  private static List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("queries"))) {
      return files
          .filter(Files::isRegularFile)
          .map(f -> f.getFileName().toString().replace(".sql", ""))
          .sorted()
          .toList();
    }
  }

  /** Parts that the planner would read, per table and reading of it. */
  private static Map<String, List<Integer>> plannedParts(String name) {
    List<String> plan = plan(NamedQuery.text(name));
    Map<String, List<Integer>> parts = new TreeMap<>();
    String table = "";
    int least = Integer.MAX_VALUE;
    for (String line : plan) {
      Matcher reading = TABLE.matcher(line);
      if (reading.find()) {
        table = reading.group(1);
        parts.computeIfAbsent(table, t -> new ArrayList<>()).add(Integer.MAX_VALUE);
        least = Integer.MAX_VALUE;
      }
      Matcher count = PARTS.matcher(line);
      if (count.find()) {
        least = Math.min(least, Integer.parseInt(count.group(1)));
        List<Integer> readings = parts.computeIfAbsent(table, t -> new ArrayList<>());
        readings.set(readings.size() - 1, least);
      }
    }
    return parts;
  }

  private static List<String> plan(String text) {
    return queries.withHandle(handle -> bound(handle, text).mapTo(String.class).list());
  }

  private static Query bound(Handle handle, String text) {
    Query query = handle.createQuery("EXPLAIN indexes = 1 " + text);
    Matcher parameter = PARAMETER.matcher(text);
    while (parameter.find()) {
      String name = parameter.group(1);
      boolean off = name.endsWith("_on") || name.startsWith("missing_");
      Object value = off ? Integer.valueOf(0) : VALUES.get(name);
      assertThat(value).as("a value for :%s, to be added to this test", name).isNotNull();
      query.bind(name, value);
    }
    Matcher list = LIST.matcher(text);
    while (list.find()) {
      // Users are numbers; everything else is text.
      query.bindList(list.group(1), List.of(list.group(1).equals("user_id") ? "7" : "x"));
    }
    return query;
  }
}
