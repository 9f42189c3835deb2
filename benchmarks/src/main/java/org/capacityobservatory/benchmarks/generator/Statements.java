package org.capacityobservatory.benchmarks.generator;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The statements of {@code resources/generator}, in which {@code :name} stands for a number. */
final class Statements {
  private static final Pattern NAME = Pattern.compile(":([a-z_]+)");

  private Statements() {}

  static String text(String table) throws IOException {
    String file = "/generator/" + table + ".sql";
    try (InputStream in = Statements.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IOException("There is no " + file);
      }
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  /**
   * Puts numbers in place of names.
   *
   * @throws IllegalArgumentException when the text has a name that has no value
   */
  static String bound(String text, Map<String, String> values) {
    return NAME.matcher(text)
        .replaceAll(
            name -> {
              String value = values.get(name.group(1));
              if (value == null) {
                throw new IllegalArgumentException("No value for " + name.group());
              }
              return Matcher.quoteReplacement(value);
            });
  }
}
