package org.capacityobservatory.shipper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/** A file as it is. */
final class PlainBytes implements ByteSource {
  private final FileChannel channel;
  private long position;

  PlainBytes(FileChannel channel) {
    this.channel = channel;
  }

  @Override
  public int read(byte[] buffer) throws IOException {
    int count = channel.read(ByteBuffer.wrap(buffer), position);
    if (count <= 0) {
      return 0;
    }
    position += count;
    return count;
  }

  @Override
  public void seek(long newPosition) {
    position = newPosition;
  }

  @Override
  public byte[] head(int max) throws IOException {
    return at(channel, 0, max);
  }

  @Override
  public byte[] at(long from, int max, long end) throws IOException {
    return at(channel, from, (int) Math.min(max, end - from));
  }

  static byte[] at(FileChannel channel, long from, int count) throws IOException {
    ByteBuffer found = ByteBuffer.allocate(count);
    while (found.hasRemaining() && channel.read(found, from + found.position()) > 0) {
      // Reading goes on until it is all there or the file ends.
    }
    return Arrays.copyOf(found.array(), found.position());
  }

  @Override
  public long diskSize() throws IOException {
    return channel.size();
  }

  @Override
  public long diskPosition() {
    return position;
  }

  @Override
  public boolean isAtEnd() throws IOException {
    return position >= channel.size();
  }

  @Override
  public boolean isCompressed() {
    return false;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
