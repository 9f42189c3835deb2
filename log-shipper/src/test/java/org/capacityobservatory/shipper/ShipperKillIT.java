package org.capacityobservatory.shipper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.capacityobservatory.shipper.TestingLog.append;
import static org.capacityobservatory.shipper.TestingLog.calls;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kill -9 of a real shipper process at random moments: every line is committed once. */
class ShipperKillIT {
  private static final int LINES = 20_000;
  private static final int KILLS = Integer.getInteger("shipper.kills", 6);

  @TempDir Path folder;

  @Test
  void everyLineIsCommittedOnceHoweverOftenTheShipperIsKilled() throws Exception {
    long seed = Long.getLong("shipper.seed", System.nanoTime());
    Random random = new Random(seed);
    TestingKafka kafka = TestingKafka.shared();
    Path log = folder.resolve("app.log");
    int written = 0;
    int inTransaction = 0;
    try (Admin admin = kafka.admin()) {
      for (int kill = 0; kill < KILLS; kill++) {
        int share = LINES / KILLS / 2;
        // Half of the share is there before the start, half comes while it runs.
        append(log, calls(written + 1, written + share));
        written += share;
        Process shipper = start(kafka.bootstrap(), log);
        if (kill % 3 == 1) {
          TestingLog.rename(log, folder.resolve("app.log." + kill));
        }
        for (int part = 0; part < share; part += 49) {
          append(log, calls(written + 1, written + 49));
          written += 49;
        }
        // From the first commit on, anything may be going on.
        Thread.sleep(random.nextInt(150));
        shipper.destroyForcibly();
        shipper.waitFor();
        inTransaction += isOpen(admin) ? 1 : 0;
      }
    }
    int all = written;
    Process last = start(kafka.bootstrap(), log);
    try {
      await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(500))
          .until(() -> kafka.cids(folder.toString()).size() >= all);
    } finally {
      last.destroyForcibly();
      last.waitFor();
    }
    System.out.printf(
        "kill -9: %d of %d kills landed in an open transaction, %d lines (seed %d)%n",
        inTransaction, KILLS, all, seed);
    assertThat(kafka.cids(folder.toString()).stream().sorted().toList())
        .as("seed %d", seed)
        .isEqualTo(IntStream.rangeClosed(1, all).boxed().toList());
  }

  /**
   * A shipper that stands still for longer than its transaction may stay open finds that the broker
   * has undone it: the failure is that of a take-over, and isn't one.
   */
  @Test
  void aTransactionTimedOutByTheBrokerIsShippedAgain() throws Exception {
    TestingKafka kafka = TestingKafka.shared();
    Path log = folder.resolve("app.log");
    append(log, calls(1, 500));
    Process shipper = start(kafka.bootstrap(), log);
    int written = 500;
    try (Admin admin = kafka.admin()) {
      boolean open = false;
      while (!open) {
        append(log, calls(written + 1, written + 500));
        written += 500;
        signal(shipper, "STOP");
        open = isOpen(admin);
        if (!open) {
          signal(shipper, "CONT");
        }
      }
      await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(200))
          .until(() -> !isOpen(admin));
      signal(shipper, "CONT");
      int all = written;
      await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(500))
          .until(() -> kafka.cids(folder.toString()).size() >= all);
      assertThat(shipper.isAlive()).isTrue();
      append(log, calls(all + 1, all + 1));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> kafka.cids(folder.toString()).contains(all + 1));
      assertThat(kafka.cids(folder.toString()).stream().sorted().toList())
          .isEqualTo(IntStream.rangeClosed(1, all + 1).boxed().toList());
    } finally {
      shipper.destroyForcibly();
      shipper.waitFor();
    }
  }

  private static void signal(Process process, String name) throws Exception {
    int exit = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
    assertThat(exit).isZero();
  }

  private Process start(String brokers, Path log) throws IOException {
    Process shipper =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                TestingShipperMain.class.getName(),
                brokers,
                folder.getFileName().toString(),
                log + "*")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(shipper::destroyForcibly));
    BufferedReader out = shipper.inputReader();
    assertThat(out.readLine()).isEqualTo("SHIPPING");
    return shipper;
  }

  private boolean isOpen(Admin admin) throws Exception {
    Collection<TransactionListing> all = admin.listTransactions().all().get();
    return all.stream()
        .anyMatch(
            one ->
                one.transactionalId().equals("capacity-ship-" + folder.getFileName())
                    && List.of(
                            TransactionState.ONGOING,
                            TransactionState.PREPARE_COMMIT,
                            TransactionState.PREPARE_ABORT)
                        .contains(one.state()));
  }
}
