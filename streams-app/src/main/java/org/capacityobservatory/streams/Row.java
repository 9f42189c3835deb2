package org.capacityobservatory.streams;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One row of a table as a JSON object; a null value leaves its key out, as in the lines. */
final class Row {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int USUAL_BYTES = 1024;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
  private final JsonGenerator json;

  Row() {
    try {
      json = JSON.createGenerator(bytes);
      json.writeStartObject();
    } catch (IOException e) {
      throw inMemory(e);
    }
  }

  Row text(String column, @Nullable String value) {
    try {
      if (value != null) {
        json.writeStringField(column, value);
      }
      return this;
    } catch (IOException e) {
      throw inMemory(e);
    }
  }

  Row number(String column, @Nullable Long value) {
    try {
      if (value != null) {
        json.writeNumberField(column, value);
      }
      return this;
    } catch (IOException e) {
      throw inMemory(e);
    }
  }

  Row flag(String column, @Nullable Boolean value) {
    try {
      if (value != null) {
        json.writeBooleanField(column, value);
      }
      return this;
    } catch (IOException e) {
      throw inMemory(e);
    }
  }

  Row texts(String column, List<String> values) {
    try {
      json.writeArrayFieldStart(column);
      for (String value : values) {
        json.writeString(value);
      }
      json.writeEndArray();
      return this;
    } catch (IOException e) {
      throw inMemory(e);
    }
  }

  Row numbers(String column, int[] values) {
    try {
      json.writeFieldName(column);
      json.writeArray(values, 0, values.length);
      return this;
    } catch (IOException e) {
      throw inMemory(e);
    }
  }

  Row numbers(String column, long[] values) {
    try {
      json.writeFieldName(column);
      json.writeArray(values, 0, values.length);
      return this;
    } catch (IOException e) {
      throw inMemory(e);
    }
  }

  byte[] toBytes() {
    try {
      json.writeEndObject();
      json.close();
      return bytes.toByteArray();
    } catch (IOException e) {
      throw inMemory(e);
    }
  }

  private static UncheckedIOException inMemory(IOException e) {
    return new UncheckedIOException("Writing JSON to memory failed", e);
  }
}
