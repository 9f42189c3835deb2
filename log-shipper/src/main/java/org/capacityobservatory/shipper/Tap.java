package org.capacityobservatory.shipper;

import org.capacityobservatory.log.EntryName;
import org.jspecify.annotations.Nullable;

/**
 * Where a feed's bytes come from. The shipper's thread asks, and is never kept waiting: what has to
 * wait, waits in a thread of the tap's own.
 */
interface Tap extends AutoCloseable {
  /** Some bytes of the feed. */
  final class Chunk {
    private final byte[] bytes;
    private final @Nullable EntryName name;

    /**
     * Some bytes.
     *
     * @param bytes taken as they are: nobody changes them any more
     * @param name what the transport calls the one entry that they are, or null where they are any
     */
    Chunk(byte[] bytes, @Nullable EntryName name) {
      this.bytes = bytes;
      this.name = name;
    }

    byte[] bytes() {
      return bytes;
    }

    @Nullable EntryName name() {
      return name;
    }
  }

  /**
   * What is there now.
   *
   * @return the next bytes, or null where there are none now
   * @throws ShipperException if the source is to be shipped once and can't be read
   */
  @Nullable Chunk poll(long nowMillis, long nowNanos);

  /** Reads no more; what has been read already is still given out. */
  void stop();

  /** Whether nothing will ever come again. */
  boolean isOver();

  /** Whether everything known to be there has been given out. */
  boolean isAtEnd();

  /** Lines that have been read and not been given out. */
  long linesOnHand();

  /** Why it can't be read, in a sentence; null if nothing is wrong. */
  @Nullable String problem();

  @Override
  void close();
}
