package org.capacityobservatory.api;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens that a running API knows: the file's, read anew when it has changed.
 *
 * <p>A file that can't be read any more, or that is gone, doesn't open the API: nobody is let in until
 * it can. Only a file that says that there are no tokens does.
 */
final class Tokens {
  private static final Logger log = LoggerFactory.getLogger(Tokens.class);

  private static final String NO_FILE = "none";

  private final @Nullable TokenFile file;
  private volatile Known known = new Known("", true, Map.of());

  /**
   * What was read.
   *
   * @param stamp tells whether the file is another one now
   * @param readable whether it could be read
   */
  private record Known(String stamp, boolean readable, Map<String, TokenFile.Entry> byHash) {}

  Tokens(@Nullable Path file) {
    this.file = file == null ? null : new TokenFile(file);
    known();
  }

  /** Whether there is any token, so that each request needs one. */
  boolean defined() {
    Known now = known();
    return !now.readable() || !now.byHash().isEmpty();
  }

  /** The caller with this token, or null when it is none of ours. */
  @Nullable Caller find(String token) {
    // By hash: how long the look-up takes tells nothing about a token.
    TokenFile.Entry entry = known().byHash().get(TokenFile.sha256(token));
    return entry == null ? null : new Caller(entry.role(), entry.name());
  }

  /** The caller of a token by its hash, for sessions; null once it is revoked. */
  @Nullable Caller ofHash(String sha256) {
    TokenFile.Entry entry = known().byHash().get(sha256);
    return entry == null ? null : new Caller(entry.role(), entry.name());
  }

  private Known known() {
    if (file == null) {
      return known;
    }
    String stamp = stamp(file.path());
    Known before = known;
    return stamp.equals(before.stamp()) ? before : read(stamp, file);
  }

  private synchronized Known read(String stamp, TokenFile from) {
    if (stamp.equals(known.stamp())) {
      return known;
    }
    Known read;
    try {
      List<TokenFile.Entry> entries = from.list();
      if (stamp.equals(NO_FILE) && !known.stamp().isEmpty() && !known.stamp().equals(NO_FILE)) {
        throw new IOException(from.path() + " was there and is gone");
      }
      read =
          new Known(
              stamp,
              true,
              entries.stream()
                  .collect(
                      Collectors.toUnmodifiableMap(
                          TokenFile.Entry::sha256, Function.identity(), (a, b) -> a)));
      log.info("{} tokens are defined", entries.size());
    } catch (IOException e) {
      log.error("Nobody is let in: the tokens can't be read: {}", e.getMessage());
      read = new Known(stamp, false, Map.of());
    }
    known = read;
    return read;
  }

  private static String stamp(Path path) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      return attributes.lastModifiedTime().toMillis()
          + "/"
          + attributes.size()
          + "/"
          + attributes.fileKey();
    } catch (NoSuchFileException e) {
      return NO_FILE;
    } catch (IOException e) {
      return "unreadable";
    }
  }
}
