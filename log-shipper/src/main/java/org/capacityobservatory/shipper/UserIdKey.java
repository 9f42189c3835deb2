package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret with which user ids are made into pseudonyms; it shows itself nowhere.
 *
 * <p>The same key gives the same user the same pseudonym, so that calls of one user stay together
 * over hosts and restarts. Who has the key can find a user's id by trying them all: keep it on the
 * hosts that ship.
 */
public final class UserIdKey {
  /** The shortest key, in bytes: as long as the hash is. */
  public static final int MIN_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private final byte[] secret;

  private UserIdKey(byte[] secret) {
    this.secret = secret;
  }

  /**
   * A key of these bytes; line breaks and spaces at their end are no part of it.
   *
   * @param origin where it came from, for messages
   * @throws IllegalArgumentException if it is shorter than {@link #MIN_BYTES}; it doesn't tell the
   *     key
   */
  public static UserIdKey of(byte[] secret, String origin) {
    int length = secret.length;
    while (length > 0 && secret[length - 1] <= ' ' && secret[length - 1] >= 0) {
      length--;
    }
    if (length < MIN_BYTES) {
      throw new IllegalArgumentException(
          "%s: the key has %d bytes, at least %d are needed: make one with openssl rand -hex 32"
              .formatted(origin, length, MIN_BYTES));
    }
    return new UserIdKey(Arrays.copyOf(secret, length));
  }

  /**
   * The key that a file holds.
   *
   * @throws IllegalArgumentException if it can't be read or is too short, naming the file
   */
  public static UserIdKey read(Path file) {
    try {
      return of(Files.readAllBytes(file), file.toString());
    } catch (IOException e) {
      throw new IllegalArgumentException(
          file + ": the key can't be read: " + e.getClass().getSimpleName(), e);
    }
  }

  /** The code that makes pseudonyms; for one thread. */
  Mac mac() {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
    }
  }

  /**
   * A short name of the key, which tells keys apart and nothing else: two hosts whose fingerprints
   * differ give one user two pseudonyms.
   */
  public String fingerprint() {
    byte[] hash = mac().doFinal("fingerprint".getBytes(US_ASCII));
    return "%02x%02x%02x%02x".formatted(hash[0], hash[1], hash[2], hash[3]);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UserIdKey key && MessageDigest.isEqual(secret, key.secret);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(mac().doFinal());
  }

  @Override
  public String toString() {
    return "key " + fingerprint();
  }
}
