package org.capacityobservatory.streams;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.capacityobservatory.log.LineException;
import org.capacityobservatory.log.LineParser;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.metrics.MetricsConfig;

/**
 * One contender in a JVM of its own: {@code ROLE BROKERS BROKER_PID DIRECTORY LINES}. Reads the
 * topic of lines twice, first to be warm, and prints the figures of the second time.
 */
final class Contender {
  static final String RESULT = "result ";
  private static final Duration COMMIT_EVERY = Duration.ofSeconds(1);

  private final String bootstrap;
  private final long brokerPid;
  private final Path directory;
  private final int lines;

  private Contender(String bootstrap, long brokerPid, Path directory, int lines) {
    this.bootstrap = bootstrap;
    this.brokerPid = brokerPid;
    this.directory = directory;
    this.lines = lines;
  }

  /** Runs one contender. */
  public static void main(String[] arguments) throws Exception {
    Contender contender =
        new Contender(
            arguments[1],
            Long.parseLong(arguments[2]),
            Path.of(arguments[3]),
            Integer.parseInt(arguments[4]));
    contender.run(arguments[0]);
    System.out.println(RESULT + contender.run(arguments[0]).asLine());
  }

  private Figures run(String role) throws Exception {
    return switch (role) {
      case "reads" -> read(false);
      case "parses" -> read(true);
      case "naive" -> naive();
      case "job" -> job();
      default -> throw new IllegalArgumentException("No contender " + role);
    };
  }

  private Figures read(boolean parse) throws LineException {
    Map<String, Object> properties =
        Map.of("bootstrap.servers", bootstrap, "auto.offset.reset", "earliest");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      TopicPartition partition = new TopicPartition(Topics.LINES, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      Meter meter = Meter.start(brokerPid, Thread.currentThread().getName());
      int seen = 0;
      while (seen < lines) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          if (!parse || LineParser.parse(record.value()).unknown().isEmpty()) {
            seen++;
          }
        }
      }
      return meter.stop(lines);
    }
  }

  private Figures job() throws InterruptedException {
    String id = newId();
    StreamsJobConfig config =
        new StreamsJobConfig(
            bootstrap,
            id,
            directory.resolve(id),
            1,
            COMMIT_EVERY,
            0,
            MetricsConfig.DEFAULT,
            Map.of());
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (StreamsJob job = StreamsJob.start(config, registry)) {
      return watched(
          id,
          () -> {
            if (job.failure().isDone()) {
              throw new IllegalStateException("The job stopped", job.failure().join());
            }
            return (long)
                (sum(registry, "capacity.streams.calls")
                    + sum(registry, "capacity.streams.dead.letters"));
          });
    }
  }

  private static double sum(SimpleMeterRegistry registry, String name) {
    return registry.find(name).counters().stream().mapToDouble(Counter::count).sum();
  }

  private Figures naive() throws InterruptedException {
    String id = newId();
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, id);
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    properties.put(StreamsConfig.STATE_DIR_CONFIG, directory.resolve(id).toString());
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
    properties.put(
        StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, Math.toIntExact(COMMIT_EVERY.toMillis()));
    properties.put(StreamsConfig.producerPrefix("compression.type"), "lz4");
    properties.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
    LongAdder counted = new LongAdder();
    try (KafkaStreams streams = new KafkaStreams(NaiveTopology.build(counted), properties)) {
      streams.start();
      return watched(id, counted::sum);
    }
  }

  /** From the first line that was seen to the last. */
  private Figures watched(String applicationId, LongSupplier seen) throws InterruptedException {
    while (seen.getAsLong() == 0) {
      Thread.sleep(1);
    }
    Meter meter = Meter.start(brokerPid, applicationId + ".*StreamThread-\\d+");
    while (seen.getAsLong() < lines) {
      Thread.sleep(1);
    }
    return meter.stop(lines);
  }

  private static String newId() {
    return "benchmark-" + Long.toHexString(System.nanoTime());
  }
}
