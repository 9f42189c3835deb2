package org.capacityobservatory.api;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the pipeline's books say of each source, and what of it is stored. */
final class Pipeline {
  private final Store store;

  Pipeline(Store store) {
    this.store = store;
  }

  /** Calls that are stored but not in the minute tables. */
  record NotFolded(long calls, @Nullable Instant firstMinute) {}

  List<SourceState> sources() {
    return store.list("pipeline-sources", Map.of(), (row, context) -> source(row));
  }

  /** Calls since a minute that the minute tables lack. */
  NotFolded notFolded(Instant since) {
    List<NotFolded> found =
        store.list(
            "calls-not-in-minutes",
            Map.of("since_ms", since.truncatedTo(ChronoUnit.MINUTES).toEpochMilli()),
            (row, context) -> new NotFolded(row.getLong("not_folded"), Rows.time(row, "first_ms")));
    return found.get(0);
  }

  private static SourceState source(ResultSet row) throws SQLException {
    Instant written = Rows.time(row, "written_ms");
    if (written == null) {
      throw new SQLException("Books without written_at");
    }
    return new SourceState(
        row.getString("source_text"),
        row.getString("shipper_text"),
        written,
        row.getLong("generation"),
        row.getLong("lines_read"),
        row.getLong("acknowledged"),
        row.getLong("quarantined"),
        row.getLong("not_ours"),
        row.getLong("pending"),
        row.getLong("bytes_read"),
        row.getLong("behind_bytes"),
        row.getLong("dropped_at_source"),
        Rows.time(row, "clock_ms"),
        row.getBoolean("at_end"),
        row.getString("state_text"),
        row.getString("problem"),
        row.getLong("stored_rows"),
        row.getLong("dropped_on_lines"),
        Rows.time(row, "newest_ms"),
        Rows.time(row, "oldest_ms"));
  }
}
