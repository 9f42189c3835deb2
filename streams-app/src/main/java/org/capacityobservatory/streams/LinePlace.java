package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.capacityobservatory.log.LineHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Where a line stands: in its source, in time and in Kafka.
 *
 * @param eventId its UUID, as text
 * @param eventAtMillis event time, epoch ms
 * @param readAtMillis when the shipper read the line, epoch ms
 * @param kafka the record of the topic of lines that carried it
 */
record LinePlace(
    String eventId,
    String source,
    long generation,
    long position,
    String timeSource,
    @Nullable String flag,
    long eventAtMillis,
    long readAtMillis,
    RecordMetadata kafka) {

  private static final int UUID_LENGTH = 36;

  /** A record of the topic of lines that doesn't say where its line stands. */
  static final class UnknownPlaceException extends Exception {
    private static final long serialVersionUID = 1L;

    UnknownPlaceException(String message) {
      super(message);
    }
  }

  static LinePlace of(Headers headers, long timestamp, RecordMetadata kafka)
      throws UnknownPlaceException {
    try {
      return new LinePlace(
          uuid(required(headers, LineHeaders.EVENT_ID)),
          required(headers, LineHeaders.SOURCE),
          Long.parseLong(required(headers, LineHeaders.GENERATION)),
          Long.parseLong(required(headers, LineHeaders.POSITION)),
          required(headers, LineHeaders.TIME_SOURCE),
          optional(headers, LineHeaders.FLAG),
          timestamp,
          Long.parseLong(required(headers, LineHeaders.READ_AT)),
          kafka);
    } catch (IllegalArgumentException e) {
      throw new UnknownPlaceException("a header isn't what it should be: " + e.getMessage());
    }
  }

  /** Lines without an envelope have no event time of their own. */
  boolean hasEventTime() {
    return timeSource.equals(LineHeaders.TIME_SOURCE_ENVELOPE);
  }

  /** Checked, and kept as text: it is only handed on. */
  private static String uuid(String text) {
    boolean good = text.length() == UUID_LENGTH;
    for (int i = 0; good && i < UUID_LENGTH; i++) {
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      good = dash ? text.charAt(i) == '-' : Character.digit(text.charAt(i), 16) >= 0;
    }
    if (!good) {
      throw new IllegalArgumentException("event_id is no UUID");
    }
    return text;
  }

  /**
   * The columns that say where a line stands, as the open start of a row's JSON.
   *
   * @param timeColumn the column of the event time
   */
  byte[] asRowStart(String timeColumn) {
    StringBuilder row = new StringBuilder(320);
    row.append("{\"event_id\":\"").append(eventId).append("\",\"source\":\"");
    JsonStringEncoder.getInstance().quoteAsString(source, row);
    row.append("\",\"generation\":").append(generation);
    row.append(",\"position\":").append(position);
    row.append(",\"time_source\":\"");
    JsonStringEncoder.getInstance().quoteAsString(timeSource, row);
    if (flag != null) {
      row.append("\",\"flag\":\"");
      JsonStringEncoder.getInstance().quoteAsString(flag, row);
    }
    row.append("\",\"").append(timeColumn).append("\":").append(eventAtMillis);
    row.append(",\"read_at\":").append(readAtMillis);
    return row.toString().getBytes(UTF_8);
  }

  private static String required(Headers headers, String name) throws UnknownPlaceException {
    String value = optional(headers, name);
    if (value == null) {
      throw new UnknownPlaceException("header " + name + " is missing");
    }
    return value;
  }

  private static @Nullable String optional(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null || header.value() == null ? null : new String(header.value(), UTF_8);
  }
}
