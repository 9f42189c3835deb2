package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decides of one line without envelope: ours, not ours, or kept aside and why.
 *
 * <p>Ours is a JSON object whose top-level {@code event} is {@code ocl_capacity} or {@code
 * ocl_capacity_config}, whole and in UTF-8; whether its fields make sense is not asked here. What
 * starts as such an object and isn't whole, and what holds one inside other text (also in escaped
 * form), is kept aside. All else is not ours. One object serves many lines, one at a time.
 */
final class LineJudge {
  private static final byte[] EVENT = "event".getBytes(US_ASCII);
  private static final byte[] CALL = "ocl_capacity".getBytes(US_ASCII);
  private static final byte[] CONFIG = "ocl_capacity_config".getBytes(US_ASCII);
  private static final byte[] CONFIG_TAIL = "_config".getBytes(US_ASCII);
  private static final byte[] LOG_DROPPED = "log_dropped".getBytes(US_ASCII);

  /** How the limiter's lines begin: a line cut inside this was ours. */
  private static final byte[] USUAL_START = "{\"event\":\"ocl_capacity".getBytes(US_ASCII);

  /** Shorter cuts than this could be the start of anybody's object. */
  private static final int MIN_CUT_BYTES = 3;

  private final JsonScanner scanner = new JsonScanner();
  private @Nullable QuarantineReason reason;
  private @Nullable String detail;
  private long droppedAtSource;

  // The walk's findings about the line in hand.
  private boolean capacityEvent;
  private boolean eventSeen;
  private int walkedTo;

  LineKind judge(byte[] b, int from, int to) {
    reason = null;
    detail = null;
    droppedAtSource = 0;
    capacityEvent = false;
    eventSeen = false;
    int start = JsonScanner.skipSpace(b, from, to);
    boolean object = start < to && b[start] == '{';
    int end = object ? walk(b, start, to) : JsonScanner.BAD;
    if (capacityEvent) {
      return judgeCapacity(b, from, to, end);
    }
    if (object && isCutStart(b, start, to)) {
      return aside(QuarantineReason.UNTERMINATED, "the line ends after " + (to - from) + " bytes");
    }
    if (end < 0 || JsonScanner.skipSpace(b, end, to) != to) {
      // Only a whole object's word about dropped lines counts.
      droppedAtSource = 0;
    }
    int marker = indexOfCapacityObject(b, from, to);
    if (marker >= 0) {
      boolean ownObject = object && end == JsonScanner.BAD;
      return aside(
          ownObject ? QuarantineReason.BAD_JSON : QuarantineReason.EMBEDDED,
          "a capacity event at byte " + (marker - from) + " of the line");
    }
    return LineKind.NOT_OURS;
  }

  @Nullable QuarantineReason reason() {
    return reason;
  }

  @Nullable String detail() {
    return detail;
  }

  /** What {@code log_dropped} says in an object that isn't ours; 0 where it doesn't. */
  long droppedAtSource() {
    return droppedAtSource;
  }

  private LineKind judgeCapacity(byte[] b, int from, int to, int end) {
    droppedAtSource = 0;
    if (end == JsonScanner.RAN_OUT) {
      return aside(
          QuarantineReason.UNTERMINATED, "the object isn't closed after " + (to - from) + " bytes");
    }
    if (end == JsonScanner.BAD) {
      return aside(
          QuarantineReason.BAD_JSON, "not JSON from the value at byte " + (walkedTo - from));
    }
    if (JsonScanner.skipSpace(b, end, to) != to) {
      return aside(
          QuarantineReason.BAD_JSON, "text after the object's end at byte " + (end - from));
    }
    if (!Utf8.isValid(b, from, to)) {
      return aside(QuarantineReason.BAD_UTF8, "bytes that are not UTF-8");
    }
    return LineKind.OURS;
  }

  private LineKind aside(QuarantineReason why, String where) {
    reason = why;
    detail = where;
    return LineKind.QUARANTINED;
  }

  /** Walks the object at {@code start}; answers as the scanner does. */
  private int walk(byte[] b, int start, int to) {
    int i = JsonScanner.skipSpace(b, start + 1, to);
    if (i < to && b[i] == '}') {
      return i + 1;
    }
    while (true) {
      walkedTo = i;
      if (i >= to) {
        return JsonScanner.RAN_OUT;
      }
      if (b[i] != '"') {
        return JsonScanner.BAD;
      }
      int keyFrom = i + 1;
      int keyTo = JsonScanner.skipString(b, keyFrom, to) - 1;
      if (keyTo < 0) {
        return keyTo + 1;
      }
      int value = JsonScanner.skipColon(b, keyTo + 1, to);
      if (value < 0) {
        return value;
      }
      walkedTo = value;
      i = scanner.skipValue(b, value, to);
      note(b, keyFrom, keyTo, value, i, to);
      if (i < 0) {
        return i;
      }
      i = JsonScanner.skipSpace(b, i, to);
      walkedTo = i;
      if (i >= to) {
        return JsonScanner.RAN_OUT;
      }
      if (b[i] == '}') {
        return i + 1;
      }
      if (b[i] != ',') {
        return JsonScanner.BAD;
      }
      i = JsonScanner.skipSpace(b, i + 1, to);
    }
  }

