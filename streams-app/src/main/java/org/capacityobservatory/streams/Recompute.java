package org.capacityobservatory.streams;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.function.Consumer;
import org.capacityobservatory.log.CapacityEvent;
import org.capacityobservatory.metrics.Dimensions;
import org.capacityobservatory.metrics.MetricsConfig;
import org.capacityobservatory.metrics.Minute;
import org.capacityobservatory.metrics.Occupancy;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.capacityobservatory.sql.HourRollups;
import org.capacityobservatory.sql.NamedQuery;
import org.capacityobservatory.sql.NativeRows;
import org.capacityobservatory.sql.Retention;
import org.capacityobservatory.sql.SchemaLayout;
import org.capacityobservatory.sql.StoredLines;
import org.capacityobservatory.sql.StoredLines.StoredLine;
import org.capacityobservatory.sql.TableColumns;
import org.jdbi.v3.core.Jdbi;

/**
 * Makes closed minutes anew from the stored rows, by the same arithmetic that the job uses: the way
 * back after a fault in that arithmetic, a change of its classes, or a loss of minutes.
 *
 * <p>A stretch is folded in memory, its old cells are removed, and the new ones are stored as
 * partials of a partition that no topic has. In between the stretch is empty for readers. Killed
 * there, it stays empty until the command is given again, which is always safe: all comes from the
 * rows. A late line that arrives meanwhile can be counted twice; {@code verify} finds it, and the
 * next recompute mends it.
 */
public final class Recompute {
  /** Names the partials that were made here: no topic has as many partitions. */
  private static final long NO_PARTITION = (1L << 32) - 1;

  /** How much is in memory, and missing for readers, at once. */
  private static final Duration STRETCH = Duration.ofHours(6);

  /** The API kills calls after ten minutes: none that overlaps a minute ends later than this. */
  private static final Duration LONGEST_CALL = Duration.ofHours(1);

  private static final Duration TIMEOUT = Duration.ofMinutes(10);
  private static final List<String> TABLES =
      List.of(
          "decisions_minute", "latency_minute", "lanes_minute", "usage_minute", "events_minute");

  private final Jdbi queries;
  private final HourRollups hours;
  private final ClickHouseHttp clickHouse;
  private final SchemaLayout layout;
  private final Retention retention;
  private final MetricsConfig metrics;
  private final InstantSource clock;

  /**
   * What has been made anew.
   *
   * @param until minutes before this time are done
   * @param lines calls and config changes counted in them
   * @param cells rows stored in the tables of minutes
   */
  public record Progress(Instant until, long lines, long cells) {}

  /**
   * Prepares for a database.
   *
   * @param metrics how calls are counted; the same as the job's, or a part of the history counts
   *     differently from the rest
   */
  public Recompute(
      ClickHouseConfig config,
      SchemaLayout layout,
      Retention retention,
      MetricsConfig metrics,
      InstantSource clock) {
    this.queries = ClickHouse.queries(config, new Properties());
    this.hours = new HourRollups(config, layout, clock);
    this.clickHouse = new ClickHouseHttp(config, TIMEOUT);
    this.layout = layout;
    this.retention = retention;
    this.metrics = metrics;
    this.clock = clock;
  }

  /**
   * Makes the minutes of a period anew.
   *
   * @param from a whole minute
   * @param to likewise, not included
   * @param told hears of each stretch that is done, with totals so far
   * @throws RecomputeException when the minutes may still be open, or when their rows may have been
   *     removed by age
   * @throws org.capacityobservatory.sql.ClickHouseException when ClickHouse refuses or is away
   */
  public void run(Instant from, Instant to, Consumer<Progress> told) {
    requireRows(from);
    requireClosed(to);
    Dimensions dimensions = new Dimensions(metrics, new StreamsMeters(new SimpleMeterRegistry()));
    long lines = 0;
    long cells = 0;
    for (Instant start = from; start.isBefore(to); ) {
      Instant end = endOfStretch(start, to);
      Rows rows = fold(start, end, dimensions);
      replace(start, end, rows);
      hours.rebuild(start, end);
      lines += rows.lines;
      cells += rows.cells();
      told.accept(new Progress(end, lines, cells));
      start = end;
    }
  }

