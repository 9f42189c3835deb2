package org.capacityobservatory.cli;

import java.nio.file.Path;
import java.util.Map;
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
    try {
      return configFile == null ? Map.of() : KafkaClientFile.read(configFile);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  String bootstrapServers() {
    return HostAndPort.checkedList("--kafka", bootstrapServers);
  }
}
