package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.capacityobservatory.benchmarks.generator.CallLines;
import org.capacityobservatory.log.EventId;
import org.capacityobservatory.log.LineHeaders;
import org.capacityobservatory.log.Topics;

/** The topic of lines, one partition, filled with lines as the shipper would. */
final class LinesTopic {
  private static final long FIRST_MILLIS = 1_772_359_200_000L;
  private static final long APART_MICROS = 1_000;
  private static final int USUAL_LINES = 20_000;
  private static final byte[] POISON = "{\"event\":\"ocl_capacity\",\"decision\":".getBytes(UTF_8);
  private static final byte[] SOURCE = "/var/log/containers/api-1.log".getBytes(UTF_8);

  private final String bootstrap;

  LinesTopic(String bootstrap) {
    this.bootstrap = bootstrap;
  }

  /** Lines carry times of long ago: retention by time would remove them while they are read. */
  private static NewTopic topic(String name) {
    return new NewTopic(name, 1, (short) 1).configs(Map.of("retention.ms", "-1"));
  }

  /**
   * Makes the topics anew where needed and fills the topic of lines.
   *
   * @param poison the share of lines that can't be read, 0 to 1
   * @return mean length of a line, bytes
   */
  long fill(int lines, double poison) throws InterruptedException, ExecutionException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      if (admin.listTopics().names().get().contains(Topics.LINES)) {
        admin.deleteTopics(List.of(Topics.LINES)).all().get();
        Thread.sleep(2_000);
      } else {
        for (String topic :
            List.of(Topics.CALLS, Topics.CONFIG_CHANGES, Topics.METRICS, Topics.DEAD_LETTERS)) {
          admin.createTopics(List.of(topic(topic))).all().get();
        }
      }
      admin.createTopics(List.of(topic(Topics.LINES))).all().get();
    }
    Random random = new Random(4);
    byte[][] usual = new byte[USUAL_LINES][];
    for (int i = 0; i < usual.length; i++) {
      usual[i] = CallLines.next(random);
    }
    long bytes = 0;
    Map<String, Object> properties =
        Map.of("bootstrap.servers", bootstrap, "compression.type", "lz4", "linger.ms", "20");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < lines; i++) {
        byte[] line = random.nextDouble() < poison ? POISON : usual[random.nextInt(USUAL_LINES)];
        bytes += line.length;
        long at = FIRST_MILLIS + i * APART_MICROS / 1_000;
        Future<RecordMetadata> unused =
            producer.send(
                new ProducerRecord<>(
                    Topics.LINES, 0, at, SOURCE, line, headers((long) i * line.length, at)));
      }
    }
    return bytes / lines;
  }

  static RecordHeaders headers(long position, long readAt) {
    RecordHeaders headers = new RecordHeaders();
    String source = new String(SOURCE, UTF_8);
    headers.add(LineHeaders.EVENT_ID, ascii(EventId.of(source, 1, position).toString()));
    headers.add(LineHeaders.SOURCE, SOURCE);
    headers.add(LineHeaders.GENERATION, ascii("1"));
    headers.add(LineHeaders.POSITION, ascii(Long.toString(position)));
    headers.add(LineHeaders.TIME_SOURCE, ascii(LineHeaders.TIME_SOURCE_ENVELOPE));
    headers.add(LineHeaders.READ_AT, ascii(Long.toString(readAt)));
    return headers;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
