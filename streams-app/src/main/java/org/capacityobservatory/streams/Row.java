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
    return value == null ? this : write(() -> json.writeStringField(column, value));
  }

  Row number(String column, @Nullable Long value) {
    return value == null ? this : write(() -> json.writeNumberField(column, value));
  }

  Row flag(String column, @Nullable Boolean value) {
    return value == null ? this : write(() -> json.writeBooleanField(column, value));
  }

  Row texts(String column, List<String> values) {
    return write(
        () -> {
          json.writeFieldName(column);
          json.writeArray(values.toArray(String[]::new), 0, values.size());
        });
  }

  Row numbers(String column, int[] values) {
    return write(
        () -> {
          json.writeFieldName(column);
          json.writeArray(values, 0, values.length);
        });
  }

  Row numbers(String column, long[] values) {
    return write(
        () -> {
          json.writeFieldName(column);
          json.writeArray(values, 0, values.length);
        });
  }

  byte[] toBytes() {
    write(
        () -> {
          json.writeEndObject();
          json.close();
        });
    return bytes.toByteArray();
  }

  private interface Step {
    void run() throws IOException;
  }

  private Row write(Step step) {
    try {
      step.run();
      return this;
    } catch (IOException e) {
      throw inMemory(e);
    }
  }

  private static UncheckedIOException inMemory(IOException e) {
    return new UncheckedIOException("Writing JSON to memory failed", e);
  }
}
