package org.capacityobservatory.sql;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;

/**
 * Recounts what is stored: minutes against calls, event ids, and the books of every source.
 *
 * @param from the first instant looked at
 * @param to the end of what is looked at, not included
 * @param calls that the period holds
 * @param hiddenDoubles rows that were stored twice and that queries don't see; no difference
 * @param inFlight lines that sources have acknowledged and that aren't stored yet
 * @param differingCells of minutes that a recount doesn't confirm
 * @param differences what doesn't agree, in one sentence each; of the cells only the first ones
 */
public record Verification(
    Instant from,
    Instant to,
    long calls,
    long hiddenDoubles,
    long inFlight,
    long differingCells,
    List<String> differences) {

  /** Of many cells that differ the first tell what is wrong. */
  public static final int CELLS_SHOWN = 20;

  /** The named queries of a recount that take a period. */
  public static final List<String> QUERIES =
      List.of(
          "verify-ids",
          "verify-decisions",
          "verify-latency",
          "verify-lanes",
          "verify-usage",
          "verify-events");

  /** A line that was acknowledged longer ago should be stored. */
  private static final Duration SETTLING = Duration.ofMinutes(1);

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

  /** A day short of the shortest retention of rows, so that rows removed by age aren't missed. */
  private static final Duration RETAINED = Duration.ofDays(1);

  /** Checks the components. */
  public Verification {
    differences = List.copyOf(differences);
  }

  /** Whether everything agrees. */
  public boolean agrees() {
    return differences.isEmpty();
  }

  /**
   * Recounts a period.
   *
   * @param from a whole minute, as minutes can't be cut
   * @param to likewise
   * @param retention how long rows are kept after they were read
   * @param nearLimitShare from which share of its limit a lane counted as near it
   * @throws org.jdbi.v3.core.JdbiException when ClickHouse doesn't answer
   */
  public static Verification of(
      Jdbi clickHouse,
      Instant from,
      Instant to,
      Instant now,
      Duration retention,
      double nearLimitShare) {
    return clickHouse.withHandle(
        handle -> {
          Recount recount = new Recount(handle, from, to, nearLimitShare);
          recount.ids();
          recount.cells("verify-decisions", "decisions_minute");
          recount.cells("verify-latency", "latency_minute");
          recount.cells("verify-lanes", "lanes_minute");
          recount.cells("verify-usage", "usage_minute");
          recount.cells("verify-events", "events_minute");
          recount.books(now, now.minus(retention).plus(RETAINED));
          return recount.result();
        });
  }

  /**
   * Recounts a period until it agrees or patience ends: calls and their minutes come by different
   * ways, so only what goes on differing does differ.
   *
   * @param patience for how long to look again
   * @throws InterruptedException when the thread is told to stop while it waits
   * @throws org.jdbi.v3.core.JdbiException when ClickHouse doesn't answer
   */
  public static Verification lasting(
      Jdbi clickHouse,
      Instant from,
      Instant to,
      InstantSource clock,
      Duration patience,
      Duration retention,
      double nearLimitShare)
      throws InterruptedException {
    Instant until = clock.instant().plus(patience);
    while (true) {
      Instant now = clock.instant();
      Verification result = of(clickHouse, from, to, now, retention, nearLimitShare);
      if (result.agrees() || now.isAfter(until)) {
        return result;
      }
      Thread.sleep(BETWEEN_LOOKS.toMillis());
    }
  }

  private static final class Recount {
    private final Handle handle;
    private final Instant from;
    private final Instant to;
    private final double nearLimitShare;
    private final List<String> differences = new ArrayList<>();
    private long calls;
    private long hiddenDoubles;
    private long inFlight;
    private long differingCells;

    Recount(Handle handle, Instant from, Instant to, double nearLimitShare) {
      this.handle = handle;
      this.from = from;
      this.to = to;
      this.nearLimitShare = nearLimitShare;
    }

    void ids() {
      handle
          .createQuery(NamedQuery.text("verify-ids"))
          .bind("from_ms", from.toEpochMilli())
          .bind("to_ms", to.toEpochMilli())
          .map(
              (row, context) -> {
                calls = row.getLong("seen");
                hiddenDoubles = row.getLong("stored") - calls;
                long distinct = row.getLong("distinct_ids");
                if (distinct != calls) {
                  differences.add(
                      "calls: %d rows and %d event ids: some call is counted twice"
                          .formatted(calls, distinct));
                }
                return 1;
              })
          .one();
    }

    void cells(String query, String table) {
      Query asked =
          handle
              .createQuery(NamedQuery.text(query))
              .bind("from_ms", from.toEpochMilli())
              .bind("to_ms", to.toEpochMilli())
              .bind("row_limit", CELLS_SHOWN);
      if (query.equals("verify-lanes")) {
        asked.bind("near_limit_share", nearLimitShare);
      }
      List<Long> differing =
          asked
              .map(
                  (row, context) -> {
                    differences.add(
                        "%s %s %s: %s stored, %s recounted"
                            .formatted(
                                table,
                                Instant.ofEpochMilli(row.getLong("minute_ms")),
                                row.getString("cell"),
                                row.getString("stored"),
                                row.getString("recounted")));
                    return row.getLong("differing");
                  })
              .list();
      differingCells += differing.isEmpty() ? 0 : differing.get(0);
    }

    void books(Instant now, Instant oldestRetained) {
      handle
          .createQuery(NamedQuery.text("verify-books"))
          .bind("settled_ms", now.minus(SETTLING).toEpochMilli())
          .map(
              (row, context) -> {
                book(
                    row.getString("source_text"),
                    row.getLong("lines_read"),
                    row.getLong("accounted"));
                if (row.getLong("oldest_ms") >= oldestRetained.toEpochMilli()
                    || row.getLong("stored_rows") == 0) {
                  stored(
                      row.getString("source_text"),
                      row.getLong("acknowledged"),
                      row.getLong("settled"),
                      row.getLong("stored_rows"));
                }
                return 1;
              })
          .list();
    }

    private void book(String source, long read, long accounted) {
      if (read != accounted) {
        differences.add(
            "books of %s: %d lines read and %d accounted for".formatted(source, read, accounted));
      }
    }

    private void stored(String source, long acknowledged, long settled, long stored) {
      inFlight += Math.max(0, acknowledged - stored);
      if (stored < settled) {
        differences.add(
            "%s: %d lines were acknowledged over a minute ago and %d are stored"
                .formatted(source, settled, stored));
      }
    }

    Verification result() {
      return new Verification(
          from, to, calls, hiddenDoubles, inFlight, differingCells, differences);
    }
  }
}
