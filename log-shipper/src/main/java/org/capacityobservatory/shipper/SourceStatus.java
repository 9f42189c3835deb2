package org.capacityobservatory.shipper;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where one source stands, as of the last committed transaction.
 *
 * @param source its name
 * @param generation its newest generation; 0 where nothing could be opened yet
 * @param state what it does
 * @param path where its newest file is, or was last seen
 * @param position bytes taken of the newest generation; of a compressed file, of its content
 * @param size bytes of the newest generation's file on disk when last looked at
 * @param behindBytes bytes on disk not taken yet, over all its generations
 * @param atEnd whether every generation is at its end
 * @param books the account of its lines
 * @param clockMillis highest envelope time seen, epoch ms; null before the first
 * @param problem why it isn't read, or what was lost, in a sentence; null if nothing is wrong
 */
public record SourceStatus(
    String source,
    long generation,
    State state,
    String path,
    long position,
    long size,
    long behindBytes,
    boolean atEnd,
    Books books,
    @Nullable Long clockMillis,
    @Nullable String problem) {

  SourceStatus as(State other) {
    return new SourceStatus(
        source,
        generation,
        other,
        path,
        position,
        size,
        behindBytes,
        atEnd,
        books,
        clockMillis,
        problem);
  }

  /** What a source does. */
  public enum State {
    /** It is read. */
    LIVE,
    /** It is read to its end, and finished (once) or gone from disk. */
    ENDED,
    /** It can't be read. */
    FAILED,
    /** An earlier run followed it; its files are no longer asked for. */
    UNFOLLOWED;

    String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
