package org.capacityobservatory.log;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** A bounded picture of a line that was kept aside: its first bytes, its length and its hash. */
public final class RawSample {
  /** How many of the line's first bytes are kept. */
  public static final int MAX_HEAD_BYTES = 4096;

  private final byte[] head;
  private final long length;
  private final String sha256;

  RawSample(byte[] head, long length, byte[] sha256) {
    this.head = head;
    this.length = length;
    this.sha256 = HexFormat.of().formatHex(sha256);
  }

  static RawSample of(byte[] bytes, int from, int to) {
    MessageDigest digest = newSha256();
    digest.update(bytes, from, to - from);
    byte[] head = Arrays.copyOfRange(bytes, from, Math.min(to, from + MAX_HEAD_BYTES));
    return new RawSample(head, to - from, digest.digest());
  }

  static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }

  /** The line's first bytes, at most {@link #MAX_HEAD_BYTES}; a copy. */
  public byte[] head() {
    return head.clone();
  }

  /** The whole line's length in bytes. */
  public long length() {
    return length;
  }

  /** SHA-256 of the whole line, in lower-case hex. */
  public String sha256() {
    return sha256;
  }
}
