package org.capacityobservatory.shipper;

import org.capacityobservatory.log.ResumePoint;
import org.jspecify.annotations.Nullable;

/**
 * How far one generation of a source is shipped: the value of a record on the positions topic.
 *
 * @param path where its file was last seen; for people
 * @param size bytes on disk when last looked at; for people
 * @param place how far it is read
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
    ResumePoint place,
    boolean ended,
    Books books,
    @Nullable Long clockMillis)
    implements PositionRecord {}
