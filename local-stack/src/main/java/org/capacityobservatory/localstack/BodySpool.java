package org.capacityobservatory.localstack;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request: the first part in memory, the rest in a temporary file. An INSERT begins
 * only when its body is whole, so a client that breaks off leaves no half of it behind.
 */
final class BodySpool implements AutoCloseable {
  private static final int IN_MEMORY_BYTES = 1 << 20;

  private static final int UNPACK_BUFFER_BYTES = 1 << 16;

  private final Path directory;
  private final boolean gzip;
  private final ByteArrayOutputStream head = new ByteArrayOutputStream();
  private @Nullable Path file;
  private @Nullable OutputStream tail;
  private long size;

  /**
   * @param gzip whether the body comes compressed; it is kept so, and unpacked when read
   */
  BodySpool(Path directory, boolean gzip) {
    this.directory = directory;
    this.gzip = gzip;
  }

  void append(ByteBuf bytes) throws IOException {
    int n = bytes.readableBytes();
    size += n;
    if (tail == null && head.size() + n <= IN_MEMORY_BYTES) {
      bytes.readBytes(head, n);
      return;
    }
    if (tail == null) {
      file = Files.createTempFile(directory, "body", ".tmp");
      tail = Files.newOutputStream(file);
    }
    bytes.readBytes(tail, n);
  }

  /** Bytes so far, as they came. */
  long size() {
    return size;
  }

  /**
   * Whether the whole body, unpacked, is longer than a limit. Unpacking it once to see also finds a
   * damaged one before any of it is used.
   *
   * @throws ZipException when the body isn't what it says it is
   */
  boolean isLongerThan(long limitBytes) throws IOException {
    if (!gzip) {
      return size > limitBytes;
    }
    long unpacked = 0;
    byte[] piece = new byte[UNPACK_BUFFER_BYTES];
    try (InputStream in = open()) {
      for (int n = in.read(piece); n >= 0 && unpacked <= limitBytes; n = in.read(piece)) {
        unpacked += n;
      }
    } catch (EOFException e) {
      throw new ZipException("it ends too early");
    }
    return unpacked > limitBytes;
  }

  /** The whole body, unpacked; call after the last {@link #append}. */
  InputStream open() throws IOException {
    InputStream packed = new ByteArrayInputStream(head.toByteArray());
    if (tail != null && file != null) {
      tail.close();
      packed = new SequenceInputStream(packed, Files.newInputStream(file));
    }
    return gzip && size > 0 ? new GZIPInputStream(packed, UNPACK_BUFFER_BYTES) : packed;
  }

  @Override
  public void close() throws IOException {
    if (tail != null) {
      tail.close();
    }
    if (file != null) {
      Files.deleteIfExists(file);
    }
  }
}
