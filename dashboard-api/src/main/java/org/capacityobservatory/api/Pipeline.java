package org.capacityobservatory.api;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the pipeline's books say: each source's state, and until when the numbers are complete. */
final class Pipeline {
  /** How far before the end of the data a minute that lacks calls is looked for. */
  private static final Duration FOLDING_CHECKED = Duration.ofHours(1);

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

  /** Until when every call is in the numbers; null when nothing is known. */
  @Nullable Instant completeUntil(@Nullable Period data, Instant now) {
    return completeUntil(sources(), data, now);
  }

  /**
   * The least over the live sources, or when none is live the latest of the others: nothing more
   * comes of them. Calls that are stored and not yet in the minute tables hold it back too.
   */
  @Nullable Instant completeUntil(List<SourceState> sources, @Nullable Period data, Instant now) {
    Instant read = readUntil(sources, now);
    if (read == null) {
      return null;
    }
    Instant newest = data == null || data.to().isAfter(read) ? read : data.to();
    Instant since = newest.minus(FOLDING_CHECKED);
    Instant lacking =
        notFolded(since.isBefore(Instant.EPOCH) ? Instant.EPOCH : since).firstMinute();
    return lacking != null && lacking.isBefore(read) ? lacking : read;
  }

  static @Nullable Instant readUntil(List<SourceState> sources, Instant now) {
    List<SourceState> live = sources.stream().filter(SourceState::live).toList();
    List<Instant> known = new ArrayList<>();
    for (SourceState source : live.isEmpty() ? sources : live) {
      Instant until = source.knownUntil(now);
      if (until != null) {
        known.add(until);
      } else if (source.live()) {
        return null;
      }
    }
    if (known.isEmpty()) {
      return null;
    }
    known.sort(null);
    return live.isEmpty() ? known.get(known.size() - 1) : known.get(0);
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
        Rows.time(row, "newest_ms"),
        Rows.time(row, "oldest_ms"));
  }
}
