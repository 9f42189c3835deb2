package org.capacityobservatory.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.capacityobservatory.log.CapacityCall;
import org.capacityobservatory.log.CapacityEvent;
import org.capacityobservatory.log.ConfigChange;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Lines as they are stored, read back as records: doubles collapsed, oldest first, one at a time.
 *
 * <p>What counts nowhere is left out: null keys, unknown keys, and who changed the config and why.
 */
public final class StoredLines {
  private static final String ENVELOPE = "envelope";

  private final Jdbi clickHouse;

  /**
   * One line.
   *
   * @param atMillis event time, epoch ms
   * @param timed whether that is the line's own time; else it is only when the line was read
   * @param event a call or a config change
   */
  public record StoredLine<E extends CapacityEvent>(
      long atMillis, boolean timed, String source, E event) {}

  /** Reads from a database. */
  public StoredLines(Jdbi clickHouse) {
    this.clickHouse = clickHouse;
  }

  /**
   * Gives out the calls that ended from one time on and before another.
   *
   * @throws org.jdbi.v3.core.JdbiException when ClickHouse doesn't answer
   */
  public void calls(Instant from, Instant to, Consumer<StoredLine<CapacityCall>> out) {
    forEach(
        "recorded-calls",
        from,
        to,
        row ->
            out.accept(
                new StoredLine<>(
                    row.getLong("ended_ms"),
                    isTimed(row),
                    row.getString("source_text"),
                    call(row))));
  }

  /**
   * Gives out the config changes made from one time on and before another.
   *
   * @throws org.jdbi.v3.core.JdbiException when ClickHouse doesn't answer
   */
  public void changes(Instant from, Instant to, Consumer<StoredLine<ConfigChange>> out) {
    forEach(
        "recorded-changes",
        from,
        to,
        row ->
            out.accept(new StoredLine<>(row.getLong("changed_ms"), isTimed(row), "", change(row))));
  }

  private interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  private void forEach(String query, Instant from, Instant to, RowReader reader) {
    try (Handle handle = clickHouse.open()) {
      handle
          .createQuery(NamedQuery.text(query))
          .bind("from_ms", from.toEpochMilli())
          .bind("to_ms", to.toEpochMilli())
          .map(
              (row, context) -> {
                reader.read(row);
                return true;
              })
          .forEach(read -> {});
    }
  }

  private static boolean isTimed(ResultSet row) throws SQLException {
    return ENVELOPE.equals(row.getString("time_source_text"));
  }

  private static CapacityCall call(ResultSet row) throws SQLException {
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
        words(row, "full_lanes"),
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
        row.getString("error"),
        row.getString("task_text"),
        row.getString("request_source_text"),
        row.getString("algorithm_id_text"),
        row.getString("automatch_run_id"),
        row.getString("cid"),
        number(row, "log_dropped"),
        List.of(),
        "",
        words(row, "type_error_keys"));
  }

  private static ConfigChange change(ResultSet row) throws SQLException {
    return new ConfigChange(
        number(row, "version"),
        null,
        null,
        null,
        row.getString("mode_text"),
        row.getString("changes"),
        number(row, "log_dropped"),
        List.of(),
        "",
        words(row, "type_error_keys"));
  }

  private static List<String> words(ResultSet row, String column) throws SQLException {
    String all = row.getString(column);
    return all == null || all.isEmpty() ? List.of() : List.of(all.split(",", -1));
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
