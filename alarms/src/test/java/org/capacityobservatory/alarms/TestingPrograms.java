package org.capacityobservatory.alarms;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/** Programs that may be installed. */
final class TestingPrograms {
  private TestingPrograms() {}

  /** The first of some names that is on the PATH; empty when none is. */
  static String onPath(String... names) {
    for (String name : names) {
      for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
        Path program = Path.of(folder, name);
        if (Files.isExecutable(program)) {
          return program.toString();
        }
      }
    }
    return "";
  }
}
