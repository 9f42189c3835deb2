package org.capacityobservatory.sql;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Jdbi;

/**
 * Adds the minutes of closed hours up, so that long periods are read from few rows.
 *
 * <p>An hour is made anew as a whole from its minutes, so making it twice changes nothing. Late
 * lines touch minutes of hours that are made already: those are found by when their rows were
 * stored, and made again. Until then the hour lacks them, its minutes don't.
 */
public final class HourRollups {
  /**
   * A call that ends adds occupancy to minutes of the 15 before: lanes are closed so much later.
   */
  private static final Duration LANES_CLOSE_AFTER = Duration.ofMinutes(15);

  private static final String DIMENSIONS_OF_DECISIONS =
      "decision, mode, enforced, endpoint, single_row, tier, scope, source_class";

  private static final String HISTOGRAMS =
      "sum(m.present) AS present, sum(m.missing) AS missing, sum(m.sum) AS sum,"
          + " sumMap(m.bucket, m.n).1 AS bucket, sumMap(m.bucket, m.n).2 AS n";

  /**
   * Raised when a table is added to {@link #TABLES}; as in {@code parts/period.sql} and {@code
   * hours-changed.sql}, so that hours which lack the table are made anew before they are read.
   */
  private static final int MADE_OF = 1;

  private static final List<Table> TABLES =
      List.of(
          new Table(
              "decisions_hour",
              "decisions_minute",
              DIMENSIONS_OF_DECISIONS + ", sum(m.calls) AS calls"),
          new Table(
              "latency_hour",
              "latency_minute",
              "measure, endpoint, single_row, tier, " + HISTOGRAMS),
          new Table("latency_total_hour", "latency_minute", "measure, " + HISTOGRAMS),
          new Table(
              "usage_hour",
              "usage_minute",
              "tier, algorithm_class, source_class, sum(m.calls) AS calls, sum(m.held) AS held,"
                  + " sum(m.lease_ms) AS lease_ms"),
          new Table("events_hour", "events_minute", "kind, value, sum(m.n) AS n"),
          new Table(
              "lanes_hour",
              "lanes_minute",
              "lane, tier, task, sum(m.calls) AS calls, sum(m.measured) AS measured,"
                  + " sum(m.full) AS full, sum(m.full_alone) AS full_alone,"
                  + " sum(m.near_limit) AS near_limit, max(m.in_flight_max) AS in_flight_max,"
                  + " min(m.limit_min) AS limit_min, max(m.limit_max) AS limit_max,"
                  + " sum(m.occupancy_ms) AS occupancy_ms"));

  /**
   * A table of hours.
   *
   * @param minutes the table that its rows are added up from
   * @param sums what a row is made of; m. keeps a column from being taken for its sum
   */
  private record Table(String name, String minutes, String sums) {}

  private final Jdbi queries;
  private final ClickHouseHttp clickHouse;
  private final SchemaLayout layout;
  private final InstantSource clock;

  /** Prepares for a database that is up to date. */
  public HourRollups(ClickHouseConfig config, SchemaLayout layout, InstantSource clock) {
    this.queries = ClickHouse.queries(config, new Properties());
    this.clickHouse = new ClickHouseHttp(config, Duration.ofMinutes(10));
    this.layout = layout;
    this.clock = clock;
  }

  /**
   * Makes every hour that has closed since the last time, and those whose minutes have changed.
   *
   * @return how many were made
   * @throws ClickHouseException when ClickHouse refuses or is away
   * @throws org.jdbi.v3.core.JdbiException likewise
   */
  public int build() {
    Optional<Instant> closed = closedUntil();
    if (closed.isEmpty()) {
      return 0;
    }
    List<Instant> hours = changedHours(closed.get());
    byDay(hours).values().forEach(this::make);
    clickHouse.execute(
        "INSERT INTO hours_state (id, built_until, made_of, revision) VALUES (1, %d, %d, %d)"
            .formatted(closed.get().getEpochSecond(), MADE_OF, clock.millis()));
    return hours.size();
  }

  /**
   * Makes the hours of a period anew after its minutes have been replaced: rows whose dimensions no
   * minute has any more go as well.
   */
  public void rebuild(Instant from, Instant to) {
    Instant first = from.truncatedTo(ChronoUnit.HOURS);
    Instant end = to.plus(1, ChronoUnit.HOURS).minusMillis(1).truncatedTo(ChronoUnit.HOURS);
    String period =
        "hour >= toDateTime(%d, 'UTC') AND hour < toDateTime(%d, 'UTC')"
            .formatted(first.getEpochSecond(), end.getEpochSecond());
    TABLES.forEach(table -> clickHouse.execute(layout.delete(table.name(), period)));
    List<Instant> hours = new ArrayList<>();
    for (Instant hour = first; hour.isBefore(end); hour = hour.plus(1, ChronoUnit.HOURS)) {
      hours.add(hour);
    }
    byDay(hours).values().forEach(this::make);
  }

  private Optional<Instant> closedUntil() {
    return queries.withHandle(
        handle ->
            handle
                .createQuery(NamedQuery.text("minutes-complete"))
                .map((row, context) -> Optional.ofNullable(row.getObject("closed_ms")))
                .one()
                .map(
                    millis ->
                        Instant.ofEpochMilli(((Number) millis).longValue())
                            .minus(LANES_CLOSE_AFTER)
                            .truncatedTo(ChronoUnit.HOURS)));
  }

  private List<Instant> changedHours(Instant closed) {
    return queries.withHandle(
        handle ->
            handle
                .createQuery(NamedQuery.text("hours-changed"))
                .bind("closed_s", closed.getEpochSecond())
                .map((row, context) -> Instant.ofEpochSecond(row.getLong("hour_s")))
                .list());
  }

  /** Hours of one day are made in one statement; none reaches into another month's table part. */
  private static Map<Instant, List<Instant>> byDay(List<Instant> hours) {
    return hours.stream()
        .collect(
            Collectors.groupingBy(
                hour -> hour.atOffset(ZoneOffset.UTC).truncatedTo(ChronoUnit.DAYS).toInstant(),
                LinkedHashMap::new,
                Collectors.toList()));
  }

  private void make(List<Instant> hours) {
    String starts =
        hours.stream()
            .map(hour -> Long.toString(hour.getEpochSecond()))
            .collect(Collectors.joining(", "));
    Instant first = hours.get(0);
    Instant end = hours.get(hours.size() - 1).plus(1, ChronoUnit.HOURS);
    TABLES.forEach(
        table ->
            clickHouse.execute(
                """
                INSERT INTO %1$s (hour, %2$s, revision)
                SETTINGS distributed_foreground_insert = 1
                SELECT made.*, %3$d FROM
                (
                    SELECT toStartOfHour(minute) AS hour, %4$s
                    FROM %8$s AS m FINAL
                    WHERE minute >= toDateTime(%5$d, 'UTC') AND minute < toDateTime(%6$d, 'UTC')
                      AND toUnixTimestamp(toStartOfHour(minute)) IN (%7$s)
                    GROUP BY ALL
                ) AS made
                """
                    .formatted(
                        table.name(),
                        names(table.sums()),
                        clock.millis(),
                        table.sums(),
                        first.getEpochSecond(),
                        end.getEpochSecond(),
                        starts,
                        table.minutes())));
  }

  /** The columns that a list of expressions makes: the word after AS, or the whole. */
  private static String names(String sums) {
    return List.of(sums.split(", (?![^(]*\\))")).stream()
        .map(expression -> expression.replaceFirst(".* AS ", ""))
        .collect(Collectors.joining(", "));
  }
}
