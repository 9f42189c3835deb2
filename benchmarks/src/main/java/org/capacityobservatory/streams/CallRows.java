package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
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
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.capacityobservatory.benchmarks.generator.CallLines;
import org.capacityobservatory.log.CapacityCall;
import org.capacityobservatory.log.LineException;
import org.capacityobservatory.log.LineParser;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.streams.LinePlace.UnknownPlaceException;

/** Rows of calls as the job writes them, all of one day. */
final class CallRows {
  private static final int USUAL_LINES = 20_000;

  private final List<byte[]> lines = new ArrayList<>();
  private final long firstMillis;

  /**
   * Prepares rows.
   *
   * @param firstMillis the first row's time, epoch ms; a later row has a later one
   */
  CallRows(long firstMillis) {
    this.firstMillis = firstMillis;
    Random random = new Random(4);
    for (int i = 0; i < USUAL_LINES; i++) {
      lines.add(CallLines.next(random));
    }
  }

  /** A row by its number, as JSON. */
  byte[] row(int number) throws LineException, UnknownPlaceException {
    byte[] line = lines.get(number % USUAL_LINES);
    long at = firstMillis + number / 20;
    LinePlace place =
        LinePlace.of(
            LinesTopic.headers((long) number * line.length, at), at, new LineOffset(number));
    return EventRows.of((CapacityCall) LineParser.parse(line), line, place);
  }

  /** The same row as the writer sends it, with its place in Kafka. */
  byte[] sentRow(int number) throws LineException, UnknownPlaceException {
    String row = new String(row(number), UTF_8);
    return (row.substring(0, row.length() - 1)
            + ",\"kafka_topic\":\"%s\",\"kafka_partition\":0,\"kafka_offset\":%d}\n"
                .formatted(Topics.CALLS, number))
        .getBytes(UTF_8);
  }

  /** Makes all topics that the writer reads, and fills that of calls. */
  void fillTopic(String bootstrap, int rows)
      throws InterruptedException, ExecutionException, LineException, UnknownPlaceException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      List<NewTopic> topics = new ArrayList<>();
      for (String topic :
          List.of(
              Topics.CALLS,
              Topics.CONFIG_CHANGES,
              Topics.DEAD_LETTERS,
              Topics.METRICS,
              Topics.BOOKS)) {
        topics.add(new NewTopic(topic, 1, (short) 1));
      }
      admin.createTopics(topics).all().get();
    }
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap, "compression.type", "lz4", "linger.ms", "20"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = 0; i < rows; i++) {
        byte[] key = Integer.toString(i).getBytes(US_ASCII);
        Future<RecordMetadata> unused =
            producer.send(new ProducerRecord<>(Topics.CALLS, 0, key, row(i)));
      }
    }
  }

  private record LineOffset(long offset)
      implements org.apache.kafka.streams.processor.api.RecordMetadata {
    @Override
    public String topic() {
      return Topics.LINES;
    }

    @Override
    public int partition() {
      return 0;
    }
  }
}
