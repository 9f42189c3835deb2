package org.capacityobservatory.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The SQL files of this module, as they are packed into its jar. */
final class Resources {
  private Resources() {}

  static String text(String name) {
    try (InputStream in = Resources.class.getResourceAsStream("/capacity/" + name)) {
      if (in == null) {
        throw new IllegalArgumentException("There is no " + name + " in the sql module");
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("Can't read " + name, e);
    }
  }
}
