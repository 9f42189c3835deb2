package org.capacityobservatory.benchmarks.ship;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.capacityobservatory.shipper.Shipper;
import org.capacityobservatory.shipper.ShipperConfig;
import org.capacityobservatory.shipper.ShipperStatus;
import org.capacityobservatory.shipper.SourceStatus;

/**
 * The JVM that is measured: {@code ship BROKERS} or {@code plain BROKERS}. On stdin comes one job a
 * line, on stdout goes {@code result SECONDS LINES} for each; so the second job finds a warm JVM.
 */
final class Contender {
  static final String PLAIN_TOPIC = "plain";
  static final String RESULT = "result ";
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private Contender() {}

  public static void main(String[] arguments) throws Exception {
    boolean ship = arguments[0].equals("ship");
    BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String job = jobs.readLine(); job != null; job = jobs.readLine()) {
      String[] words = job.split(" ", -1);
      List<String> files = List.of(Arrays.copyOfRange(words, 1, words.length));
      System.out.println(
          RESULT
              + (ship
                  ? ship(arguments[1], words[0], files)
                  : plain(arguments[1], words[0], files)));
    }
  }

  /** With identity {@code follow…} it follows the files until its stdin ends. */
  private static String ship(String brokers, String identity, List<String> files)
      throws InterruptedException, IOException {
    boolean follow = identity.startsWith("follow");
    ShipperConfig config =
        ShipperConfig.builder()
            .bootstrapServers(brokers)
            .identity(identity)
            .files(files)
            .once(!follow)
            .build();
    long beganNanos = System.nanoTime();
    try (Shipper shipper = new Shipper(config, InstantSource.system(), new SimpleMeterRegistry())) {
      shipper.start();
      if (follow) {
        while (System.in.read() >= 0) {
          // Nothing is sent: its end is the end.
        }
        return "0 0";
      }
      ShipperStatus end = shipper.awaitDone(LONGEST);
      double seconds = (System.nanoTime() - beganNanos) / 1e9;
      long acknowledged =
          end.sources().stream().map(SourceStatus::books).mapToLong(b -> b.acknowledged()).sum();
      return seconds + " " + acknowledged;
    }
  }

  /** What anyone would write first, with nothing asked of it: lines in, records out. */
  private static String plain(String brokers, String unusedName, List<String> files)
      throws IOException {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            brokers,
            "compression.type",
            "lz4",
            "linger.ms",
            20,
            "batch.size",
            256 * 1024,
            "buffer.memory",
            64L * 1024 * 1024);
    AtomicReference<Exception> failure = new AtomicReference<>();
    long beganNanos = System.nanoTime();
    long lines = 0;
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      byte[] line = new byte[64 * 1024];
      for (String file : files) {
        try (InputStream in =
            new BufferedInputStream(Files.newInputStream(Path.of(file)), 256 * 1024)) {
          int size = 0;
          for (int c = in.read(); c >= 0; c = in.read()) {
            if (c != '\n') {
              line[size++] = (byte) c;
              continue;
            }
            lines++;
            var unused =
                producer.send(
                    new ProducerRecord<>(PLAIN_TOPIC, Arrays.copyOf(line, size)),
                    (place, e) -> {
                      if (e != null) {
                        failure.set(e);
                      }
                    });
            size = 0;
          }
        }
      }
      producer.flush();
    }
    if (failure.get() != null) {
      throw new IOException("a record could not be sent", failure.get());
    }
    return (System.nanoTime() - beganNanos) / 1e9 + " " + lines;
  }
}
