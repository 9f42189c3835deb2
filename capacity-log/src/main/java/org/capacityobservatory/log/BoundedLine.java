package org.capacityobservatory.log;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A line that grows piece by piece within a cap: past it, only its first bytes, its length and a
 * running hash are kept, so that memory stays the same however long the line gets.
 */
final class BoundedLine {
  private static final int FIRST_CAPACITY = 1024;

  /** A buffer above this isn't kept for the next line: thousands of sources may each hold one. */
  private static final int KEEP_CAPACITY = 64 * 1024;

  private final int maxBytes;
  private byte[] buffer = new byte[FIRST_CAPACITY];
  private int size;
  private long length;
  private @Nullable Sha256 overflow;

  BoundedLine(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  void append(byte[] bytes, int from, int to) {
    int more = to - from;
    length += more;
    if (overflow == null && length <= maxBytes) {
      store(bytes, from, more);
      return;
    }
    if (overflow == null) {
      overflow = new Sha256();
      overflow.update(buffer, 0, size);
      size = Math.min(size, RawSample.MAX_HEAD_BYTES);
      buffer = Arrays.copyOf(buffer, Math.min(buffer.length, RawSample.MAX_HEAD_BYTES));
    }
    overflow.update(bytes, from, to);
    store(bytes, from, Math.min(more, RawSample.MAX_HEAD_BYTES - size));
  }

  private void store(byte[] bytes, int from, int count) {
    if (buffer.length - size < count) {
      long wanted = Math.max(2L * buffer.length, (long) size + count);
      buffer = Arrays.copyOf(buffer, (int) Math.min(wanted, Math.max(maxBytes, size + count)));
    }
    System.arraycopy(bytes, from, buffer, size, count);
    size += count;
  }

  /**
   * Goes on with a line over the cap.
   *
   * @param head its first bytes, as many as a sample keeps; none where they are not known
   */
  void resume(byte[] head, long lengthSoFar, String sha256State) {
    clear();
    overflow = new Sha256(sha256State, lengthSoFar);
    length = lengthSoFar;
    store(head, 0, head.length);
  }

  /** Bytes of a line over the cap that {@link #sha256State()} covers. */
  long resumableLength() {
    return overflow == null ? 0 : overflow.wholeBlocks();
  }

  @Nullable String sha256State() {
    return overflow == null ? null : overflow.state();
  }

  boolean isTooLong() {
    return overflow != null;
  }

  /** Bytes appended, also those no longer kept. */
  long length() {
    return length;
  }

  /** The backing array; valid in 0 … {@link #size()} until the next call. */
  byte[] array() {
    return buffer;
  }

  int size() {
    return size;
  }

  RawSample sample() {
    if (overflow == null) {
      return RawSample.of(buffer, 0, size);
    }
    byte[] head = Arrays.copyOf(buffer, Math.min(size, RawSample.MAX_HEAD_BYTES));
    return new RawSample(head, length, overflow.digest());
  }

  void clear() {
    size = 0;
    length = 0;
    overflow = null;
    if (buffer.length > KEEP_CAPACITY) {
      buffer = new byte[FIRST_CAPACITY];
    }
  }
}
