package org.capacityobservatory.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where Kafka is, for a process that starts alone. */
final class KafkaOptions {
  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      required = true,
      defaultValue = "${env:CAPACITY_KAFKA}",
      description = "Kafka brokers to begin with, separated by commas (env CAPACITY_KAFKA).")
  private String bootstrapServers;

  @Option(
      names = "--kafka-config",
      paramLabel = "FILE",
      defaultValue = "${env:CAPACITY_KAFKA_CONFIG}",
      description =
          "Properties file with further settings of the Kafka clients, such as security.protocol"
              + " (env CAPACITY_KAFKA_CONFIG).")
  private @Nullable Path configFile;

  /** What the file says, by name. */
  Map<String, String> properties() {
    Properties properties = new Properties();
    if (configFile != null) {
      try (Reader text = Files.newBufferedReader(configFile)) {
        properties.load(text);
      } catch (IOException | IllegalArgumentException e) {
        throw new UsageException("--kafka-config " + configFile + " can't be read: " + e);
      }
    }
    Map<String, String> byName = new TreeMap<>();
    properties
        .stringPropertyNames()
        .forEach(name -> byName.put(name, properties.getProperty(name)));
    return byName;
  }

  String bootstrapServers() {
    return HostAndPort.checkedList("--kafka", bootstrapServers);
  }
}
