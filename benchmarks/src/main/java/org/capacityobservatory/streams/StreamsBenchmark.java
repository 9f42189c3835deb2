package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.capacityobservatory.localstack.LocalKafka;
import org.capacityobservatory.localstack.LocalKafkaConfig;
import org.capacityobservatory.log.EventId;
import org.capacityobservatory.log.LineException;
import org.capacityobservatory.log.LineHeaders;
import org.capacityobservatory.log.LineParser;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.metrics.MetricsConfig;

/**
 * Measures how many lines one Streams thread turns into rows and cells, exactly once, beside a
 * consumer that only reads them and one that only parses them, all from the same real broker.
 *
 * <p>Arguments: how many lines (default 1,000,000), and the share of lines that are poison in the
 * last run (default 0.01). Each figure is given twice: by the clock, and for each second of CPU
 * time of the thread, which a busy machine doesn't lower.
 */
public final class StreamsBenchmark {
  private static final long FIRST_MILLIS = 1_772_359_200_000L;
  private static final long APART_MICROS = 1_000;
  private static final int USUAL_LINES = 20_000;
  private static final byte[] POISON = "{\"event\":\"ocl_capacity\",\"decision\":".getBytes(UTF_8);

  private final String bootstrap;
  private final Path directory;

  private StreamsBenchmark(String bootstrap, Path directory) {
    this.bootstrap = bootstrap;
    this.directory = directory;
  }

  /** Runs everything. */
  public static void main(String[] arguments) throws Exception {
    int lines = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
    double poison = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 0.01;
    Path directory = Files.createTempDirectory("streams-benchmark");
    try (LocalKafka kafka = LocalKafka.start(LocalKafkaConfig.in(directory.resolve("kafka")))) {
      StreamsBenchmark benchmark = new StreamsBenchmark(kafka.bootstrap(), directory);
      benchmark.produce(lines, 0);
      benchmark.consume("reads only", lines, false);
      benchmark.consume("reads and parses", lines, true);
      benchmark.job("warm", lines);
      benchmark.job("job: parse, metrics, exactly once", lines);
      benchmark.produce(lines, poison);
      benchmark.job("job, %.0f %% poison".formatted(poison * 100), lines);
    }
  }

  /** Lines carry times of long ago: retention by time would remove them while they are read. */
  private static NewTopic topic(String name) {
    return new NewTopic(name, 1, (short) 1).configs(Map.of("retention.ms", "-1"));
  }

