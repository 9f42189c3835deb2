package org.capacityobservatory.log.sink;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file to which lines are appended. */
record AppendedFile(Path file) implements LineOutput {
  @Override
  public WritableByteChannel open() throws IOException {
    return FileChannel.open(file, CREATE, APPEND);
  }

  @Override
  public void release(WritableByteChannel channel) throws IOException {
    channel.close();
  }

  /** A process that was killed while it wrote leaves half a line, which must not swallow ours. */
  @Override
  public boolean endsInsideLine() throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (FileChannel before = FileChannel.open(file, READ)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      long size = before.size();
      return size > 0 && before.read(last, size - 1) == 1 && last.get(0) != '\n';
    }
  }
}
