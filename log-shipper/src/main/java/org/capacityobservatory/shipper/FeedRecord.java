package org.capacityobservatory.shipper;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How far a source that is no file is shipped: the value of a record on the positions topic.
 *
 * @param kind what it is
 * @param run which run of stdin; 1 for the others
 * @param position bytes taken of it
 * @param resume where to go on: journald's cursor, CloudWatch's time in epoch ms; else empty
 * @param seen hashes of what is shipped already past that place, {@link EntryHashes#encoded}
 * @param ended whether it came to its end
 * @param books its books, over all runs
 * @param clockMillis highest envelope time seen, or null
 */
record FeedRecord(
    String source,
    Kind kind,
    long run,
    long position,
    String resume,
    String seen,
    boolean ended,
    Books books,
    @Nullable Long clockMillis)
    implements PositionRecord {

  /** What a feed is. */
  enum Kind {
    /** The shipper's standard input: what was read can't be read again. */
    STDIN,
    /** systemd's journal. */
    JOURNALD,
    /** A log group of CloudWatch Logs. */
    CLOUDWATCH;

    String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