  private void produce(int lines, double poison)
      throws IOException, InterruptedException, ExecutionException {
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
      usual[i] = line(random);
    }
    long bytes = 0;
    Map<String, Object> properties =
        Map.of("bootstrap.servers", bootstrap, "compression.type", "lz4", "linger.ms", "20");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < lines; i++) {
        byte[] line = random.nextDouble() < poison ? POISON : usual[random.nextInt(USUAL_LINES)];
        bytes += line.length;
        long at = FIRST_MILLIS + i * APART_MICROS / 1000;
        Future<RecordMetadata> unused =
            producer.send(
                new ProducerRecord<>(
                    Topics.LINES, 0, at, SOURCE, line, headers((long) i * line.length, at)));
      }
    }
    say("%,d lines of %d bytes, %.0f %% poison", lines, bytes / lines, poison * 100);
  }

  private static final byte[] SOURCE = "/var/log/containers/api-1.log".getBytes(UTF_8);

  private static RecordHeaders headers(long position, long readAt) {
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

  private static byte[] line(Random random) {
    boolean full = random.nextInt(4) != 0;
    boolean knn = random.nextInt(4) != 0;
    String[] tiers = {"staff", "core", "early_access", "preview"};
    String[] sources = {"automatch", "mapper-row", "tbv3"};
    return ("{\"event\":\"ocl_capacity\",\"decision\":\"%s\",\"mode\":\"shadow\",\"enforced\":false,"
            + "\"endpoint\":\"%s\",\"semantic\":%b,\"reranker\":false,\"rows\":25,\"single_row\":%b,"
            + "\"tier\":\"%s\",\"user_id\":%d%s,\"in_flight\":%d,\"limit\":3,\"task_in_flight\":%d,"
            + "\"task_limit\":2,%s\"tier_in_flight\":%d,\"tier_limit\":4,\"user_in_flight\":1,"
            + "\"user_limit\":3,\"suggested\":1,%s\"held_ms\":%d,\"queue_ms\":%d,\"task\":\"api-task-%s\","
            + "\"request_source\":\"%s\",\"algorithm_id\":\"ocl-semantic\",\"automatch_run_id\":\"%d\","
            + "\"cid\":\"%016x%016x\"}")
        .formatted(
            full ? "shadow-refused" : "admitted",
            knn ? "$match" : "$rerank",
            knn,
            random.nextBoolean(),
            tiers[random.nextInt(4)],
            random.nextInt(30_000),
            full ? ",\"scope\":\"api_heavy\",\"full\":[\"api_heavy\",\"tier\"]" : "",
            random.nextInt(8),
            random.nextInt(4),
            knn ? "\"es2_knn_in_flight\":2,\"es2_knn_limit\":3," : "",
            random.nextInt(6),
            full ? "\"retry_after\":5," : "",
            200 + random.nextInt(8_000),
            random.nextInt(3_000),
            random.nextBoolean() ? "a" : "b",
            sources[random.nextInt(3)],
            random.nextInt(2_000),
            random.nextLong(),
            random.nextLong())
        .getBytes(UTF_8);
  }

  private void consume(String name, int lines, boolean parse) throws LineException {
    Map<String, Object> properties =
        Map.of("bootstrap.servers", bootstrap, "auto.offset.reset", "earliest");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      TopicPartition partition = new TopicPartition(Topics.LINES, 0);
      consumer.assign(List.of(partition));
      for (boolean warm : new boolean[] {true, false}) {
        consumer.seekToBeginning(List.of(partition));
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long cpu = threads.getCurrentThreadCpuTime();
        long start = System.nanoTime();
        long seen = 0;
        while (seen < lines) {
          for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
            if (parse && LineParser.parse(record.value()).unknown().isEmpty()) {
              seen++;
            } else if (!parse) {
              seen++;
            }
          }
        }
        if (!warm) {
          report(name, lines, System.nanoTime() - start, threads.getCurrentThreadCpuTime() - cpu);
        }
      }
    }
  }

  private void job(String name, int lines) throws InterruptedException {
    String id = "benchmark-" + Long.toHexString(System.nanoTime());
    StreamsJobConfig config =
        new StreamsJobConfig(
            bootstrap,
            id,
            directory.resolve(id),
            1,
            Duration.ofSeconds(1),
            0,
            MetricsConfig.DEFAULT,
            Map.of());
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (StreamsJob job = StreamsJob.start(config, registry)) {
      long start = 0;
      long cpu = 0;
      long end = 0;
      while (end == 0) {
        Thread.sleep(2);
        double seen =
            registry.find("capacity.streams.calls").counters().stream()
                    .mapToDouble(counter -> counter.count())
                    .sum()
                + registry.find("capacity.streams.dead.letters").counters().stream()
                    .mapToDouble(counter -> counter.count())
                    .sum();
        if (start == 0 && seen > 0) {
          start = System.nanoTime();
          cpu = streamThreadCpu(id);
        }
        if (seen >= lines) {
          end = System.nanoTime();
        }
        if (job.failure().isDone()) {
          throw new IllegalStateException("The job stopped", job.failure().join());
        }
      }
      report(name, lines, end - start, streamThreadCpu(id) - cpu);
    }
  }

  private static long streamThreadCpu(String applicationId) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null
          && thread.getThreadName().startsWith(applicationId)
          && thread.getThreadName().matches(".*StreamThread-\\d+")) {
        return threads.getThreadCpuTime(thread.getThreadId());
      }
    }
    throw new IllegalStateException("No stream thread");
  }

  private static void report(String name, int lines, long nanos, long cpuNanos) {
    say(
        "%-36s %,9.0f lines/s by the clock  %,9.0f lines for a second of CPU",
        name, lines / (nanos / 1e9), lines / (cpuNanos / 1e9));
  }

  private static void say(String form, Object... values) {
    System.out.println(String.format(Locale.ROOT, form, values));
  }
}
