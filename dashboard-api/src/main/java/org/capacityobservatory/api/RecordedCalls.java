package org.capacityobservatory.api;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.capacityobservatory.calibration.RecordedChange;
import org.capacityobservatory.calibration.Recording;
import org.capacityobservatory.log.CapacityCall;
import org.capacityobservatory.log.ConfigChange;
import org.capacityobservatory.sql.NamedQuery;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Reads a recording from ClickHouse's tables of calls and config changes. */
public final class RecordedCalls {
  private static final String READ = "read";

  private final Jdbi clickHouse;

  /** Reads by this access, which must be allowed as many rows as there are calls. */
  public RecordedCalls(Jdbi clickHouse) {
    this.clickHouse = clickHouse;
  }

  /** Calls that ended, and changes made, from one time on and before another. */
  public Recording read(Instant from, Instant to) {
    Recording.Builder recording = new Recording.Builder();
    clickHouse.useHandle(
        handle -> {
          handle
              .createQuery(NamedQuery.text("recorded-calls"))
              .bind("from_ms", from.toEpochMilli())
              .bind("to_ms", to.toEpochMilli())
              .map(
                  (row, context) -> {
                    take(row, recording);
                    return 1;
                  })
              .forEach(one -> {});
          handle
              .createQuery(NamedQuery.text("recorded-changes"))
              .bind("from_ms", from.toEpochMilli())
              .bind("to_ms", to.toEpochMilli())
              .map((row, context) -> change(row))
              .forEach(recording::change);
        });
    return recording.build();
  }

  private static void take(ResultSet row, Recording.Builder recording) throws SQLException {
    recording.line();
    if (READ.equals(row.getString("time_source_text"))) {
      recording.untimed();
      return;
    }
    recording.call(row.getLong("ended_ms"), row.getString("source_text"), call(row));
  }

  private static CapacityCall call(ResultSet row) throws SQLException {
    String full = row.getString("full_lanes");
    return new CapacityCall(
        row.getString("decision_text"),
        row.getString("mode_text"),
        flag(row, "enforced"),
        row.getString("endpoint_text"),
        flag(row, "semantic"),
        flag(row, "reranker"),
        number(row, "rows"),
        flag(row, "single_row"),
        row.getString("tier_text"),
        number(row, "user_id"),
        full == null || full.isEmpty() ? List.of() : List.of(full.split(",", -1)),
        row.getString("scope_text"),
        number(row, "in_flight"),
        number(row, "limit"),
        number(row, "task_in_flight"),
        number(row, "task_limit"),
        number(row, "es2_knn_in_flight"),
        number(row, "es2_knn_limit"),
        number(row, "tier_in_flight"),
        number(row, "tier_limit"),
        number(row, "user_in_flight"),
        number(row, "user_limit"),
        number(row, "suggested"),
        number(row, "retry_after"),
        number(row, "held_ms"),
        number(row, "queue_ms"),
        flag(row, "lease_lost"),
        null,
        row.getString("task_text"),
        row.getString("request_source_text"),
        row.getString("algorithm_id_text"),
        row.getString("automatch_run_id"),
        row.getString("cid"),
        number(row, "log_dropped"),
        List.of(),
        "",
        List.of());
  }

  private static RecordedChange change(ResultSet row) throws SQLException {
    return new RecordedChange(
        row.getLong("changed_ms"),
        new ConfigChange(
            number(row, "version"),
            null,
            null,
            null,
            row.getString("mode_text"),
            row.getString("changes"),
            null,
            List.of(),
            "",
            List.of()));
  }

  private static @Nullable Long number(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }

  private static @Nullable Boolean flag(ResultSet row, String column) throws SQLException {
    boolean value = row.getBoolean(column);
    return row.wasNull() ? null : value;
  }
}
