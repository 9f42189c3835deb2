package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.capacityobservatory.log.ResumePoint;
import org.jspecify.annotations.Nullable;

/**
 * The positions topic's keys ({@code identity|source|generation}) and values (JSON).
 *
 * <p>docs/decisions/0004-positions-and-books.md lists the fields. A value of another version is
 * refused: reading on from a half-understood position would lose or double lines in silence.
 */
final class PositionCodec {
  /**
   * Of a file's record; version 1 knew neither {@code continued} nor {@code long_line}. That of a
   * feed's is {@link FeedCodec#VERSION}.
   */
  static final int VERSION = 2;

  private static final JsonFactory JSON = new JsonFactory();

  private PositionCodec() {}

  static byte[] key(String identity, String source, long generation) {
    return (identity + '|' + source + '|' + generation).getBytes(UTF_8);
  }

  static byte[] key(String identity, PositionRecord at) {
    return at instanceof GenerationRecord file
        ? key(identity, file.source(), file.generation())
        : key(identity, at.source(), FeedCodec.KEY_NUMBER);
  }

  /** Whether a key is one of this shipper's. */
  static boolean isOf(String identity, byte[] key) {
    return new String(key, UTF_8).startsWith(identity + '|');
  }

  /**
   * The key of the record that says that this shipper has begun: written before its first line, so
   * that an emptied topic isn't taken for a beginning.
   */
  static byte[] markerKey(String identity) {
    return (identity + '|').getBytes(UTF_8);
  }

  static byte[] marker() {
    return ("{\"v\":" + VERSION + '}').getBytes(UTF_8);
  }

  /** Whether a key of this shipper is its marker's. */
  static boolean isMarker(byte[] key) {
    return key[key.length - 1] == '|';
  }

  /** A key without its identity. */
  static String generationName(byte[] key) {
    String text = new String(key, UTF_8);
    return text.substring(text.indexOf('|') + 1);
  }

