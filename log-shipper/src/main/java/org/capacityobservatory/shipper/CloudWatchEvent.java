package org.capacityobservatory.shipper;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * One event of CloudWatch Logs, in whichever form it came.
 *
 * @param id what CloudWatch calls it, or null where the form doesn't tell
 * @param timestamp its time, epoch ms, or null
 * @param ingestionTime when CloudWatch took it, epoch ms, or null
 */
record CloudWatchEvent(
    @Nullable String id,
    @Nullable Long timestamp,
    @Nullable String message,
    @Nullable String logStreamName,
    @Nullable Long ingestionTime) {
  private static final JsonFactory JSON = new JsonFactory();

  /** The event as one line of JSON, LF included; always the same for the same event. */
  byte[] line() {
    ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      writeIfKnown(json, "eventId", id);
      writeIfKnown(json, "timestamp", timestamp);
      writeIfKnown(json, "message", message);
      writeIfKnown(json, "logStreamName", logStreamName);
      writeIfKnown(json, "ingestionTime", ingestionTime);
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory can't fail", e);
    }
    return out.toByteArray();
  }

  private static void writeIfKnown(JsonGenerator json, String name, @Nullable String value)
      throws IOException {
    if (value != null) {
      json.writeStringField(name, value);
    }
  }

  private static void writeIfKnown(JsonGenerator json, String name, @Nullable Long value)
      throws IOException {
    if (value != null) {
      json.writeNumberField(name, value);
    }
  }
}
