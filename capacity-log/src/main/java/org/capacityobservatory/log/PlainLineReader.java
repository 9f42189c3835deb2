package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a call whose line is as plain as the limiter writes them, and gives up on any other.
 *
 * <p>Plain: the event first, ASCII without escapes, no blanks between, known keys only, each once
 * and of its type, no null. {@link LineReader} reads all lines, and a property test holds the two
 * to the same call; this one exists because it takes a fraction of the time.
 */
final class PlainLineReader implements FieldTable.Value {
  private static final byte[] START = "{\"event\":\"ocl_capacity\",\"".getBytes(US_ASCII);
  private static final int MAX_DIGITS = 18;

  private final byte[] line;
  private int at;
  private boolean odd;

  private PlainLineReader(byte[] line) {
    this.line = line;
    this.at = START.length;
  }

  /**
   * Reads a line into a draft.
   *
   * @return false when the line isn't plain: the draft is then to be thrown away
   */
  static <D> boolean read(byte[] line, D draft, FieldTable<D> fields)
      throws IOException, LineException {
    return line.length > START.length
        && Arrays.equals(line, 0, START.length, START, 0, START.length)
        && line[line.length - 1] == '}'
        && new PlainLineReader(line).read(draft, fields);
  }

  private <D> boolean read(D draft, FieldTable<D> fields) throws IOException, LineException {
    long seen = 0;
    while (true) {
      int from = at;
      int to = endOfText();
      FieldTable.Entry<D> entry =
          odd ? null : fields.get(line, from, to, Ascii.hash(line, from, to));
      if (entry == null || (seen & entry.bit()) != 0 || !skip(':')) {
        return false;
      }
      seen |= entry.bit();
      entry.field().read(draft, this);
      if (odd) {
        return false;
      }
      if (at == line.length - 1) {
        return true; // it ends with a brace, and no value takes the last byte
      }
      if (!skip(',') || !skip('"')) {
        return false;
      }
    }
  }

  private boolean skip(char c) {
    boolean there = at < line.length - 1 && line[at] == c;
    at++;
    return there;
  }

  /** Goes past the text's closing quote. */
  private int endOfText() {
    int end = line.length - 1;
    int i = at;
    for (; i < end; i++) {
      byte b = line[i];
      if (b == '"') {
        at = i + 1;
        return i;
      }
      if (b == '\\' || b < 0x20) { // also all beyond ASCII, since bytes have signs
        break;
      }
    }
    odd = true;
    return i;
  }

  @Override
  public @Nullable String text() {
    if (!skip('"')) {
      odd = true;
      return null;
    }
    int from = at;
    int to = endOfText();
    return odd ? null : Ascii.text(line, from, to);
  }

  @Override
  public @Nullable Boolean flag() {
    if (isNext("true")) {
      return true;
    }
    if (isNext("false")) {
      return false;
    }
    odd = true;
    return null;
  }

  private boolean isNext(String word) {
    if (at + word.length() >= line.length) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (line[at + i] != word.charAt(i)) {
        return false;
      }
    }
    at += word.length();
    return true;
  }

  @Override
  public @Nullable Long number(long max) {
    int from = at;
    long value = 0;
    while (at < line.length - 1 && line[at] >= '0' && line[at] <= '9') {
      value = value * 10 + (line[at] - '0');
      at++;
    }
    int digits = at - from;
    boolean leadingZero = digits > 1 && line[from] == '0';
    if (digits == 0 || digits > MAX_DIGITS || leadingZero || value > max) {
      odd = true;
      return null;
    }
    return value;
  }

  @Override
  public List<String> texts() {
    if (!skip('[')) {
      odd = true;
      return List.of();
    }
    if (at < line.length - 1 && line[at] == ']') {
      at++;
      return List.of();
    }
    List<String> texts = new ArrayList<>(5);
    do {
      String text = text();
      if (text == null) {
        return List.of();
      }
      texts.add(text);
    } while (skip(','));
    if (line[at - 1] != ']') {
      odd = true;
    }
    return List.copyOf(texts);
  }

  @Override
  public String object() {
    odd = true;
    return "{}";
  }
}
