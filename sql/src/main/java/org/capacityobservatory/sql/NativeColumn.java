package org.capacityobservatory.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One column of a block in ClickHouse's format Native, filled value by value from JSON.
 *
 * <p>A column hears only of rows that have a value for it; those between are made up for when the
 * next comes, or the end: NULL where the type has it, else the type's zero, as an omitted key
 * means.
 */
abstract class NativeColumn {
  private static final Pattern WRAPPED =
      Pattern.compile("(?<wrapper>LowCardinality|Nullable|Array)\\((?<inner>.*)\\)");

  private int rows;

  /**
   * A column for a type as {@code system.columns} writes it.
   *
   * @throws IllegalArgumentException when rows of this type can't be sent in this way
   */
  static NativeColumn of(String type) {
    Matcher wrapped = WRAPPED.matcher(type);
    if (wrapped.matches()) {
      NativeColumn inner = of(wrapped.group("inner"));
      return switch (wrapped.group("wrapper")) {
        case "Nullable" -> new OrNull(inner);
        case "Array" -> new ArrayOf(inner);
        // The server makes the dictionary itself, from plain values.
        default -> inner;
      };
    }
    String name = type.replaceFirst("\\(.*", "");
    return switch (name) {
      case "String" -> new Text();
      case "UUID" -> new Id();
      case "Bool" -> new Flag();
      case "UInt8" -> new Unsigned(type, 1);
      case "UInt16" -> new Unsigned(type, 2);
      case "UInt32", "DateTime" -> new Unsigned(type, 4);
      // Times are sent as their ticks, which for these columns are never below the epoch.
      case "UInt64", "DateTime64" -> new Unsigned(type, 8);
      default -> throw new IllegalArgumentException("No Native form for the type " + type);
    };
  }

  /** The type that the block declares; the server converts to the table's. */
  abstract String type();

  /** Takes the value that the parser stands on. */
  abstract void read(JsonParser json) throws IOException;

  abstract void readNothing();

  abstract void writeTo(Bytes out);

  /**
   * Takes the value of a row.
   *
   * @param row from 0
   * @throws RowException when the row has a value already, or this one isn't of the column's type
   */
  final void set(int row, JsonParser json) throws IOException {
    padTo(row);
    read(json);
    rows = row + 1;
  }

  /** Takes a number that isn't JSON. */
  final void set(int row, long value) {
    padTo(row);
    readNumber(value);
    rows = row + 1;
  }

  /** Takes a text that isn't JSON. */
  final void set(int row, String value) {
    padTo(row);
    readText(value);
    rows = row + 1;
  }

  void readNumber(long value) {
    throw new RowException("is no " + type() + ": " + value);
  }

  void readText(String value) {
    throw new RowException("is no " + type() + ": " + value);
  }

  /** Makes up for rows before this one. */
  final void padTo(int row) {
    if (row < rows) {
      throw new RowException("is there twice");
    }
    for (; rows < row; rows++) {
      readNothing();
    }
  }

  private static RowException wrongKind(String type, JsonParser json) throws IOException {
    return new RowException("is no " + type + ": " + json.getText());
  }

  private static final class Unsigned extends NativeColumn {
    private final String type;
    private final int width;
    private final Bytes values = new Bytes();

    Unsigned(String type, int width) {
      this.type = type;
      this.width = width;
    }

    @Override
    String type() {
      return type;
    }

    @Override
    void read(JsonParser json) throws IOException {
      if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
        throw wrongKind(type, json);
      }
      long value =
          switch (json.getNumberType()) {
            case INT, LONG -> json.getLongValue();
            default -> beyondLong(json);
          };
      boolean fits = width == 8 || value >>> (8 * width) == 0;
      if (!fits || (value < 0 && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER)) {
        throw wrongKind(type, json);
      }
      values.number(value, width);
    }

    @Override
    void readNumber(long value) {
      values.number(value, width);
    }

    private long beyondLong(JsonParser json) throws IOException {
      BigInteger value = json.getBigIntegerValue();
      if (value.signum() < 0 || value.bitLength() > 64) {
        throw wrongKind(type, json);
      }
      return value.longValue();
    }

    @Override
    void readNothing() {
      values.number(0, width);
    }

