package org.capacityobservatory.log;

import java.util.Arrays;

/**
 * Walks over JSON (RFC 8259) bytes without decoding them, to any depth, without recursion.
 *
 * <p>Each {@code skip…} answers with the index after what it skipped, or with {@link #RAN_OUT}
 * where the bytes end first, or with {@link #BAD} where they break the grammar. Bytes above 0x7f in
 * strings pass unseen: whether they are UTF-8 is {@link Utf8}'s question. It exists beside
 * jackson-core because "ours or not" is asked of every line: here it costs no object and no copy,
 * and its verdicts are held against Jackson's by a property test.
 */
final class JsonScanner {
  static final int RAN_OUT = -1;
  static final int BAD = -2;

  private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
  private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  /** One bit per level: set where it is an object. */
  private long[] levels = new long[2];

  private int depth;

  static int skipSpace(byte[] b, int from, int to) {
    int i = from;
    while (i < to && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r')) {
      i++;
    }
    return i;
  }

  /** Skips a string; {@code from} is just after its opening quote. */
  static int skipString(byte[] b, int from, int to) {
    int i = from;
    while (i < to) {
      byte c = b[i];
      if (c == '"') {
        return i + 1;
      }
      if (c == '\\') {
        i = skipEscape(b, i, to);
        if (i < 0) {
          return i;
        }
      } else if (c >= 0 && c < 0x20) {
        return BAD;
      } else {
        i++;
      }
    }
    return RAN_OUT;
  }

  /** Skips one escape; {@code from} is at its backslash. */
  static int skipEscape(byte[] b, int from, int to) {
    if (from + 1 >= to) {
      return RAN_OUT;
    }
    switch (b[from + 1]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
        return from + 2;
      }
      case 'u' -> {
        for (int i = from + 2; i < from + 6; i++) {
          if (i >= to) {
            return RAN_OUT;
          }
          if (Character.digit(b[i], 16) < 0) {
            return BAD;
          }
        }
        return from + 6;
      }
      default -> {
        return BAD;
      }
    }
  }

  /** Skips one value of any kind, which must start right at {@code from}. */
  int skipValue(byte[] b, int from, int to) {
    depth = 0;
    int i = from;
    while (true) {
      if (i >= to) {
        return RAN_OUT;
      }
      byte c = b[i];
      if (c == '{' || c == '[') {
        i = open(b, i, to, c == '{');
        if (i < 0) {
          return i;
        }
        if (i < to && b[i] == (c == '{' ? '}' : ']')) {
          i++;
          depth--;
        } else if (c == '{') {
          i = skipKey(b, i, to);
          if (i < 0) {
            return i;
          }
          continue;
        } else {
          continue;
        }
      } else {
        i = skipScalar(b, i, to);
      }
      i = closeOrGoOn(b, i, to);
      if (i < 0 || depth == 0) {
        return i;
      }
    }
  }

  private int open(byte[] b, int i, int to, boolean object) {
    if (depth == levels.length * 64) {
      levels = Arrays.copyOf(levels, levels.length * 2);
    }
    long bit = 1L << (depth & 63);
    if (object) {
      levels[depth >> 6] |= bit;
    } else {
      levels[depth >> 6] &= ~bit;
    }
    depth++;
    int next = skipSpace(b, i + 1, to);
    return next >= to ? RAN_OUT : next;
  }

  /** After a value: closes what ends here, and stops before the next value or at depth 0. */
  private int closeOrGoOn(byte[] b, int from, int to) {
    int i = from;
    while (i >= 0 && depth > 0) {
      i = skipSpace(b, i, to);
      if (i >= to) {
        return RAN_OUT;
      }
      boolean inObject = (levels[(depth - 1) >> 6] & (1L << ((depth - 1) & 63))) != 0;
      byte c = b[i];
      if (c == ',') {
        i = skipSpace(b, i + 1, to);
        return inObject ? skipKey(b, i, to) : i;
      }
      if (c != (inObject ? '}' : ']')) {
        return BAD;
      }
      depth--;
      i++;
    }
    return i;
  }

  /** Skips a key, its colon and the space round it. */
  private static int skipKey(byte[] b, int from, int to) {
    if (from >= to) {
      return RAN_OUT;
    }
    if (b[from] != '"') {
      return BAD;
    }
    int i = skipString(b, from + 1, to);
    return i < 0 ? i : skipColon(b, i, to);
  }

  /** Skips the colon after a key and the space round it. */
  static int skipColon(byte[] b, int from, int to) {
    int i = skipSpace(b, from, to);
    if (i >= to) {
      return RAN_OUT;
    }
    return b[i] == ':' ? skipSpace(b, i + 1, to) : BAD;
  }

  private static int skipScalar(byte[] b, int i, int to) {
    return switch (b[i]) {
      case '"' -> skipString(b, i + 1, to);
      case 't' -> skipWord(b, i, to, TRUE);
      case 'f' -> skipWord(b, i, to, FALSE);
      case 'n' -> skipWord(b, i, to, NULL);
      default -> skipNumber(b, i, to);
    };
  }

  private static int skipWord(byte[] b, int from, int to, byte[] word) {
    for (int k = 0; k < word.length; k++) {
      if (from + k >= to) {
        return RAN_OUT;
      }
      if (b[from + k] != word[k]) {
        return BAD;
      }
    }
    return from + word.length;
  }

  private static int skipNumber(byte[] b, int from, int to) {
    int i = b[from] == '-' ? from + 1 : from;
    if (i < to && b[i] == '0') {
      i++;
    } else {
      i = skipDigits(b, i, to);
    }
    if (i >= 0 && i < to && b[i] == '.') {
      i = skipDigits(b, i + 1, to);
    }
    if (i >= 0 && i < to && (b[i] == 'e' || b[i] == 'E')) {
      i++;
      if (i < to && (b[i] == '+' || b[i] == '-')) {
        i++;
      }
      i = skipDigits(b, i, to);
    }
    return i;
  }

  private static int skipDigits(byte[] b, int from, int to) {
    int i = from;
    while (i < to && b[i] >= '0' && b[i] <= '9') {
      i++;
    }
    if (i > from) {
      return i;
    }
    return i >= to ? RAN_OUT : BAD;
  }
}
