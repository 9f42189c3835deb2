package org.capacityobservatory.calibration;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes trees of maps, lists and scalars as JSON: same tree, same bytes. */
public final class Json {
  /** Figures are means of simulations; more digits would only pretend. */
  private static final MathContext DIGITS = new MathContext(7);

  private Json() {}

  /** The tree as indented JSON with a line end; NaN and infinities become null. */
  public static String write(Object tree) {
    return write(tree, true) + "\n";
  }

  static String compact(Object tree) {
    return write(tree, false);
  }

  private static String write(Object tree, boolean indented) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      if (indented) {
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        json.setPrettyPrinter(
            new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter));
      }
      value(json, tree);
    } catch (IOException e) {
      throw new UncheckedIOException("Writing into memory failed", e);
    }
    return text.toString();
  }

  private static void value(JsonGenerator json, @Nullable Object value) throws IOException {
    if (value instanceof Map<?, ?> map) {
      json.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        json.writeFieldName(String.valueOf(entry.getKey()));
        value(json, entry.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof Iterable<?> list) {
      json.writeStartArray();
      for (Object item : list) {
        value(json, item);
      }
      json.writeEndArray();
    } else if (value instanceof Double number) {
      number(json, number);
    } else if (value instanceof Long number) {
      json.writeNumber(number);
    } else if (value instanceof Integer number) {
      json.writeNumber(number);
    } else if (value instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else if (value == null) {
      json.writeNull();
    } else {
      json.writeString(value.toString());
    }
  }

  private static void number(JsonGenerator json, double number) throws IOException {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      json.writeNull();
    } else if (number == Math.rint(number) && Math.abs(number) < 1e15) {
      json.writeNumber((long) number);
    } else {
      json.writeNumber(new BigDecimal(number, DIGITS).stripTrailingZeros().toPlainString());
    }
  }
}
