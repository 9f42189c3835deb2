package org.capacityobservatory.log;

/**
 * Half characters, which JSON can escape but UTF-8 can't hold.
 *
 * <p>A lone surrogate is kept as its six-character escape, so that what was written stays legible
 * and no later encoder stumbles over it.
 */
final class LoneSurrogates {
  private LoneSurrogates() {}

  static String escaped(String text) {
    return firstLone(text, 0) < 0 ? text : escapeAll(text);
  }

  private static String escapeAll(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    int from = 0;
    for (int lone = firstLone(text, 0); lone >= 0; lone = firstLone(text, from)) {
      escaped.append(text, from, lone).append("\\u%04x".formatted((int) text.charAt(lone)));
      from = lone + 1;
    }
    return escaped.append(text, from, text.length()).toString();
  }

  private static int firstLone(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }
}
