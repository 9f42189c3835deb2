package org.capacityobservatory.api;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest books of one source, as far as completeness and losses need them.
 *
 * @param firstWrittenAt when its first books were written
 * @param clock its highest event time, null when no line had one
 */
record Books(
    String source,
    String state,
    @Nullable String problem,
    boolean atEnd,
    Instant firstWrittenAt,
    Instant writtenAt,
    long acknowledged,
    long behindBytes,
    long droppedAtSource,
    @Nullable Instant clock) {

  static Books of(ResultSet row) throws SQLException {
    Instant written = Rows.time(row, "written_ms");
    Instant first = Rows.time(row, "first_ms");
    if (written == null || first == null) {
      throw new SQLException("Books without written_at");
    }
    return new Books(
        row.getString("source_text"),
        row.getString("state_text"),
        row.getString("problem"),
        row.getBoolean("at_end"),
        first,
        written,
        row.getLong("acknowledged"),
        row.getLong("behind_bytes"),
        row.getLong("dropped_at_source"),
        Rows.time(row, "clock_ms"));
  }

  boolean live() {
    return state.equals("live");
  }

  boolean silent(Instant now) {
    return live() && Duration.between(writtenAt, now).compareTo(SourceState.SILENT_AFTER) > 0;
  }

  /**
   * Until when everything of this source is in Kafka: at its end up to when the books were written,
   * before it up to its clock.
   */
  @Nullable Instant readUntil() {
    return atEnd ? writtenAt : clock;
  }

  /**
   * The least over the live sources; when none is live the latest of the others, of which nothing
   * more comes. Null when nothing is known, or nothing of a live one.
   */
  static @Nullable Instant readUntil(List<Books> books) {
    List<Books> live = books.stream().filter(Books::live).toList();
    List<Instant> known = new ArrayList<>();
    for (Books source : live.isEmpty() ? books : live) {
      Instant until = source.readUntil();
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
}
