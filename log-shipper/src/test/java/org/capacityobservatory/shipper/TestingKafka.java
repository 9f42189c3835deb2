package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.capacityobservatory.localstack.LocalKafka;
import org.capacityobservatory.localstack.LocalKafkaConfig;
import org.capacityobservatory.log.Topics;
import org.jspecify.annotations.Nullable;

/** One real broker for all tests of a run, with the topics that the shipper writes to. */
final class TestingKafka {
  private static @Nullable TestingKafka shared;

  private final LocalKafka kafka;

  private TestingKafka(LocalKafka kafka) {
    this.kafka = kafka;
  }

  static synchronized TestingKafka shared() throws Exception {
    TestingKafka started = shared;
    if (started == null) {
      Path folder = Files.createTempDirectory("shipper-kafka");
      LocalKafka kafka = LocalKafka.start(LocalKafkaConfig.in(folder.resolve("data")));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(kafka, folder)));
      started = new TestingKafka(kafka);
      started.createTopics();
      shared = started;
    }
    return started;
  }

  private static void end(LocalKafka kafka, Path folder) {
    kafka.close();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      System.err.println("Left behind: " + folder + ": " + e);
    }
  }

  private void createTopics() throws ExecutionException, InterruptedException {
    try (Admin admin = admin()) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(Topics.LINES, 4, (short) 1)
                      .configs(Map.of("message.timestamp.after.max.ms", "" + Long.MAX_VALUE)),
                  new NewTopic(Topics.DEAD_LETTERS, 1, (short) 1),
                  positions(),
                  new NewTopic(Topics.BOOKS, 2, (short) 1)))
          .all()
          .get();
    }
  }

  private static NewTopic positions() {
    return new NewTopic(Topics.POSITIONS, 2, (short) 1)
        .configs(Map.of("cleanup.policy", "compact"));
  }

  void deletePositions() throws ExecutionException, InterruptedException {
    try (Admin admin = admin()) {
      admin.deleteTopics(List.of(Topics.POSITIONS)).all().get();
    }
  }

  /** Again, once the deleted one is gone: that takes the broker a moment. */
  void createPositions() {
    await()
        .ignoreExceptions()
        .until(
            () -> {
              try (Admin admin = admin()) {
                admin.createTopics(List.of(positions())).all().get();
                return true;
              }
            });
  }

  /** The broker stands still: it takes connections and never answers. */
  void pause() throws IOException, InterruptedException {
    signal("STOP");
  }

  void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    int exit = new ProcessBuilder("kill", "-" + name, "" + kafka.pid()).start().waitFor();
    if (exit != 0) {
      throw new IOException("kill -" + name + " ended with " + exit);
    }
  }

  Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrap()));
  }

  String bootstrap() {
    return kafka.bootstrap();
  }

  void kill() {
    kafka.kill();
  }

  void restart() {
    kafka.restart();
  }

  /** Everything committed on a topic whose key begins so, in order per partition. */
  List<ConsumerRecord<byte[], byte[]>> committed(String topic, String keyStart) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap(), "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (!ends.entrySet().stream()
          .allMatch(end -> consumer.position(end.getKey()) >= end.getValue())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          if (new String(record.key(), UTF_8).startsWith(keyStart)) {
            records.add(record);
          }
        }
      }
    }
    return records;
  }

  /** The numbers in the lines committed from sources that begin so. */
  List<Integer> cids(String sourceStart) {
    return committed(Topics.LINES, sourceStart).stream()
        .map(record -> TestingShipping.cid(new String(record.value(), UTF_8)))
        .toList();
  }

  static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), UTF_8);
  }
}
