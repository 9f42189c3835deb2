package org.capacityobservatory.localstack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The two users and their passwords. Each password stands in a file of its own that only its owner
 * can read; a missing one is made up at the first start.
 */
final class Credentials {
  private static final int RANDOM_BYTES = 24;

  private final Map<String, byte[]> passwords;

  private Credentials(Map<String, byte[]> passwords) {
    this.passwords = passwords;
  }

  /** The file that holds a user's password. */
  static Path file(Path secrets, String user) {
    return secrets.resolve(user + ".password");
  }

  /** Reads the passwords, and writes those that are missing. */
  static Credentials loadOrCreate(Path secrets) throws IOException {
    Files.createDirectories(secrets);
    Map<String, byte[]> passwords = new HashMap<>();
    for (String user : Set.of(LocalClickHouse.WRITER, LocalClickHouse.READER)) {
      Path file = file(secrets, user);
      if (!Files.exists(file)) {
        create(file);
      }
      passwords.put(user, read(file).getBytes(StandardCharsets.UTF_8));
    }
    return new Credentials(passwords);
  }

  /** A password from its file, without the line end that editors add. */
  static String read(Path file) throws IOException {
    requirePrivate(file);
    String password = Files.readString(file).strip();
    if (password.isEmpty()) {
      throw new LocalStackException(
          "The password file " + file + " is empty: write one, or delete it to get a new one.");
    }
    return password;
  }

  private static void create(Path file) throws IOException {
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    String password = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    if (isPosix(file)) {
      Files.createFile(
          fresh,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    Files.writeString(fresh, password + "\n");
    Files.move(fresh, file);
  }

  private static void requirePrivate(Path file) throws IOException {
    if (!isPosix(file)) {
      return;
    }
    Set<PosixFilePermission> others =
        EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);
    others.retainAll(Files.getPosixFilePermissions(file));
    if (!others.isEmpty()) {
      throw new LocalStackException(
          "The password file " + file + " is open to other users: run 'chmod 600' on it.");
    }
  }

  private static boolean isPosix(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** Whether the password is the user's; an unknown user takes as long as a wrong password. */
  boolean accept(String user, String password) {
    byte[] expected = Optional.ofNullable(passwords.get(user)).orElse(new byte[0]);
    boolean same = MessageDigest.isEqual(expected, password.getBytes(StandardCharsets.UTF_8));
    return same && expected.length > 0;
  }
}
