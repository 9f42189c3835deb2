package org.capacityobservatory.log.sink;

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes of encoded lines, which can be cut back when a line turns out not to be encodable. */
final class LineBuffer extends OutputStream {
  private static final int USUAL_BYTES = 64 * 1024;

  private byte[] bytes = new byte[USUAL_BYTES];
  private int size;

  @Override
  public void write(int b) {
    ensureRoom(1);
    bytes[size++] = (byte) b;
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    ensureRoom(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  private void ensureRoom(int more) {
    int needed = Math.addExact(size, more);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length * 2));
    }
  }

  int size() {
    return size;
  }

  void cutBack(int newSize) {
    size = newSize;
  }

  /** Empties it; what a giant line took is given back. */
  void clear() {
    size = 0;
    if (bytes.length > 4 * USUAL_BYTES) {
      bytes = new byte[USUAL_BYTES];
    }
  }

  ByteBuffer asByteBuffer() {
    return ByteBuffer.wrap(bytes, 0, size);
  }
}
