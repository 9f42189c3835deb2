package org.capacityobservatory.streams;

/**
 * What one Kafka partition has folded into one cell since it opened it.
 *
 * @param <T> what is counted; changed in place
 */
final class Cell<T> extends HeapStore.Held {
  private final long partial;
  private final T tally;
  private long lastOffset;

  /**
   * Makes a cell.
   *
   * @param partial the offset of the first line folded in: with the partition it names this partial
   * @param lastOffset the offset of the last line folded in
   */
  Cell(long partial, long lastOffset, T tally) {
    this.partial = partial;
    this.lastOffset = lastOffset;
    this.tally = tally;
  }

  long partial() {
    return partial;
  }

  long lastOffset() {
    return lastOffset;
  }

  T tally() {
    return tally;
  }

  void foldedAt(long offset) {
    lastOffset = offset;
  }

  /** Grows with every line folded in, also over restarts, since it comes from offsets alone. */
  long revision(boolean closed) {
    return 2 * lastOffset + (closed ? 1 : 0);
  }
}
