package org.capacityobservatory.cli;

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

  String bootstrapServers() {
    return HostAndPort.checkedList("--kafka", bootstrapServers);
  }
}
