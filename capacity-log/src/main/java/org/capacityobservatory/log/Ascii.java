package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Short ASCII texts as bytes: their hashes, and the strings of those that every line has. */
final class Ascii {
  private static final int SLOTS = 128;
  private static final @Nullable Word[] WORDS = new Word[SLOTS];

  private static final class Word {
    final byte[] bytes;
    final String text;

    Word(byte[] bytes, String text) {
      this.bytes = bytes;
      this.text = text;
    }
  }

  static {
    List.of(
            "admitted",
            "shadow-refused",
            "refused",
            "unavailable",
            "shadow",
            "enforce",
            "$match",
            "$rerank",
            "staff",
            "core",
            "early_access",
            "preview",
            "api_heavy",
            "api_heavy_task",
            "es2_knn",
            "tier",
            "user",
            "automatch",
            "mapper-row",
            "tbv3")
        .forEach(Ascii::remember);
  }

  private Ascii() {}

  private static void remember(String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    int slot = hash(bytes, 0, bytes.length) & (SLOTS - 1);
    while (WORDS[slot] != null) {
      slot = (slot + 1) & (SLOTS - 1);
    }
    WORDS[slot] = new Word(bytes, text);
  }

  /** A hash of few bytes' work: of the length, and of the first, the middle and the last byte. */
  static int hash(byte[] b, int from, int to) {
    int length = to - from;
    if (length == 0) {
      return 0;
    }
    int hash = length * 31 + b[from];
    hash = hash * 31 + b[from + length / 2];
    return hash * 31 + b[to - 1];
  }

  /** The text of some bytes, which are ASCII; of a usual word always the same string. */
  static String text(byte[] b, int from, int to) {
    int slot = hash(b, from, to) & (SLOTS - 1);
    for (Word word = WORDS[slot]; word != null; word = WORDS[slot]) {
      if (Arrays.equals(word.bytes, 0, word.bytes.length, b, from, to)) {
        return word.text;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    return new String(b, from, to - from, ISO_8859_1);
  }
}
