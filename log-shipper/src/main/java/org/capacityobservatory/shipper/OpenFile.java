package org.capacityobservatory.shipper;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that has just been opened, and that is surely the one its stat speaks of. */
record OpenFile(FileStat stat, ByteSource bytes, Head head) {
  private static final int TRIES = 10;

  /**
   * Opens a file.
   *
   * @throws IOException if it can't be opened or read
   */
  static OpenFile open(Path path) throws IOException {
    for (int k = 0; k < TRIES; k++) {
      FileStat before = FileStat.of(path);
      FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
      try {
        // The path may have come to mean another file between the look and the opening.
        if (FileStat.of(path).id().equals(before.id())) {
          return of(channel, before);
        }
      } catch (IOException e) {
        channel.close();
        throw e;
      }
      channel.close();
    }
    throw new IOException("the path means another file at each look");
  }

  private static OpenFile of(FileChannel channel, FileStat stat) throws IOException {
    Encoding encoding = Encoding.of(PlainBytes.at(channel, 0, Encoding.MAGIC_BYTES));
    ByteSource bytes =
        encoding == null ? new PlainBytes(channel) : new CompressedBytes(channel, encoding);
    byte[] head = bytes.head(Head.MAX_BYTES);
    CloudWatchDocument document = CloudWatchDocument.of(encoding, head);
    if (document != null) {
      bytes = new CompressedBytes(channel, document);
      head = bytes.head(Head.MAX_BYTES);
    }
    return new OpenFile(stat, bytes, new Head(head));
  }
}
