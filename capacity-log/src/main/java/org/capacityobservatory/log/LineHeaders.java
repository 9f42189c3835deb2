package org.capacityobservatory.log;

/**
 * The names of the headers on a record of {@link Topics#LINES}; their values are ASCII text.
 *
 * <p>The record's own timestamp is the event time in epoch milliseconds: the time in the envelope,
 * or, where {@link #TIME_SOURCE} is {@link #TIME_SOURCE_READ}, the time at which the shipper read
 * the line.
 */
public final class LineHeaders {
  /** The line's identity, a UUID made by {@link EventId}. */
  public static final String EVENT_ID = "event_id";

  /** The source's name, as in the record's key. */
  public static final String SOURCE = "source";

  /** Which file of the source, in the order they were met: 1, 2, … */
  public static final String GENERATION = "generation";

  /** Where the line starts in its generation, in bytes; a joined line starts at its first piece. */
  public static final String POSITION = "position";

  /** {@link #TIME_SOURCE_ENVELOPE} or {@link #TIME_SOURCE_READ}. */
  public static final String TIME_SOURCE = "time_source";

  /** When the shipper read the line, in epoch milliseconds. */
  public static final String READ_AT = "read_at";

  /** Present, with a word such as {@code unterminated}, when the line was taken as it stood. */
  public static final String FLAG = "flag";

  /** The event time comes from the log transport's envelope. */
  public static final String TIME_SOURCE_ENVELOPE = "envelope";

  /** The line came without an envelope: its time is only when it was read. */
  public static final String TIME_SOURCE_READ = "read";

  private LineHeaders() {}
}
