package org.capacityobservatory.cli;

import java.nio.file.Path;

/** The checkout that the launcher runs from. */
final class Home {
  private Home() {}

  static Path directory() {
    String home = System.getProperty("capacity.home");
    if (home == null) {
      throw new CommandException(
          "The checkout isn't known: start by ./capacity, or set -Dcapacity.home");
    }
    return Path.of(home).toAbsolutePath().normalize();
  }

  static Path samples() {
    return directory().resolve("samples");
  }
}
