package org.capacityobservatory.shipper;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The content of a file that has to be decoded: compressed, or a document that holds lines.
 *
 * <p>Going back, and going on after a file that ended early has grown, means reading it again from
 * its start: no such format has another way.
 */
final class CompressedBytes implements ByteSource {
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int HEAD_BUFFER_BYTES = 1024;

  private final FileChannel channel;
  private final Decoding decoding;
  private @Nullable InputStream content;
  private ChannelInput disk;
  private long position;
  private boolean atEnd;

  /** How long the file was when its content ended, rightly or early. */
  private long sizeAtEnd;

  CompressedBytes(FileChannel channel, Decoding decoding) {
    this.channel = channel;
    this.decoding = decoding;
    this.disk = new ChannelInput(channel);
  }

  @Override
  public int read(byte[] buffer) throws IOException {
    if (isAtEnd()) {
      return 0;
    }
    if (atEnd) {
      long goOn = position;
      restart();
      seek(goOn);
    }
    try {
      int count = content().read(buffer);
      if (count > 0) {
        position += count;
        return count;
      }
      end();
      return 0;
    } catch (IOException e) {
      end();
      throw decoding.explained(e, position);
    }
  }

  private InputStream content() throws IOException {
    InputStream open = content;
    if (open == null) {
      open = decoding.decode(disk, BUFFER_BYTES);
      content = open;
    }
    return open;
  }

  private void end() throws IOException {
    atEnd = true;
    sizeAtEnd = channel.size();
    closeContent();
  }

  private void restart() throws IOException {
    closeContent();
    disk = new ChannelInput(channel);
    position = 0;
    atEnd = false;
  }

  /** Decoders hold memory outside the heap; closing one leaves the channel open. */
  private void closeContent() throws IOException {
    InputStream open = content;
    content = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void seek(long newPosition) throws IOException {
    if (newPosition < position) {
      restart();
    }
    byte[] skipped = new byte[BUFFER_BYTES];
    while (position < newPosition) {
      int count =
          content().read(skipped, 0, (int) Math.min(skipped.length, newPosition - position));
      if (count <= 0) {
        throw new EOFException(
            "the %s end after %d bytes of content, before %d"
                .formatted(decoding.noun(), position, newPosition));
      }
      position += count;
    }
  }

  @Override
  public byte[] head(int max) throws IOException {
    try (InputStream fresh = decoding.decode(new ChannelInput(channel), HEAD_BUFFER_BYTES)) {
      return readUpTo(fresh, max);
    } catch (IOException e) {
      throw decoding.explained(e, 0);
    }
  }

  /** What decodes well before the data end early or are damaged is content all the same. */
  private static byte[] readUpTo(InputStream in, int max) throws IOException {
    byte[] found = new byte[max];
    int size = 0;
    try {
      int count = in.read(found, 0, max);
      while (count > 0) {
        size += count;
        count = in.read(found, size, max - size);
      }
    } catch (IOException e) {
      if (size == 0) {
        throw e;
      }
    }
    return Arrays.copyOf(found, size);
  }

  @Override
  public byte[] at(long from, int max, long end) throws IOException {
    try (InputStream fresh = decoding.decode(new ChannelInput(channel), BUFFER_BYTES)) {
      fresh.skipNBytes(from);
      return fresh.readNBytes((int) Math.min(max, end - from));
    }
  }

  @Override
  public long diskSize() throws IOException {
    return channel.size();
  }

  @Override
  public long diskPosition() {
    return atEnd ? sizeAtEnd : disk.at;
  }

  @Override
  public boolean isAtEnd() throws IOException {
    return atEnd && channel.size() == sizeAtEnd;
  }

  @Override
  public boolean isCompressed() {
    return true;
  }

  @Override
  public void close() throws IOException {
    closeContent();
    channel.close();
  }

  /** Reads the channel from its start with a place of its own, and never closes it. */
  private static final class ChannelInput extends InputStream {
    private final FileChannel channel;
    private long at;

    ChannelInput(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] b, int offset, int length) throws IOException {
      int count = channel.read(ByteBuffer.wrap(b, offset, length), at);
      if (count > 0) {
        at += count;
      }
      return count;
    }

    /** The gzip stream asks this to tell whether another member follows. */
    @Override
    public int available() throws IOException {
      return (int) Math.min(Integer.MAX_VALUE, Math.max(0, channel.size() - at));
    }
  }
}
