package org.capacityobservatory.shipper;

import java.util.function.Consumer;

/** A source as the shipper's loop sees it: its files together, or a feed. */
interface Input {
  /**
   * Takes what is next, if anything is, and gives out its lines.
   *
   * @return whether there was anything
   */
  boolean read(byte[] buffer, long nowMillis, long nowNanos);

  /** Gives out what of its positions has changed, for the transaction in hand. */
  void writePositions(Consumer<PositionRecord> out);

  SourceStatus status();

  /** The transaction in hand is committed. */
  void written();
}
