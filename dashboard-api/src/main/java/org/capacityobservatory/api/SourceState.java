package org.capacityobservatory.api;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The newest books of one source, and what of it is stored.
 *
 * @param storedRows its rows in ClickHouse that were acknowledged lines: calls, config changes and
 *     what streams set aside
 * @param droppedOnLines lines that those say were dropped before them
 * @param newestStored the highest event time among them, null when there are none
 * @param oldestReadAt when the oldest of them was read, null when there are none
 */
record SourceState(
    String source,
    String shipper,
    Instant writtenAt,
    long generation,
    long read,
    long acknowledged,
    long quarantined,
    long notOurs,
    long pending,
    long bytesRead,
    long behindBytes,
    long droppedAtSource,
    @Nullable Instant clock,
    boolean atEnd,
    String state,
    @Nullable String problem,
    long storedRows,
    long droppedOnLines,
    @Nullable Instant newestStored,
    @Nullable Instant oldestReadAt) {

  /** A live source that has said nothing for longer is silent. */
  static final Duration SILENT_AFTER = Duration.ofSeconds(60);

  /** Raw rows live for 90 days; shortly before, counts of them stop being comparable. */
  private static final Duration ROWS_LIVE_SAFELY = Duration.ofDays(85);

  boolean live() {
    return state.equals("live");
  }

  boolean silent(Instant now) {
    return live() && heartbeatAge(now).compareTo(SILENT_AFTER) > 0;
  }

  Duration heartbeatAge(Instant now) {
    Duration age = Duration.between(writtenAt, now);
    return age.isNegative() ? Duration.ZERO : age;
  }

  /** Rows acknowledged but not stored yet; null when old rows may have been removed by age. */
  @Nullable Long notStored(Instant now) {
    if (oldestReadAt != null && oldestReadAt.isBefore(now.minus(ROWS_LIVE_SAFELY))) {
      return null;
    }
    return Math.max(0, acknowledged - storedRows);
  }

  /**
   * Until when every call of this source is stored; null when that isn't known.
   *
   * <p>At its end a source has given all up to the moment its books were written; before, all up to
   * its clock. Rows on their way hold it back to the newest that has arrived: a source's rows
   * arrive in order.
   */
  @Nullable Instant knownUntil(Instant now) {
    Instant read = atEnd ? writtenAt : clock;
    Long notStored = notStored(now);
    if (read == null || notStored == null || notStored == 0) {
      return read;
    }
    if (newestStored == null) {
      return null;
    }
    return newestStored.isBefore(read) ? newestStored : read;
  }
}