    @Override
    void writeTo(Bytes out) {
      out.bytes(values);
    }
  }

  private static final class Flag extends NativeColumn {
    private final Bytes values = new Bytes();

    @Override
    String type() {
      return "Bool";
    }

    @Override
    void read(JsonParser json) throws IOException {
      if (!json.currentToken().isBoolean()) {
        throw wrongKind(type(), json);
      }
      values.number(json.getBooleanValue() ? 1 : 0, 1);
    }

    @Override
    void readNothing() {
      values.number(0, 1);
    }

    @Override
    void writeTo(Bytes out) {
      out.bytes(values);
    }
  }

  private static final class Text extends NativeColumn {
    private final Bytes values = new Bytes();

    @Override
    String type() {
      return "String";
    }

    @Override
    void read(JsonParser json) throws IOException {
      if (json.currentToken() != JsonToken.VALUE_STRING) {
        throw wrongKind(type(), json);
      }
      values.text(json.getTextCharacters(), json.getTextOffset(), json.getTextLength());
    }

    @Override
    void readText(String value) {
      values.text(value);
    }

    @Override
    void readNothing() {
      values.varint(0);
    }

    @Override
    void writeTo(Bytes out) {
      out.bytes(values);
    }
  }

  /** Two numbers of 64 bits, the upper half first. */
  private static final class Id extends NativeColumn {
    private final Bytes values = new Bytes();

    @Override
    String type() {
      return "UUID";
    }

    @Override
    void read(JsonParser json) throws IOException {
      UUID id;
      try {
        id = UUID.fromString(json.getText());
      } catch (IllegalArgumentException e) {
        throw new RowException("is no UUID: " + json.getText());
      }
      values.number(id.getMostSignificantBits(), 8);
      values.number(id.getLeastSignificantBits(), 8);
    }

    @Override
    void readNothing() {
      values.number(0, 8);
      values.number(0, 8);
    }

    @Override
    void writeTo(Bytes out) {
      out.bytes(values);
    }
  }

  /** A byte a row that says whether it is NULL, then the values with a zero for each NULL. */
  private static final class OrNull extends NativeColumn {
    private final NativeColumn values;
    private final Bytes nulls = new Bytes();

    OrNull(NativeColumn values) {
      this.values = values;
    }

    @Override
    String type() {
      return "Nullable(" + values.type() + ")";
    }

    @Override
    void read(JsonParser json) throws IOException {
      if (json.currentToken() == JsonToken.VALUE_NULL) {
        readNothing();
        return;
      }
      values.read(json);
      nulls.number(0, 1);
    }

    @Override
    void readNothing() {
      nulls.number(1, 1);
      values.readNothing();
    }

    @Override
    void writeTo(Bytes out) {
      out.bytes(nulls);
      values.writeTo(out);
    }
  }

  /** Where each row's values end, then all values. */
  private static final class ArrayOf extends NativeColumn {
    private final NativeColumn values;
    private final Bytes ends = new Bytes();
    private long end;

    ArrayOf(NativeColumn values) {
      this.values = values;
    }

    @Override
    String type() {
      return "Array(" + values.type() + ")";
    }

    @Override
    void read(JsonParser json) throws IOException {
      if (json.currentToken() != JsonToken.START_ARRAY) {
        throw wrongKind(type(), json);
      }
      while (json.nextToken() != JsonToken.END_ARRAY) {
        values.read(json);
        end++;
      }
      ends.number(end, 8);
    }

    @Override
    void readNothing() {
      ends.number(end, 8);
    }

    @Override
    void writeTo(Bytes out) {
      out.bytes(ends);
      values.writeTo(out);
    }
  }

  /** Bytes that grow. */
  static final class Bytes {
    private static final VarHandle LITTLE_ENDIAN =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int FIRST = 1 << 10;
    private byte[] held = new byte[FIRST];
    private int used;

    void number(long value, int width) {
      makeRoom(Long.BYTES);
      // The bytes beyond the width are written over by what comes next.
      LITTLE_ENDIAN.set(held, used, value);
      used += width;
    }

    void varint(long value) {
      makeRoom(10);
      long rest = value;
      while (rest >>> 7 != 0) {
        held[used++] = (byte) (rest | 0x80);
        rest >>>= 7;
      }
      held[used++] = (byte) rest;
    }

    void text(String value) {
      raw(value.getBytes(UTF_8));
    }

    void text(char[] chars, int from, int length) {
      for (int i = from; i < from + length; i++) {
        if (chars[i] >= 0x80) {
          raw(new String(chars, from, length).getBytes(UTF_8));
          return;
        }
      }
      varint(length);
      makeRoom(length);
      for (int i = from; i < from + length; i++) {
        held[used++] = (byte) chars[i];
      }
    }

    private void raw(byte[] text) {
      varint(text.length);
      makeRoom(text.length);
      System.arraycopy(text, 0, held, used, text.length);
      used += text.length;
    }

    void bytes(Bytes other) {
      makeRoom(other.used);
      System.arraycopy(other.held, 0, held, used, other.used);
      used += other.used;
    }

    private void makeRoom(int more) {
      if (used + more > held.length) {
        held = Arrays.copyOf(held, Math.max(used + more, held.length * 2));
      }
    }

    byte[] toArray() {
      return Arrays.copyOf(held, used);
    }
  }
}