  /** Notes the two keys that matter; the first {@code event} decides. */
  private void note(byte[] b, int keyFrom, int keyTo, int value, int after, int to) {
    if (!eventSeen && isText(b, keyFrom, keyTo, EVENT)) {
      eventSeen = true;
      if (after >= 0 && b[value] == '"') {
        capacityEvent =
            isText(b, value + 1, after - 1, CALL) || isText(b, value + 1, after - 1, CONFIG);
      } else if (after == JsonScanner.RAN_OUT && value < to && b[value] == '"') {
        capacityEvent = isStartOf(b, value + 1, to, CONFIG);
      }
    } else if (after >= 0 && isText(b, keyFrom, keyTo, LOG_DROPPED)) {
      droppedAtSource = positiveInt(b, value, after);
    }
  }

  private static long positiveInt(byte[] b, int from, int to) {
    if (to - from > 18) {
      return 0;
    }
    long value = 0;
    for (int i = from; i < to; i++) {
      if (b[i] < '0' || b[i] > '9') {
        return 0;
      }
      value = value * 10 + (b[i] - '0');
    }
    return value;
  }

  /** Whether the JSON string's content is the word, also when it is written with escapes. */
  private static boolean isText(byte[] b, int from, int to, byte[] word) {
    if (Arrays.equals(b, from, to, word, 0, word.length)) {
      return true;
    }
    // An escaped letter makes the same word; nobody writes it, so this need not be fast.
    return to - from > word.length
        && to - from <= 6 * word.length
        && Bytes.indexOf(b, from, to, (byte) '\\') >= 0
        && unescaped(b, from, to).equals(new String(word, US_ASCII));
  }

  private static String unescaped(byte[] b, int from, int to) {
    StringBuilder text = new StringBuilder();
    int i = from;
    while (i < to) {
      if (b[i] == '\\' && b[i + 1] == 'u') {
        text.append((char) Integer.parseInt(new String(b, i + 2, 4, US_ASCII), 16));
        i += 6;
      } else {
        // The words looked for hold no character with a short escape.
        text.append((char) (b[i] & 0xff));
        i++;
      }
    }
    return text.toString();
  }

  private static boolean isStartOf(byte[] b, int from, int to, byte[] word) {
    int length = to - from;
    return length > 0 && length <= word.length && Arrays.equals(b, from, to, word, 0, length);
  }

  private static boolean isCutStart(byte[] b, int from, int to) {
    int length = to - from;
    return length >= MIN_CUT_BYTES
        && length <= USUAL_START.length
        && Arrays.equals(b, from, to, USUAL_START, 0, length);
  }

  /**
   * Where {@code "event":"ocl_capacity…"} stands after a brace, plain or escaped; -1 if nowhere.
   */
  private static int indexOfCapacityObject(byte[] b, int from, int to) {
    int brace = Bytes.indexOf(b, from, to, (byte) '{');
    if (brace < 0) {
      return -1;
    }
    for (int i = brace + 1; i <= to - CALL.length; i++) {
      if (b[i] == 'o'
          && Arrays.equals(b, i, i + CALL.length, CALL, 0, CALL.length)
          && endsAsValue(b, i + CALL.length, to)
          && followsEventKey(b, brace, i)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean endsAsValue(byte[] b, int from, int to) {
    int i = from;
    if (to - i >= CONFIG_TAIL.length
        && Arrays.equals(b, i, i + CONFIG_TAIL.length, CONFIG_TAIL, 0, CONFIG_TAIL.length)) {
      i += CONFIG_TAIL.length;
    }
    return i == to || b[i] == '"' || b[i] == '\\';
  }

  private static boolean followsEventKey(byte[] b, int from, int valueFrom) {
    int i = backOverQuote(b, from, valueFrom);
    i = i < 0 ? i : backOverSpace(b, from, i);
    if (i <= from || b[i - 1] != ':') {
      return false;
    }
    i = backOverQuote(b, from, backOverSpace(b, from, i - 1));
    return i - EVENT.length > from
        && Arrays.equals(b, i - EVENT.length, i, EVENT, 0, EVENT.length)
        && b[i - EVENT.length - 1] == '"';
  }

  /** The index of the quote that ends before {@code i}, or of its first backslash; -1 if none. */
  private static int backOverQuote(byte[] b, int from, int i) {
    if (i <= from || b[i - 1] != '"') {
      return -1;
    }
    int k = i - 1;
    while (k > from && b[k - 1] == '\\') {
      k--;
    }
    return k;
  }

  private static int backOverSpace(byte[] b, int from, int i) {
    int k = i;
    while (k > from && b[k - 1] == ' ') {
      k--;
    }
    return k;
  }
}
