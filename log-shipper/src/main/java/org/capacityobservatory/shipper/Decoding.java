package org.capacityobservatory.shipper;

import java.io.IOException;
import java.io.InputStream;

/** Makes a file's content, which lines are read from, out of the bytes on disk. */
interface Decoding {
  /** The content; reading it throws an {@link IOException} where the data end early or break. */
  InputStream decode(InputStream disk, int bufferBytes) throws IOException;

  /** What the encoded data are called, in the plural. */
  String noun();

  /**
   * The failure in words that name the place; what isn't the encoding's own stays as it is.
   *
   * @param position bytes of content that came before it
   */
  IOException explained(IOException e, long position);
}
