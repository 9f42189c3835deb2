package org.capacityobservatory.benchmarks.generator;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.capacityobservatory.benchmarks.generator.Database.Connection;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.capacityobservatory.sql.HourRollups;
import org.capacityobservatory.sql.Migrations;
import org.capacityobservatory.sql.Retention;
import org.capacityobservatory.sql.SchemaLayout;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Fills a database with calls over many days, and with the minutes that the job would have made of
 * them: all inside ClickHouse, from {@code numbers()}, and the same for the same arguments.
 *
 * <p>A run that was broken off goes on with the same arguments: complete days are left, and what is
 * there of a half-made one collapses with the same rows by the tables' keys.
 */
@Command(
    name = "data-generator",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Fills a database with made-up calls and their minutes.")
public final class DataGenerator implements Callable<Integer> {
  private static final List<String> MINUTES =
      List.of(
          "decisions_minute", "latency_minute", "lanes_minute", "usage_minute", "events_minute");

  /** Rows stand for the past: none may be removed by age while benchmarks last. */
  private static final Retention LONG = new Retention(3_650, 3_650);

  private static final Duration LONGEST_STATEMENT = Duration.ofMinutes(30);
  private static final int BOOKS_DAYS = 29;

  @Mixin private Database database = new Database();

  @Option(names = "--calls", defaultValue = "100000000", description = "Default: 100 million.")
  private long calls;

  @Option(names = "--days", defaultValue = "90", description = "Default: ${DEFAULT-VALUE}.")
  private int days;

  @Option(names = "--users", defaultValue = "30000", description = "Default: ${DEFAULT-VALUE}.")
  private int users;

  @Option(names = "--seed", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--until",
      description =
          "Where the last day is cut; default: this full hour. To go on with a run that was broken"
              + " off, what it printed.")
  private @Nullable Instant until;

  /** Runs it; exit code 0, 1 when ClickHouse refused, 2 for wrong usage. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new DataGenerator()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    try (Connection connection = database.open(LONGEST_STATEMENT)) {
      fill(connection.config());
    }
    return 0;
  }

  private void fill(ClickHouseConfig config) throws IOException {
    ClickHouseHttp clickHouse = new ClickHouseHttp(config, LONGEST_STATEMENT);
    Migrations.apply(clickHouse, config, SchemaLayout.oneNode(), LONG);
    if (until == null && count(clickHouse, "calls") > 0) {
      throw new IOException(
          "Database %s has calls already: name another one, or go on with --until"
              .formatted(config.database()));
    }
    Instant end = until == null ? Instant.now().truncatedTo(ChronoUnit.HOURS) : until;
    say("--until %s", end);
    List<Day> all = new ArrayList<>(Day.of(days, calls, end));
    Collections.reverse(all);
    long done = 0;
    run(clickHouse, "config_changes", all.get(days - 1), end);
    run(clickHouse, "minutes_state", all.get(0), end);
    for (Day day : all.subList(0, Math.min(BOOKS_DAYS, days))) {
      run(clickHouse, "pipeline_books", day, end);
    }
    long beganNanos = System.nanoTime();
    // Newest first: a day's minutes also take what calls of the next day held.
    for (Day day : all) {
      if (!isThere(clickHouse, day)) {
        run(clickHouse, "calls", day, end);
        for (String table : MINUTES) {
          run(clickHouse, table, day, end);
        }
        done += day.calls();
        progress(day, done, beganNanos);
      }
    }
    say("%,d hours", new HourRollups(config, SchemaLayout.oneNode(), Clock.systemUTC()).build());
    report(clickHouse);
  }

  /** Whether the last of a day's tables has it. */
  private static boolean isThere(ClickHouseHttp clickHouse, Day day) {
    return count(
            clickHouse,
            "%s WHERE minute >= toDateTime(%d) AND minute < toDateTime(%d)"
                .formatted(MINUTES.get(MINUTES.size() - 1), day.start(), day.start() + 86_400))
        > 0;
  }

  private static long count(ClickHouseHttp clickHouse, String from) {
    return Long.parseLong(clickHouse.execute("SELECT count() FROM " + from).strip());
  }

  /** Only numbers are put into the text. */
  private void run(ClickHouseHttp clickHouse, String table, Day day, Instant end)
      throws IOException {
    int enforcedFromDay = days * 2 / 3;
    Map<String, String> values = new HashMap<>();
    values.put("seed", Long.toString(seed));
    values.put("first", Long.toString(day.first()));
    values.put("count", Long.toString(day.calls()));
    values.put("users", Integer.toString(users));
    values.put("days", Integer.toString(days));
    values.put("day", Integer.toString(day.number()));
    values.put("day_ms", Long.toString(day.start() * 1000));
    values.put("day_s", Long.toString(day.start()));
    values.put("until_s", Long.toString(end.getEpochSecond()));
    values.put("loads", Day.elements(day.loads()));
    values.put("cumulated", Day.elements(day.cumulated()));
    values.put("deployment", "'" + day.number() / 14 + "'");
    values.put("enforcing", Boolean.toString(day.number() >= enforcedFromDay));
    values.put("enforced_from_day", Integer.toString(enforcedFromDay));
    clickHouse.execute(Statements.bound(Statements.text(table), values));
  }

  private static void progress(Day day, long done, long beganNanos) {
    double seconds = (System.nanoTime() - beganNanos) / 1e9;
    say(
        "%s  %,12d calls and their minutes  %6.0f s  %,9.0f calls/s",
        LocalDate.ofEpochDay(day.start() / 86_400), done, seconds, done / seconds);
  }

  private static void report(ClickHouseHttp clickHouse) {
    say(
        "%s",
        clickHouse.execute(
            "SELECT table, sum(rows) AS rows, count() AS parts, sum(bytes_on_disk) AS bytes,"
                + " round(bytes / rows, 1) AS bytes_a_row FROM system.parts"
                + " WHERE active AND database = currentDatabase() GROUP BY table ORDER BY table"
                + " FORMAT PrettyCompactMonoBlock"));
  }

  private static void say(String form, Object... values) {
    System.out.println(String.format(Locale.ROOT, form, values));
  }
}
