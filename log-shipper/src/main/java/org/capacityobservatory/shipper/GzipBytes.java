package org.capacityobservatory.shipper;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A gzip file's content, whatever the file is called; several members one after another too.
 *
 * <p>Going back, and going on after a file that ended early has grown, means reading it again from
 * its start: gzip has no other way.
 */
final class GzipBytes implements ByteSource {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final FileChannel channel;
  private @Nullable InputStream content;
  private ChannelInput disk;
  private long position;
  private boolean atEnd;

  /** How long the file was when its content ended, rightly or early. */
  private long sizeAtEnd;

  GzipBytes(FileChannel channel) {
    this.channel = channel;
    this.disk = new ChannelInput(channel);
  }

  static boolean isGzip(byte[] head) {
    return head.length >= 2 && head[0] == 0x1f && head[1] == (byte) 0x8b;
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
    if (content == null) {
      content = open();
    }
    try {
      int count = content.read(buffer);
      if (count > 0) {
        position += count;
        return count;
      }
      end();
      return 0;
    } catch (EOFException e) {
      end();
      throw new EOFException("the gzip data end early, after " + position + " bytes of content");
    } catch (ZipException e) {
      end();
      throw new ZipException(
          "the gzip data are damaged after " + position + " bytes of content: " + e.getMessage());
    }
  }

  private InputStream open() throws IOException {
    return new GZIPInputStream(disk, BUFFER_BYTES);
  }

  private void end() throws IOException {
    atEnd = true;
    sizeAtEnd = channel.size();
  }

  private void restart() {
    disk = new ChannelInput(channel);
    content = null;
    position = 0;
    atEnd = false;
  }

  @Override
  public void seek(long newPosition) throws IOException {
    if (newPosition < position) {
      restart();
    }
    byte[] skipped = new byte[BUFFER_BYTES];
    while (position < newPosition) {
      if (content == null) {
        content = open();
      }
      int count = content.read(skipped, 0, (int) Math.min(skipped.length, newPosition - position));
      if (count <= 0) {
        throw new EOFException(
            "the gzip data end after " + position + " bytes of content, before " + newPosition);
      }
      position += count;
    }
  }

  @Override
  public byte[] head(int max) throws IOException {
    try (GZIPInputStream fresh = new GZIPInputStream(new ChannelInput(channel), 1024)) {
      return fresh.readNBytes(max);
    }
  }

  @Override
  public byte[] at(long from, int max, long end) throws IOException {
    try (GZIPInputStream fresh = new GZIPInputStream(new ChannelInput(channel), BUFFER_BYTES)) {
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
