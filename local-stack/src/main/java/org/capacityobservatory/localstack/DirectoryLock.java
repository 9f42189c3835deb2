package org.capacityobservatory.localstack;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The sole ownership of a data directory, held as long as the process lives. The operating system
 * drops it when the process ends in whatever way, so nothing stale is ever left after kill -9 or a
 * reboot; the process id inside the file is only for the message.
 */
final class DirectoryLock implements AutoCloseable {
  private static final String FILE = "owner.lock";

  private final RandomAccessFile file;
  private final FileLock lock;

  private DirectoryLock(RandomAccessFile file, FileLock lock) {
    this.file = file;
    this.lock = lock;
  }

  /**
   * Takes the directory, creating it when missing.
   *
   * @throws LocalStackException when another process has it, or it can't be written
   */
  static DirectoryLock take(Path directory) {
    try {
      Files.createDirectories(directory);
      RandomAccessFile file = new RandomAccessFile(directory.resolve(FILE).toFile(), "rw");
      FileLock lock = tryLock(file);
      if (lock == null) {
        String owner = readOwner(file);
        file.close();
        throw new LocalStackException(
            "The data directory "
                + directory
                + " is in use by another process"
                + (owner.isEmpty() ? "" : " (pid " + owner + ")")
                + ": stop that one, or give this one another directory.");
      }
      file.setLength(0);
      file.write(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII));
      return new DirectoryLock(file, lock);
    } catch (IOException e) {
      throw new LocalStackException(
          "The data directory "
              + directory
              + " can't be used ("
              + e
              + "): give one that this user can write to.",
          e);
    }
  }

  private static @Nullable FileLock tryLock(RandomAccessFile file) throws IOException {
    try {
      return file.getChannel().tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static String readOwner(RandomAccessFile file) throws IOException {
    byte[] bytes = new byte[(int) Math.min(20, file.length())];
    file.seek(0);
    file.readFully(bytes);
    String owner = new String(bytes, StandardCharsets.US_ASCII);
    return owner.matches("\\d+") ? owner : "";
  }

  @Override
  public void close() {
    try (file) {
      lock.release();
    } catch (IOException e) {
      // The process ends next, and the system drops the lock with it.
      throw new LocalStackException("a data directory could not be given back", e);
    }
  }
}
