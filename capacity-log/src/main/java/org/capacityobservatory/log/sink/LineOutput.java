package org.capacityobservatory.log.sink;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/**
 * Where a sink's lines go. The sink's own thread opens, writes and closes it, so that whatever
 * blocks or breaks there reaches no caller.
 */
public interface LineOutput {
  /**
   * Opens the output: before the first line, and anew after {@link #release} at the next line.
   *
   * @throws IOException if it can't be opened; the lines in hand are then dropped and counted
   */
  WritableByteChannel open() throws IOException;

  /**
   * Gives up a channel, after it threw or at the sink's end.
   *
   * @throws IOException if that fails
   */
  void release(WritableByteChannel channel) throws IOException;

  /**
   * Whether what was there before ends inside a line; asked after {@link #open}.
   *
   * @throws IOException if that can't be found out
   */
  default boolean endsInsideLine() throws IOException {
    return false;
  }

  /** The process's stdout, past {@code System.out} and its lock; never closed. */
  static LineOutput stdout() {
    return channel(new FileOutputStream(FileDescriptor.out).getChannel());
  }

  /**
   * A file, made if it isn't there, written to only at its end, and opened anew after a failure.
   */
  static LineOutput file(Path file) {
    return new AppendedFile(file);
  }

  /** A channel of the caller's, which stays the caller's to close; it may write in parts. */
  static LineOutput channel(WritableByteChannel channel) {
    return new GivenChannel(channel);
  }
}
