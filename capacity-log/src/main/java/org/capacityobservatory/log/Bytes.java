package org.capacityobservatory.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Walks over bytes, eight at a time: every byte of every log passes here. */
final class Bytes {
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private Bytes() {}

  /** The index of the first such byte, or -1. */
  static int indexOf(byte[] b, int from, int to, byte c) {
    long pattern = ONES * (c & 0xff);
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      // A byte that is c becomes 0; taking 1 from a 0, and from nothing below it, sets its high
      // bit.
      long zeros = (long) EIGHT.get(b, i) ^ pattern;
      long found = (zeros - ONES) & ~zeros & HIGH_BITS;
      if (found != 0) {
        return i + Long.numberOfTrailingZeros(found) / Byte.SIZE;
      }
    }
    for (; i < to; i++) {
      if (b[i] == c) {
        return i;
      }
    }
    return -1;
  }

  /** The index of the first byte that isn't ASCII, or {@code to}. */
  static int skipAscii(byte[] b, int from, int to) {
    int i = from;
    while (i <= to - Long.BYTES && ((long) EIGHT.get(b, i) & HIGH_BITS) == 0) {
      i += Long.BYTES;
    }
    while (i < to && b[i] >= 0) {
      i++;
    }
    return i;
  }
}
