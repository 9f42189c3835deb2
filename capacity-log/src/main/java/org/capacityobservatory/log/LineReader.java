package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.capacityobservatory.log.LineException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Walks over one line's keys, hands each value to the field that knows it, and keeps the rest.
 *
 * <p>A value of the wrong type is read as null, its key is noted in {@link #typeErrors}, and the
 * value is kept verbatim among the unknown.
 */
final class LineReader implements FieldTable.Value {
  /** How much of the unknown is kept, characters; beyond it only keys and sizes are. */
  static final int MAX_UNKNOWN_CHARS = 16 << 10;

  /** Keys longer than this, or an unknown part full of keys, would make the bound worthless. */
  private static final int MAX_KEY_CHARS = 256;

  private final JsonParser json;
  private final byte[] line;
  private final boolean escapes;
  private @Nullable List<String> nullKeys;
  private @Nullable List<String> typeErrors;
  private @Nullable StringBuilder unknown;
  private int unknownLeftOut;
  private @Nullable Set<String> unknownKeys;
  private String key = "";
  private boolean misfit;

  /**
   * Makes a reader.
   *
   * @param json at the line's first key, or behind its first value
   * @param escapes whether there is any escape in the line: without one no text needs a look
   */
  LineReader(JsonParser json, byte[] line, boolean escapes) {
    this.json = json;
    this.line = line;
    this.escapes = escapes;
  }

  /**
   * Reads all keys to the end of the line.
   *
   * @param firstKey the key at which the parser stands; null at the object's end
   * @param eventSeen whether the event has been passed
   */
  <D> void readInto(D draft, FieldTable<D> fields, @Nullable String firstKey, boolean eventSeen)
      throws IOException, LineException {
    long seen = 0;
    boolean event = eventSeen;
    for (String at = firstKey; at != null; at = json.nextFieldName()) {
      key = at;
      FieldTable.Entry<D> known = fields.get(at);
      boolean twice;
      if (known != null) {
        twice = (seen & known.bit()) != 0;
        seen |= known.bit();
      } else if (at.equals("event")) {
        twice = event;
        event = true;
      } else {
        twice = !isNewUnknownKey(at);
      }
      if (twice) {
        throw new LineException(Reason.DUP_KEY, LineParser.shortened(at) + " stands twice");
      }
      readValue(draft, known);
    }
    // nextFieldName() gives null at the end, and also where a value stands that is no key.
    if (json.currentToken() != JsonToken.END_OBJECT || json.nextToken() != null) {
      throw new LineException(Reason.BAD_JSON, "text follows the object");
    }
  }

  private <D> void readValue(D draft, FieldTable.@Nullable Entry<D> known)
      throws IOException, LineException {
    if (json.nextToken() == JsonToken.VALUE_NULL) {
      nullKeys = with(nullKeys);
    } else if (known != null) {
      misfit = false;
      int start = json.currentToken().isStructStart() ? valueStart() : -1;
      known.field().read(draft, this);
      if (misfit) {
        typeErrors = with(typeErrors);
        keepUnknown(start < 0 ? valueStart() : start);
      }
    } else if (!key.equals("event")) {
      keepUnknown(valueStart());
    }
  }

  private boolean isNewUnknownKey(String at) {
    if (unknownKeys == null) {
      unknownKeys = new HashSet<>();
    }
    return unknownKeys.add(at);
  }

  private List<String> with(@Nullable List<String> keys) {
    List<String> longer = keys == null ? new ArrayList<>(2) : keys;
    longer.add(LoneSurrogates.escaped(key));
    return longer;
  }

  private void keepUnknown(int start) throws IOException {
    String value = verbatimFrom(start);
    StringBuilder kept = unknown == null ? new StringBuilder() : unknown;
    unknown = kept;
    if (kept.length() + key.length() + value.length() > MAX_UNKNOWN_CHARS) {
      if (kept.length() > MAX_UNKNOWN_CHARS || key.length() > MAX_KEY_CHARS) {
        unknownLeftOut++;
        return;
      }
      value = "\"(left out: %d characters)\"".formatted(value.length());
    }
    kept.append(kept.isEmpty() ? '{' : ',').append('"');
    JsonStringEncoder.getInstance().quoteAsString(LoneSurrogates.escaped(key), kept);
    kept.append("\":").append(value);
  }

  /** The keys whose value is null, in the line's order. */
  List<String> nullKeys() {
    return nullKeys == null ? List.of() : List.copyOf(nullKeys);
  }

  /** The known keys whose value is of another type, in the line's order. */
  List<String> typeErrors() {
    return typeErrors == null ? List.of() : List.copyOf(typeErrors);
  }

  /** A JSON object of all that no field took; empty when there is nothing. */
  String unknown() {
    if (unknown == null) {
      return "";
    }
    if (unknownLeftOut > 0) {
      unknown
          .append(unknown.isEmpty() ? '{' : ',')
          .append("\"(left out)\":\"%d keys\"".formatted(unknownLeftOut));
      unknownLeftOut = 0;
    }
    return unknown + "}";
  }

  @Override
  public @Nullable String text() throws IOException {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      misfit = true;
      return null;
    }
    return escapes ? LoneSurrogates.escaped(json.getText()) : json.getText();
  }

  @Override
  public @Nullable Boolean flag() {
    return switch (json.currentToken()) {
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> {
        misfit = true;
        yield null;
      }
    };
  }

  @Override
  public @Nullable Long number(long max) throws IOException, LineException {
    JsonToken token = json.currentToken();
    if (token == JsonToken.VALUE_NUMBER_INT) {
      long value = isLong() ? json.getLongValue() : -1;
      if (value < 0 || value > max) {
        throw rangeError(max);
      }
      return value;
    }
    if (token == JsonToken.VALUE_NUMBER_FLOAT) {
      double value = json.getDoubleValue();
      if (value < 0 || value > max) {
        throw rangeError(max);
      }
    }
    misfit = true;
    return null;
  }

  private boolean isLong() throws IOException {
    return json.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
  }

  @Override
  public List<String> texts() throws IOException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      misfit = true;
      return List.of();
    }
    List<String> texts = new ArrayList<>(5);
    while (json.nextToken() != JsonToken.END_ARRAY) {
      String text = text();
      if (text == null) {
        json.skipChildren();
      } else {
        texts.add(text);
      }
    }
    return misfit ? List.of() : List.copyOf(texts);
  }

  @Override
  public String object() throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      misfit = true;
      return "{}";
    }
    return verbatimFrom(valueStart());
  }

  private int valueStart() {
    return (int) json.currentTokenLocation().getByteOffset();
  }

  /** The line's own bytes from a position to the end of this value. */
  private String verbatimFrom(int start) throws IOException {
    json.skipChildren();
    json.finishToken();
    int end = (int) json.currentLocation().getByteOffset();
    return new String(line, start, end - start, UTF_8);
  }

  private LineException rangeError(long max) {
    return new LineException(
        Reason.RANGE_ERROR, LineParser.shortened(key) + " is not within 0 to " + max);
  }
}
