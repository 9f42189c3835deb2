package org.capacityobservatory.localstack;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request: the first part in memory, the rest in a temporary file. An INSERT begins
 * only when its body is whole, so a client that breaks off leaves no half of it behind.
 */
final class BodySpool implements AutoCloseable {
  private static final int IN_MEMORY_BYTES = 1 << 20;

  private final Path directory;
  private final ByteArrayOutputStream head = new ByteArrayOutputStream();
  private @Nullable Path file;
  private @Nullable OutputStream tail;
  private long size;

  BodySpool(Path directory) {
    this.directory = directory;
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

  /** Bytes so far. */
  long size() {
    return size;
  }

  /** The whole body; call after the last {@link #append}. */
  InputStream open() throws IOException {
    InputStream first = new ByteArrayInputStream(head.toByteArray());
    if (tail == null || file == null) {
      return first;
    }
    tail.close();
    return new SequenceInputStream(first, Files.newInputStream(file));
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
