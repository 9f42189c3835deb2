package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Hashes of what is served. */
final class Hashes {
  private Hashes() {}

  /** SHA-256 in base64, as content security policies and ETags take it. */
  static String base64(String text) {
    return base64(text.getBytes(UTF_8));
  }

  static String base64(byte[] content) {
    try {
      return Base64.getEncoder()
          .encodeToString(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
