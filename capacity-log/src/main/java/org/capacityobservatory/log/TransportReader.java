package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Takes off the envelope of the transports that write each entry as a JSON object and name it.
 *
 * <ul>
 *   <li>journald ({@code journalctl -o json}): an object with {@code __REALTIME_TIMESTAMP} (µs).
 *       {@code MESSAGE} is a string, or a list of bytes where it isn't UTF-8, or null where it is
 *       over 4096 bytes and {@code --all} wasn't given. An entry is a piece where {@code
 *       _LINE_BREAK} is {@code line-max} (journald cuts at 48 KiB) or {@code
 *       CONTAINER_PARTIAL_MESSAGE} is {@code true} (Docker's journald driver cuts at 16 KiB).
 *   <li>CloudWatch Logs: an object of {@code timestamp} (ms), {@code message}, and at least one of
 *       {@code id}, {@code eventId}, {@code ingestionTime}, {@code logStreamName}; nothing else.
 * </ul>
 *
 * <p>One object serves many lines, one at a time: results are valid until the next {@link #read}.
 */
final class TransportReader {
  private static final JsonFactory JSON = new JsonFactory();
  private static final byte[] NO_TEXT = {};

  /** The keys that a CloudWatch event may begin with. */
  private static final byte[][] CLOUDWATCH_STARTS = {
    "id\"".getBytes(US_ASCII),
    "eventId\"".getBytes(US_ASCII),
    "timestamp\"".getBytes(US_ASCII),
    "message\"".getBytes(US_ASCII),
    "ingestionTime\"".getBytes(US_ASCII),
    "logStreamName\"".getBytes(US_ASCII)
  };

  private byte[] text = NO_TEXT;
  private int size;
  private long timeMillis;
  private String stream = "";
  private boolean piece;
  private boolean lacksText;
  private @Nullable EntryName name;

  /** Reads one physical line; false where it is none of these, and then nothing else is told. */
  boolean read(byte[] b, int from, int to) {
    if (to - from < 4 || b[from] != '{' || b[from + 1] != '"') {
      return false;
    }
    byte first = b[from + 2];
    boolean journald = first == '_' || (first >= 'A' && first <= 'Z');
    if (!journald && !mayBeCloudWatch(b, from + 2, to)) {
      return false;
    }
    try (JsonParser json = JSON.createParser(b, from, to - from)) {
      json.nextToken();
      boolean taken = journald ? readJournald(json) : readCloudWatch(json);
      return taken && json.nextToken() == null;
    } catch (IOException e) {
      // Not JSON, or cut: as a bare line, the verdict on it names what is wrong.
      return false;
    }
  }

  private static boolean mayBeCloudWatch(byte[] b, int from, int to) {
    for (byte[] start : CLOUDWATCH_STARTS) {
      if (to - from >= start.length
          && Arrays.equals(b, from, from + start.length, start, 0, start.length)) {
        return true;
      }
    }
    return false;
  }

  private boolean readJournald(JsonParser json) throws IOException {
    Journal entry = new Journal();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String key = json.currentName();
      JsonToken value = json.nextToken();
      if (key.equals("MESSAGE")) {
        entry.hasMessage = true;
        entry.message = message(json, value);
      } else if (value == JsonToken.VALUE_STRING) {
        entry.take(key, json.getText());
      } else {
        json.skipChildren();
      }
    }
    if (entry.micros < 0) {
      return false;
    }
    timeMillis = entry.micros / 1000;
    name = entry.cursor == null ? null : new EntryName(EntryName.JOURNALD, entry.cursor);
    piece = entry.cut;
    stream = entry.partialId.isEmpty() ? entry.streamId : entry.partialId;
    lacksText = entry.hasMessage && entry.message == null;
    takeText(entry.message == null ? NO_TEXT : entry.message);
    return true;
  }

  /** What matters of one journal entry. */
  private static final class Journal {
    private boolean hasMessage;
    private byte @Nullable [] message;
    private @Nullable String cursor;
    private long micros = -1;
    private boolean cut;
    private String partialId = "";
    private String streamId = "";

    private void take(String key, String value) {
      switch (key) {
        case "__CURSOR" -> cursor = value;
        case "__REALTIME_TIMESTAMP" -> micros = digits(value);
        case "_LINE_BREAK" -> cut |= value.equals("line-max");
        case "CONTAINER_PARTIAL_MESSAGE" -> cut |= value.equals("true");
        case "CONTAINER_PARTIAL_ID" -> partialId = value;
        case "_STREAM_ID" -> streamId = value;
        default -> {
          // Fields that say nothing of the line.
        }
      }
    }

    private static long digits(String value) {
      boolean number = value.length() <= 18 && value.chars().allMatch(c -> c >= '0' && c <= '9');
      return number && !value.isEmpty() ? Long.parseLong(value) : -1;
    }
  }

  /** The bytes of a MESSAGE in any of its forms; several MESSAGE fields stand under each other. */
  private static byte @Nullable [] message(JsonParser json, JsonToken value) throws IOException {
    if (value == JsonToken.VALUE_STRING) {
      return utf8(json.getText());
    }
    if (value != JsonToken.START_ARRAY) {
      json.skipChildren();
      return null;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JsonToken item = json.nextToken();
    while (item != JsonToken.END_ARRAY) {
      if (item == JsonToken.VALUE_NUMBER_INT) {
        bytes.write(json.getIntValue());
      } else {
        byte[] one = message(json, item);
        if (one == null) {
          json.skipChildren();
        } else {
          bytes.write(bytes.size() == 0 ? NO_TEXT : new byte[] {'\n'});
          bytes.write(one);
        }
      }
      item = json.nextToken();
    }
    return bytes.toByteArray();
  }

  private boolean readCloudWatch(JsonParser json) throws IOException {
    boolean hasTime = false;
    boolean known = false;
    byte[] message = null;
    name = null;
    stream = "";
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String key = json.currentName();
      JsonToken value = json.nextToken();
      switch (key) {
        case "id", "eventId" -> {
          known = true;
          if (value == JsonToken.VALUE_STRING && !json.getText().isEmpty()) {
            name = new EntryName(EntryName.CLOUDWATCH, json.getText());
          }
        }
        case "timestamp" -> {
          hasTime = value == JsonToken.VALUE_NUMBER_INT;
          timeMillis = hasTime ? json.getLongValue() : 0;
        }
        case "message" -> message = value == JsonToken.VALUE_STRING ? utf8(json.getText()) : null;
        case "logStreamName" -> {
          known = true;
          stream = value == JsonToken.VALUE_STRING ? json.getText() : "";
        }
        case "ingestionTime" -> known = true;
        case "extractedFields" -> json.skipChildren();
        default -> {
          return false;
        }
      }
    }
    if (!known || !hasTime || message == null) {
      return false;
    }
    piece = false;
    lacksText = false;
    takeText(message);
    return true;
  }

  /** There is no UTF-8 for a lone surrogate: it stays the six characters of its escape. */
  private static byte[] utf8(String text) {
    return LoneSurrogates.escaped(text).getBytes(UTF_8);
  }

  /** The end of the line is no part of it. */
  private void takeText(byte[] bytes) {
    text = bytes;
    size =
        !piece && bytes.length > 0 && bytes[bytes.length - 1] == '\n'
            ? bytes.length - 1
            : bytes.length;
  }

  /** The array that holds the text, from 0 to {@link #size}. */
  byte[] text() {
    return text;
  }

  int size() {
    return size;
  }

  long timeMillis() {
    return timeMillis;
  }

  /** What pieces are joined by, within the source. */
  String stream() {
    return stream;
  }

  boolean isPiece() {
    return piece;
  }

  boolean lacksText() {
    return lacksText;
  }

  @Nullable EntryName name() {
    return name;
  }
}
