package org.capacityobservatory.localstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A small program for the tests of {@link ChildProcess}: the first argument says what it does. */
public final class TestingChild {
  private TestingChild() {}

  /** The second argument is a file that is written when the program closes cleanly. */
  public static void main(String[] args) throws Exception {
    if (args[0].equals("dies")) {
      System.err.println("dying words");
      System.exit(7);
    }
    ChildMain child = ChildMain.arm();
    System.out.println("a line of its own on stdout");
    switch (args[0]) {
      case "refuses" -> child.refuse("The thing is in use:\n stop it.");
      case "hangs" -> child.awaitStop();
      default -> {
        child.onStop(() -> write(Path.of(args[1])));
        child.ready(Map.of("port", 4711, "greeting", System.getenv("GREETING")));
        child.awaitStop();
      }
    }
  }

  private static void write(Path file) {
    try {
      Files.writeString(file, "closed");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
