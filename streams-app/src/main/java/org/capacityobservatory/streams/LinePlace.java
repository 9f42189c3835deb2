package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.UUID;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.capacityobservatory.log.LineHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Where a line stands: in its source, in time and in Kafka.
 *
 * @param eventAtMillis event time, epoch ms
 * @param readAtMillis when the shipper read the line, epoch ms
 * @param kafka the record of the topic of lines that carried it
 */
record LinePlace(
    UUID eventId,
    String source,
    long generation,
    long position,
    String timeSource,
    @Nullable String flag,
    long eventAtMillis,
    long readAtMillis,
    RecordMetadata kafka) {

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
          UUID.fromString(required(headers, LineHeaders.EVENT_ID)),
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
