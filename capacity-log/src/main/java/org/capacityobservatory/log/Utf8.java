package org.capacityobservatory.log;

/** Tells whether bytes are well-formed UTF-8 (Unicode 15, table 3-7). */
final class Utf8 {
  private Utf8() {}

  static boolean isValid(byte[] b, int from, int to) {
    int i = from;
    while (i < to) {
      i = Bytes.skipAscii(b, i, to);
      if (i == to) {
        return true;
      }
      int length = sequenceLength(b, i, to);
      if (length == 0) {
        return false;
      }
      i += length;
    }
    return true;
  }

  /** The length of the well-formed multi-byte sequence at {@code i}; 0 where there is none. */
  private static int sequenceLength(byte[] b, int i, int to) {
    int first = b[i] & 0xff;
    int length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (first < 0xc2 || first > 0xf4 || i + length > to) {
      return 0;
    }
    // The second byte's range is what keeps out overlong forms, surrogates and > U+10FFFF.
    int second = b[i + 1] & 0xff;
    int low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    int high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (second < low || second > high) {
      return 0;
    }
    for (int k = i + 2; k < i + length; k++) {
      if ((b[k] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return length;
  }
}