  /** Rows live for the retention after they were read, so at least as long after their time. */
  private void requireRows(Instant from) {
    Instant oldest = clock.instant().minus(Duration.ofDays(retention.rowDays() - 1L));
    if (from.isBefore(oldest)) {
      throw new RecomputeException(
          "Rows from before %s may have been removed by age, and minutes can't be made without them:"
                  .formatted(oldest.truncatedTo(ChronoUnit.MINUTES).plusSeconds(60))
              + " begin there or later");
    }
  }

  private void requireClosed(Instant to) {
    Long closedMillis =
        queries.withHandle(
            handle ->
                handle
                    .createQuery(NamedQuery.text("minutes-complete"))
                    .map(
                        (row, context) -> {
                          long millis = row.getLong("closed_ms");
                          return row.wasNull() ? Long.MIN_VALUE : millis;
                        })
                    .one());
    if (closedMillis == Long.MIN_VALUE) {
      throw new RecomputeException("No minute is closed yet: the job goes on with all of them");
    }
    Instant closed = Instant.ofEpochMilli(closedMillis).minusMillis(Occupancy.MAX_HELD_MS);
    if (to.isAfter(closed)) {
      throw new RecomputeException(
          "Minutes from %s on may still be open, and the job goes on with them: end there or earlier"
              .formatted(Instant.ofEpochMilli(Minute.startOf(closed.toEpochMilli()))));
    }
  }

  /** Stretches end at their multiples, so that none reaches into another month: one table part. */
  private static Instant endOfStretch(Instant start, Instant to) {
    long stretch = STRETCH.toMillis();
    Instant end = Instant.ofEpochMilli((start.toEpochMilli() / stretch + 1) * stretch);
    return end.isBefore(to) ? end : to;
  }

  private Rows fold(Instant start, Instant end, Dimensions dimensions) {
    Rows rows = new Rows();
    Minutes minutes = Minutes.unstored(dimensions, new CellRows(NO_PARTITION));
    long now = clock.millis();
    StoredLines stored = new StoredLines(queries);
    stored.calls(start, end.plus(LONGEST_CALL), line -> rows.count(line, end, minutes, now));
    stored.changes(start, end, line -> rows.count(line, end, minutes, now));
    minutes.forgetBefore(start.toEpochMilli());
    minutes.closeBefore(end.toEpochMilli(), end.toEpochMilli(), rows::of);
    return rows;
  }

  private void replace(Instant start, Instant end, Rows rows) {
    String period =
        "minute >= toDateTime(%d, 'UTC') AND minute < toDateTime(%d, 'UTC')"
            .formatted(start.getEpochSecond(), end.getEpochSecond());
    for (String table : TABLES) {
      clickHouse.execute(layout.delete(table, period));
      NativeRows made = rows.byTable.get(table);
      if (made != null && made.rows() > 0) {
        // Not to be taken for the same rows of an earlier run, which have just been removed.
        clickHouse.insertBlock(made, "recompute:" + UUID.randomUUID());
      }
    }
  }

  private final class Rows {
    final Map<String, NativeRows> byTable = new LinkedHashMap<>();
    long lines;

    /** Offsets only have to name this run and to grow: the time does both. */
    void count(StoredLine<? extends CapacityEvent> line, Instant end, Minutes minutes, long now) {
      if (line.timed()) {
        minutes.add(line.event(), line.atMillis(), now, now);
        lines += line.atMillis() < end.toEpochMilli() ? 1 : 0;
      }
    }

    CellTable.RowSink of(String table) {
      NativeRows rows =
          byTable.computeIfAbsent(table, t -> new NativeRows(TableColumns.of(clickHouse, table)));
      return rows::add;
    }

    long cells() {
      return byTable.values().stream().mapToLong(NativeRows::rows).sum();
    }
  }
}