  static byte[] value(PositionRecord at) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      if (at instanceof FeedRecord feed) {
        FeedCodec.write(json, feed);
      } else if (at instanceof GenerationRecord file) {
        write(json, file);
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory can't fail", e);
    }
    return out.toByteArray();
  }

  private static void write(JsonGenerator json, GenerationRecord at) throws IOException {
    json.writeNumberField("v", VERSION);
    json.writeNumberField("device", at.id().device());
    json.writeNumberField("inode", at.id().inode());
    json.writeNumberField("head_length", at.headLength());
    json.writeStringField("head_sha256", at.headSha256());
    json.writeStringField("path", at.path());
    json.writeBooleanField("compressed", at.compressed());
    json.writeNumberField("size", at.size());
    writePlace(json, at.place());
    json.writeBooleanField("ended", at.ended());
    writeBooks(json, at.books());
    Long clockMillis = at.clockMillis();
    if (clockMillis != null) {
      json.writeNumberField("clock", clockMillis);
    }
  }

  private static void writePlace(JsonGenerator json, ResumePoint place) throws IOException {
    json.writeNumberField("position", place.position());
    writePieces(json, "held", place.held());
    if (!place.continued().isEmpty()) {
      writePieces(json, "continued", place.continued());
    }
    ResumePoint.LongLine line = place.longLine();
    if (line != null) {
      json.writeObjectFieldStart("long_line");
      json.writeNumberField("start", line.start());
      json.writeStringField("sha256_state", line.sha256State());
      json.writeEndObject();
    }
  }

  private static void writePieces(JsonGenerator json, String name, Map<String, Long> pieces)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, Long> piece : new TreeMap<>(pieces).entrySet()) {
      json.writeNumberField(piece.getKey(), piece.getValue());
    }
    json.writeEndObject();
  }

  static void writeBooks(JsonGenerator json, Books books) throws IOException {
    json.writeObjectFieldStart("books");
    json.writeNumberField("lines_read", books.linesRead());
    json.writeNumberField("acknowledged", books.acknowledged());
    json.writeNumberField("quarantined", books.quarantined());
    json.writeNumberField("not_ours", books.notOurs());
    json.writeNumberField("pending", books.pending());
    json.writeNumberField("bytes_read", books.bytesRead());
    json.writeNumberField("dropped_at_source", books.droppedAtSource());
    json.writeNumberField("future_times", books.futureTimes());
    json.writeEndObject();
  }

  /**
   * Reads one record.
   *
   * @param where the record's place, for the failure's sentence
   * @throws ShipperException ({@code POSITIONS_UNREADABLE}) if any of it isn't understood
   */
  static PositionRecord read(byte[] keyBytes, byte[] value, String where) {
    String key = new String(keyBytes, UTF_8);
    int first = key.indexOf('|');
    int last = key.lastIndexOf('|');
    try {
      if (last <= first) {
        throw new IOException("its key lacks a part");
      }
      return record(key.substring(first + 1, last), Long.parseLong(key.substring(last + 1)), value);
    } catch (IOException | RuntimeException e) {
      throw new ShipperException(
          ShipperException.Kind.POSITIONS_UNREADABLE,
          "The position record at "
              + where
              + " (key "
              + key
              + ") can't be read: "
              + firstLine(e.getMessage())
              + ". Nothing was shipped; use the shipper version that wrote it, or move it aside and"
              + " choose a new identity",
          e);
    }
  }

  private static String firstLine(@Nullable String message) {
    return message == null ? "no JSON" : message.lines().findFirst().orElse("no JSON");
  }

  private static PositionRecord record(String source, long generation, byte[] value)
      throws IOException {
    Map<String, Object> top = object(value);
    long version = number(top, "v");
    if (version == FeedCodec.VERSION) {
      return FeedCodec.record(source, top);
    }
    if (version < 1 || version > VERSION) {
      throw new IOException(
          "it has format version %d, this shipper knows versions 1 to %d"
              .formatted(version, FeedCodec.VERSION));
    }
    return new GenerationRecord(
        source,
        generation,
        new FileId(number(top, "device"), number(top, "inode")),
        Math.toIntExact(number(top, "head_length")),
        field(top, "head_sha256", String.class),
        field(top, "path", String.class),
        field(top, "compressed", Boolean.class),
        number(top, "size"),
        place(top),
        field(top, "ended", Boolean.class),
        books(top),
        top.containsKey("clock") ? number(top, "clock") : null);
  }

  static Books books(Map<String, Object> top) throws IOException {
    Map<String, Object> books = child(top, "books");
    return new Books(
        number(books, "lines_read"),
        number(books, "acknowledged"),
        number(books, "quarantined"),
        number(books, "not_ours"),
        number(books, "pending"),
        number(books, "bytes_read"),
        number(books, "dropped_at_source"),
        number(books, "future_times"));
  }

  private static ResumePoint place(Map<String, Object> top) throws IOException {
    ResumePoint.LongLine longLine = null;
    if (top.containsKey("long_line")) {
      Map<String, Object> line = child(top, "long_line");
      longLine =
          new ResumePoint.LongLine(
              number(line, "start"), field(line, "sha256_state", String.class));
    }
    return new ResumePoint(
        number(top, "position"),
        pieces(child(top, "held")),
        top.containsKey("continued") ? pieces(child(top, "continued")) : Map.of(),
        longLine);
  }

  private static Map<String, Long> pieces(Map<String, Object> object) throws IOException {
    Map<String, Long> pieces = new HashMap<>();
    for (String stream : object.keySet()) {
      pieces.put(stream, number(object, stream));
    }
    return pieces;
  }

  static long number(Map<String, Object> object, String name) throws IOException {
    return field(object, name, Long.class);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> child(Map<String, Object> object, String name)
      throws IOException {
    return field(object, name, Map.class);
  }

  static <T> T field(Map<String, Object> object, String name, Class<T> type) throws IOException {
    Object value = object.get(name);
    if (!type.isInstance(value)) {
      throw new IOException("its field " + name + " is missing or of another type");
    }
    return type.cast(value);
  }

  private static Map<String, Object> object(byte[] value) throws IOException {
    try (JsonParser json = JSON.createParser(value)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("it is no JSON object");
      }
      Map<String, Object> object = object(json);
      if (json.nextToken() != null) {
        throw new IOException("it goes on after its JSON object");
      }
      return object;
    }
  }

  private static Map<String, Object> object(JsonParser json) throws IOException {
    Map<String, Object> object = new HashMap<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      JsonToken token = json.nextToken();
      switch (token) {
        case START_OBJECT -> object.put(name, object(json));
        case VALUE_NUMBER_INT -> object.put(name, json.getLongValue());
        case VALUE_STRING -> object.put(name, json.getText());
        case VALUE_TRUE, VALUE_FALSE -> object.put(name, json.getBooleanValue());
        default -> throw new IOException("its field " + name + " is " + token);
      }
    }
    return object;
  }
}
