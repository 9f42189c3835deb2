package org.capacityobservatory.shipper;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * A shipper of one feed in a process of its own, to be killed: {@code BROKERS IDENTITY PREFIX KIND
 * WHERE}.
 */
final class TestingFeedMain {
  private TestingFeedMain() {}

  public static void main(String[] args) throws InterruptedException {
    Thread orphan = new Thread(TestingFeedMain::endWithParent);
    orphan.setDaemon(true);
    orphan.start();
    FeedConfig feed =
        args[3].equals("journald")
            ? new FeedConfig.Journald(args[4], "")
            : new FeedConfig.CloudWatch(
                "api",
                "eu-central-1",
                URI.create(args[4]),
                Instant.EPOCH,
                Duration.ofMinutes(5),
                Duration.ofMillis(20));
    ShipperConfig config =
        ShipperConfig.builder()
            .bootstrapServers(args[0])
            .identity(args[1])
            .sourcePrefix(args[2])
            .feeds(List.of(feed))
            // Small batches: many transactions to be killed in, and between.
            .maxBatchRecords(100)
            .pollInterval(Duration.ofMillis(10))
            .transactionTimeout(Duration.ofSeconds(5))
            .build();
    Shipper shipper = new Shipper(config, InstantSource.system(), new SimpleMeterRegistry());
    shipper.start();
    while (shipper.status().transactionsCommitted() == 0
        && shipper.status().state() != ShipperStatus.State.FAILED) {
      Thread.sleep(5);
    }
    System.out.println("SHIPPING");
    shipper.awaitDone(Duration.ofMinutes(5));
  }

  /** The test that started this process may itself be killed: then its end of the pipe closes. */
  private static void endWithParent() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is ever sent.
      }
    } catch (IOException e) {
      System.err.println("The pipe broke: " + e.getMessage());
    }
    Runtime.getRuntime().halt(1);
  }

  /** Starts one, and waits for its first transaction. */
  static Process start(String brokers, String identity, String prefix, String kind, String where)
      throws IOException {
    Process shipper =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-Daws.accessKeyId=test",
                "-Daws.secretAccessKey=test",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                TestingFeedMain.class.getName(),
                brokers,
                identity,
                prefix,
                kind,
                where)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(shipper::destroyForcibly));
    assertThat(shipper.inputReader().readLine()).isEqualTo("SHIPPING");
    return shipper;
  }
}
