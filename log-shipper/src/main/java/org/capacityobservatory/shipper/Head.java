package org.capacityobservatory.shipper;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The first bytes of a file, at most {@link #MAX_BYTES}: part of what tells it from another one.
 *
 * <p>It grows with a file that is still shorter than that; two heads agree when the longer begins
 * with the shorter.
 */
final class Head {
  static final int MAX_BYTES = 1024;
  static final Head EMPTY = new Head(new byte[0]);

  private final byte[] bytes;

  Head(byte[] bytes) {
    this.bytes = bytes;
  }

  int length() {
    return bytes.length;
  }

  byte[] bytes() {
    return bytes;
  }

  String sha256() {
    return sha256(bytes.length);
  }

  private String sha256(int length) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(bytes, 0, length);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }

  /** Whether this begins with a head of which only length and hash are known. */
  boolean beginsWith(int length, String sha256) {
    return bytes.length >= length && sha256(length).equals(sha256);
  }

  /** Whether this begins with another head. */
  boolean beginsWith(Head other) {
    return bytes.length >= other.bytes.length
        && Arrays.equals(bytes, 0, other.bytes.length, other.bytes, 0, other.bytes.length);
  }

  /**
   * Whether the file holds no text: more than one byte in ten is a control character that no log
   * uses. NULs at the very start don't count; a truncated log may begin with them.
   */
  boolean looksBinary() {
    int from = 0;
    while (from < bytes.length && bytes[from] == 0) {
      from++;
    }
    int control = 0;
    for (int i = from; i < bytes.length; i++) {
      byte c = bytes[i];
      boolean usual = (c >= '\b' && c <= '\r') || c == 0x1b;
      if (c >= 0 && c < 0x20 && !usual) {
        control++;
      }
    }
    return control * 10 > bytes.length - from;
  }
}
