package org.capacityobservatory.shipper;

import java.io.Closeable;
import java.io.IOException;

/** The bytes of one open file, as lines are read from it: a compressed file's content. */
interface ByteSource extends Closeable {
  /**
   * Reads on.
   *
   * @return how many bytes; 0 where there are none now
   */
  int read(byte[] buffer) throws IOException;

  /** Goes to a position; a compressed file is read up to it. */
  void seek(long position) throws IOException;

  /** The first bytes, at most {@code max}, wherever reading stands. */
  byte[] head(int max) throws IOException;

  /** At most {@code max} bytes from a position up to an end, wherever reading stands. */
  byte[] at(long from, int max, long end) throws IOException;

  /** Bytes of the file on disk now. */
  long diskSize() throws IOException;

  /** Bytes on disk that reading has passed. */
  long diskPosition();

  /** Whether everything that is on disk now has been given out. */
  boolean isAtEnd() throws IOException;

  boolean isCompressed();
}
