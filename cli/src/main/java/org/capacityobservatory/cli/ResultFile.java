package org.capacityobservatory.cli;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** Writes a result to stdout, or to a file that is either whole or not there. */
final class ResultFile {
  private ResultFile() {}

  static void write(@Nullable Path file, String result) {
    if (file == null) {
      System.out.print(result);
      System.out.flush();
      return;
    }
    Path target = file.toAbsolutePath();
    Path part = null;
    Path directory = target.getParent();
    if (directory == null) {
      throw new UsageException(file + " is no file that can be written.");
    }
    try {
      part = Files.createTempFile(directory, "." + target.getFileName(), ".part");
      // A stop in between leaves no half result, and no part of one either.
      part.toFile().deleteOnExit();
      Files.writeString(part, result);
      move(part, target);
    } catch (IOException e) {
      throw new CommandException(file + " can't be written: " + e, e);
    } finally {
      remove(part);
    }
  }

  private static void move(Path part, Path target) throws IOException {
    try {
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void remove(@Nullable Path part) {
    try {
      if (part != null) {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      throw new CommandException(part + " can't be removed: " + e, e);
    }
  }
}
