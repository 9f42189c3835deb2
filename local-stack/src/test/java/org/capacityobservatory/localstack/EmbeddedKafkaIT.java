package org.capacityobservatory.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on the embedded broker, and what kill -9 leaves of it. */
class EmbeddedKafkaIT extends KafkaContract {
  @TempDir static Path directory;

  private static LocalKafka server;

  @BeforeAll
  static void start() {
    server = LocalKafka.start(LocalKafkaConfig.in(directory.resolve("kafka")));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  String bootstrap() {
    return server.bootstrap();
  }

  @Test
  void killLosesNothingAcknowledgedAndNothingAborted() throws Exception {
    String topic = createTopic(1, Map.of());
    String before = server.bootstrap();
    List<String> acknowledged = new ArrayList<>();
    try (Producer<String, String> producer = producer("kill-" + topic)) {
      producer.initTransactions();
      for (int transaction = 0; transaction < 3; transaction++) {
        producer.beginTransaction();
        for (int i = 0; i < 100; i++) {
          String value = transaction + "-" + i;
          send(producer, topic, value);
          acknowledged.add(value);
        }
        producer.commitTransaction();
      }
      producer.beginTransaction();
      send(producer, topic, "never committed");
      producer.flush();
      server.kill();
      assertThat(server.isAlive()).isFalse();
      server.restart();
      producer.close(Duration.ZERO);
    }
    assertThat(server.bootstrap()).isEqualTo(before);

    // Its successor ends the transaction that was left open, and goes on.
    try (Producer<String, String> producer = producer("kill-" + topic)) {
      producer.initTransactions();
      producer.beginTransaction();
      send(producer, topic, "after");
      producer.commitTransaction();
    }
    acknowledged.add("after");
    assertThat(values(read(topic, 0, acknowledged.size()))).isEqualTo(acknowledged);
  }
}
