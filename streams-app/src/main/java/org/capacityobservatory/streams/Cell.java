package org.capacityobservatory.streams;

/**
 * What one Kafka partition has folded into one cell since it opened it.
 *
 * @param partial the offset of the first line folded in: with the partition it names this partial
 * @param lastOffset the offset of the last line folded in
 * @param tally what was counted
 */
record Cell<T>(long partial, long lastOffset, T tally) {

  /** Grows with every line folded in, also over restarts, since it comes from offsets alone. */
  long revision(boolean closed) {
    return 2 * lastOffset + (closed ? 1 : 0);
  }
}
