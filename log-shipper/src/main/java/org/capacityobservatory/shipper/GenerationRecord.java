package org.capacityobservatory.shipper;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far one generation of a source is shipped: the value of a record on the positions topic.
 *
 * @param path where its file was last seen; for people
 * @param size bytes on disk when last looked at; for people
 * @param position bytes taken; a line's start
 * @param held per stream, where the first piece of its unfinished line starts
 * @param ended whether it was finished: what stood without LF at its end has been tried
 * @param books this generation's part of the source's books
 * @param clockMillis highest envelope time seen in it, or null
 */
record GenerationRecord(
    String source,
    long generation,
    FileId id,
    int headLength,
    String headSha256,
    String path,
    boolean compressed,
    long size,
    long position,
    Map<String, Long> held,
    boolean ended,
    Books books,
    @Nullable Long clockMillis)
    implements PositionRecord {

  GenerationRecord {
    held = Map.copyOf(held);
  }
}
