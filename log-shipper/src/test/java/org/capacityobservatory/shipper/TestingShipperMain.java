package org.capacityobservatory.shipper;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** A shipper in a process of its own, to be killed: {@code BROKERS IDENTITY PATTERN}. */
final class TestingShipperMain {
  private TestingShipperMain() {}

  public static void main(String[] args) throws InterruptedException {
    Thread orphan = new Thread(TestingShipperMain::endWithParent);
    orphan.setDaemon(true);
    orphan.start();
    ShipperConfig config =
        ShipperConfig.builder()
            .bootstrapServers(args[0])
            .identity(args[1])
            .files(List.of(args[2]))
            // Small batches: many transactions to be killed in, and between.
            .maxBatchRecords(100)
            .pollInterval(Duration.ofMillis(10))
            .transactionTimeout(Duration.ofSeconds(5))
            .rotatedQuiet(Duration.ofSeconds(60))
            .build();
    Shipper shipper = new Shipper(config, InstantSource.system(), new SimpleMeterRegistry());
    shipper.start();
    while (shipper.status().transactionsCommitted() == 0) {
      Thread.sleep(5);
      if (shipper.status().state() == ShipperStatus.State.FAILED) {
        break;
      }
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
}
