package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * The identity of a line: where it stands, never what it says.
 *
 * <p>Lines carry no id, and two honest refusals can be byte-identical; so the id is a hash of the
 * source, the generation and the byte position (docs/architecture.md, "Identity is position").
 * Where the log transport names each entry itself, that name is its place ({@link #named}), so that
 * the same entry has one id by whatever way it comes: followed, exported, or both.
 */
public final class EventId {
  private EventId() {}

  /**
   * The id of the line that starts at a byte position of one generation of a source.
   *
   * @param source the source's name
   * @param generation 1 for the source's first file, counting up
   * @param position bytes from the generation's start, at least 0
   * @return the first 128 bits of SHA-256 over the three, as a UUID without version bits
   */
  public static UUID of(String source, long generation, long position) {
    // NUL can't stand in a path, so no two triples share one text.
    return hash(source + '\0' + generation + '\0' + position);
  }

  /**
   * The id of an entry that its log transport names.
   *
   * @param entry the transport and its name for the entry
   * @return the first 128 bits of SHA-256 over NUL, the transport's name, NUL and the entry's; the
   *     leading NUL keeps it apart from every place, since no source begins with one
   */
  public static UUID named(EntryName entry) {
    return hash('\0' + entry.transport() + '\0' + entry.name());
  }

  private static UUID hash(String text) {
    ByteBuffer hash = ByteBuffer.wrap(sha256().digest(text.getBytes(UTF_8)));
    return new UUID(hash.getLong(), hash.getLong());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
