package org.capacityobservatory.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Kafka's own client settings, for security, as a file of properties. */
final class KafkaClientFile {
  private static final Pattern SECRET =
      Pattern.compile("password|jaas|secret|token|credential|key$", Pattern.CASE_INSENSITIVE);

  private KafkaClientFile() {}

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException naming the file, if it can't be read
   */
  static Map<String, String> read(Path file) {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file, UTF_8)) {
      properties.load(in);
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "The file of Kafka client settings "
              + file
              + " can't be read: "
              + e.getClass().getSimpleName(),
          e);
    }
    Map<String, String> settings = new TreeMap<>();
    properties
        .stringPropertyNames()
        .forEach(name -> settings.put(name, properties.getProperty(name)));
    return settings;
  }

  /** A setting's value as it may be shown. */
  static String shown(String name, String value) {
    return SECRET.matcher(name).find() ? "********" : value;
  }
}
