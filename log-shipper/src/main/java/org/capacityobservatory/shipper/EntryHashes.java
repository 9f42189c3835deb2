package org.capacityobservatory.shipper;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.capacityobservatory.log.EntryName;
import org.capacityobservatory.log.EventId;

/**
 * Entries' names as 64-bit hashes, so that thousands fit into a position.
 *
 * <p>An entry is passed over by mistake only if its hash is that of one of at most 50,000 others:
 * that is one entry in 3 × 10¹⁴.
 */
final class EntryHashes {
  private EntryHashes() {}

  static long of(EntryName name) {
    return EventId.named(name).getMostSignificantBits();
  }

  /** The hashes in order, 8 bytes each, in Base64. */
  static String encoded(Collection<Long> hashes) {
    long[] sorted = hashes.stream().mapToLong(Long::longValue).sorted().toArray();
    ByteBuffer bytes = ByteBuffer.allocate(sorted.length * Long.BYTES);
    Arrays.stream(sorted).forEach(bytes::putLong);
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  /**
   * The hashes again.
   *
   * @throws IllegalArgumentException if it isn't what {@link #encoded} makes
   */
  static Set<Long> decoded(String text) {
    byte[] bytes = Base64.getDecoder().decode(text);
    if (bytes.length % Long.BYTES != 0) {
      throw new IllegalArgumentException("its field seen is cut");
    }
    ByteBuffer hashes = ByteBuffer.wrap(bytes);
    Set<Long> decoded = new HashSet<>();
    while (hashes.hasRemaining()) {
      decoded.add(hashes.getLong());
    }
    return decoded;
  }
}
