package org.capacityobservatory.shipper;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.UUID;
import org.capacityobservatory.log.JudgedLine;
import org.capacityobservatory.log.QuarantineReason;
import org.capacityobservatory.log.RawSample;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of dead letters and of books, in the shape of the tables {@code dead_letters} and {@code
 * pipeline_books}. A field without a value is left out.
 */
final class ReportCodec {
  private static final JsonFactory JSON = new JsonFactory();

  private ReportCodec() {}

  @FunctionalInterface
  private interface Body {
    void write(JsonGenerator json) throws IOException;
  }

  static byte[] deadLetter(
      UUID id,
      String source,
      long generation,
      JudgedLine line,
      QuarantineReason reason,
      RawSample raw,
      boolean rawWithheld,
      long readAtMillis) {
    return object(
        json -> {
          json.writeStringField("id", id.toString());
          json.writeStringField("stage", "ship");
          json.writeStringField("source", source);
          json.writeNumberField("generation", generation);
          json.writeNumberField("position", line.position());
          json.writeStringField("reason", reason.wireName());
          writeIfKnown(json, "detail", line.detail());
          // The hash too: who knows the rest of a line finds a user's id by trying them all.
          json.writeStringField("raw_base64", rawWithheld ? "" : base64(raw.head()));
          json.writeNumberField("raw_length", raw.length());
          json.writeStringField("raw_sha256", rawWithheld ? "" : raw.sha256());
          if (EventTime.isTold(line)) {
            json.writeNumberField("event_at", line.timeMillis());
          }
          json.writeNumberField("read_at", readAtMillis);
        });
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  static byte[] book(SourceStatus source, String identity, long writtenAtMillis) {
    return object(
        json -> {
          Books books = source.books();
          json.writeStringField("source", source.source());
          json.writeStringField("shipper", identity);
          json.writeNumberField("written_at", writtenAtMillis);
          json.writeNumberField("generation", source.generation());
          json.writeNumberField("lines_read", books.linesRead());
          json.writeNumberField("acknowledged", books.acknowledged());
          json.writeNumberField("quarantined", books.quarantined());
          json.writeNumberField("not_ours", books.notOurs());
          json.writeNumberField("pending", books.pending());
          json.writeNumberField("bytes_read", books.bytesRead());
          json.writeNumberField("behind_bytes", source.behindBytes());
          json.writeNumberField("dropped_at_source", books.droppedAtSource());
          Long clockMillis = source.clockMillis();
          if (clockMillis != null) {
            json.writeNumberField("clock", clockMillis);
          }
          json.writeBooleanField("at_end", source.atEnd());
          json.writeStringField("state", source.state().wireName());
          writeIfKnown(json, "problem", source.problem());
        });
  }

  private static void writeIfKnown(JsonGenerator json, String name, @Nullable String value)
      throws IOException {
    if (value != null) {
      json.writeStringField(name, value);
    }
  }

  private static byte[] object(Body body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      body.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory can't fail", e);
    }
    return out.toByteArray();
  }
}
