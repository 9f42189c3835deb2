package org.capacityobservatory.log;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * SHA-256 (FIPS 180-4) whose state after whole blocks can be told and taken up again: {@link
 * java.security.MessageDigest} can't, and a line without an end must not be read again from its
 * start after each restart.
 */
final class Sha256 {
  static final int BLOCK_BYTES = 64;
  private static final int LENGTH_BYTES = 8;
  private static final int[] ROUND = new int[64];
  private static final int[] START = new int[8];

  static {
    // The standard's constants: fractions of the roots of the first primes.
    int found = 0;
    for (int n = 2; found < ROUND.length; n++) {
      if (isPrime(n)) {
        ROUND[found] = fraction(Math.cbrt(n));
        if (found < START.length) {
          START[found] = fraction(Math.sqrt(n));
        }
        found++;
      }
    }
  }

  private final int[] state;
  private final int[] schedule = new int[64];
  private final byte[] block = new byte[BLOCK_BYTES];
  private long length;

  Sha256() {
    this.state = START.clone();
  }

  /**
   * Goes on where another one stood.
   *
   * @param state that one's {@link #state()}
   * @param length that one's {@link #wholeBlocks()}
   * @throws IllegalArgumentException if it can't have been told so
   */
  Sha256(String state, long length) {
    byte[] bytes = HexFormat.of().parseHex(state);
    if (bytes.length != START.length * Integer.BYTES || length % BLOCK_BYTES != 0) {
      throw new IllegalArgumentException("No state of SHA-256 after whole blocks");
    }
    this.state = new int[START.length];
    ByteBuffer.wrap(bytes).asIntBuffer().get(this.state);
    this.length = length;
  }

  private static boolean isPrime(int n) {
    for (int k = 2; k * k <= n; k++) {
      if (n % k == 0) {
        return false;
      }
    }
    return true;
  }

  private static int fraction(double root) {
    return (int) (long) ((root - Math.floor(root)) * 0x1p32);
  }

  void update(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to) {
      int filled = (int) (length % BLOCK_BYTES);
      int count = Math.min(to - i, BLOCK_BYTES - filled);
      if (count == BLOCK_BYTES) {
        mix(bytes, i);
      } else {
        System.arraycopy(bytes, i, block, filled, count);
        if (filled + count == BLOCK_BYTES) {
          mix(block, 0);
        }
      }
      length += count;
      i += count;
    }
  }

  /** Bytes that {@link #state()} covers. */
  long wholeBlocks() {
    return length - length % BLOCK_BYTES;
  }

  /** The state after the last whole block, in hex. */
  String state() {
    return HexFormat.of().formatHex(bytes());
  }

  private byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(START.length * Integer.BYTES);
    bytes.asIntBuffer().put(state);
    return bytes.array();
  }

  /** The hash of all that was taken; nothing can be added afterwards. */
  byte[] digest() {
    long bits = length * Byte.SIZE;
    int filled = (int) (length % BLOCK_BYTES);
    boolean fits = filled + 1 + LENGTH_BYTES <= BLOCK_BYTES;
    ByteBuffer end = ByteBuffer.allocate((fits ? 1 : 2) * BLOCK_BYTES - filled);
    end.put((byte) 0x80).putLong(end.capacity() - LENGTH_BYTES, bits);
    update(end.array(), 0, end.capacity());
    return bytes();
  }

  private void mix(byte[] bytes, int from) {
    int[] w = schedule;
    ByteBuffer.wrap(bytes, from, BLOCK_BYTES).asIntBuffer().get(w, 0, 16);
    for (int t = 16; t < 64; t++) {
      int w15 = w[t - 15];
      int w2 = w[t - 2];
      int s0 = Integer.rotateRight(w15, 7) ^ Integer.rotateRight(w15, 18) ^ (w15 >>> 3);
      int s1 = Integer.rotateRight(w2, 17) ^ Integer.rotateRight(w2, 19) ^ (w2 >>> 10);
      w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    int a = state[0];
    int b = state[1];
    int c = state[2];
    int d = state[3];
    int e = state[4];
    int f = state[5];
    int g = state[6];
    int h = state[7];
    for (int t = 0; t < 64; t++) {
      int s1 = Integer.rotateRight(e, 6) ^ Integer.rotateRight(e, 11) ^ Integer.rotateRight(e, 25);
      int one = h + s1 + ((e & f) ^ (~e & g)) + ROUND[t] + w[t];
      int s0 = Integer.rotateRight(a, 2) ^ Integer.rotateRight(a, 13) ^ Integer.rotateRight(a, 22);
      int two = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + one;
      d = c;
      c = b;
      b = a;
      a = one + two;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  }
}
