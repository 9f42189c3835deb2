package org.capacityobservatory.localstack;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.kafka.KafkaContainer;

/** The same contract on a broker in a container, where a Docker engine runs. */
class ContainerKafkaIT extends KafkaContract {
  private static final KafkaContainer SERVER =
      new KafkaContainer("apache/kafka:4.1.0").withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false");

  @BeforeAll
  static void start() {
    Docker.assumeRuns();
    SERVER.start();
  }

  @AfterAll
  static void stop() {
    SERVER.stop();
  }

  @Override
  String bootstrap() {
    return SERVER.getBootstrapServers();
  }
}
