package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** A record of the topic of lines that isn't a line of the limiter, kept aside with its place. */
final class DeadLetterRow {
  static final int RAW_BYTES = 4096;

  /** DateTime64 ends with the year 2299. */
  private static final long MAX_STORABLE_MILLIS =
      Instant.parse("2299-12-31T00:00:00Z").toEpochMilli();

  private DeadLetterRow() {}

  /**
   * The row of the table of dead letters.
   *
   * @param reason one word; the metric's label
   * @param detail what was found, for people
   * @param record the record, as it came
   * @param place where its line stands, when the record says so
   */
  static byte[] of(
      String reason,
      String detail,
      Record<byte[], byte[]> record,
      RecordMetadata kafka,
      @Nullable LinePlace place,
      long nowMillis) {
    byte[] raw = record.value() == null ? new byte[0] : record.value();
    Row row =
        new Row()
            .text("id", id(kafka, place))
            .text("stage", "streams")
            .text("topic", kafka.topic())
            .number("partition", (long) kafka.partition())
            .number("offset", kafka.offset())
            .text("reason", reason)
            .text("detail", detail)
            .text("raw_base64", Base64.getEncoder().encodeToString(firstOf(raw)))
            .number("raw_length", (long) raw.length)
            .text("raw_sha256", HexFormat.of().formatHex(sha256(raw)));
    if (place == null) {
      return row.number("read_at", nowMillis).toBytes();
    }
    return row.number("event_at", isStorable(place.eventAtMillis()) ? place.eventAtMillis() : null)
        .text("source", place.source())
        .number("generation", place.generation())
        .number("position", place.position())
        .number("read_at", place.readAtMillis())
        .toBytes();
  }

  private static boolean isStorable(long epochMillis) {
    return epochMillis > 0 && epochMillis <= MAX_STORABLE_MILLIS;
  }

  private static String id(RecordMetadata kafka, @Nullable LinePlace place) {
    if (place != null) {
      return place.eventId();
    }
    String inKafka = kafka.topic() + '\0' + kafka.partition() + '\0' + kafka.offset();
    return UUID.nameUUIDFromBytes(inKafka.getBytes(UTF_8)).toString();
  }

  private static byte[] firstOf(byte[] bytes) {
    return bytes.length <= RAW_BYTES ? bytes : Arrays.copyOf(bytes, RAW_BYTES);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
