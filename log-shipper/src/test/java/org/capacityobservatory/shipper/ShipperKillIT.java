package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.capacityobservatory.shipper.TestingLog.append;
import static org.capacityobservatory.shipper.TestingLog.calls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.capacityobservatory.log.Topics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kill -9 of a real shipper process, and of the real broker, at random moments: every line is
 * committed once. {@code -Dshipper.kills=100} ships 200,000 lines through 100 kills.
 */
class ShipperKillIT {
  private static final int KILLS = Integer.getInteger("shipper.kills", 10);
  private static final int LINES_PER_KILL = 2_000;
  private static final int LINES_AT_ONCE = 100;

  /**
   * One kill in so many waits for an open transaction: left to chance, a fast machine has none open
   * at any of ten moments.
   */
  private static final int HUNTED = 3;

  /** One kill in so many is the broker's. */
  private static final int BROKER = 10;

  @TempDir Path folder;

  @Test
  void everyLineIsCommittedOnceWhoeverIsKilled() throws Exception {
    long seed = Long.getLong("shipper.seed", System.nanoTime());
    Random random = new Random(seed);
    TestingKafka kafka = TestingKafka.shared();
    Path log = folder.resolve("app.log");
    int written = 0;
    int inTransaction = 0;
    int brokers = 0;
    for (int kill = 1; kill <= KILLS; kill++) {
      // Half of the share is there before the start, half comes while it runs.
      append(log, calls(written + 1, written + LINES_PER_KILL / 2));
      written += LINES_PER_KILL / 2;
      Process shipper = launch(kafka.bootstrap(), log);
      try {
        if (kill % 4 == 0) {
          // Whatever a start consists of, it may end there.
          Thread.sleep(random.nextInt(1_500));
        } else {
          awaitShipping(shipper);
        }
        if (kill == KILLS / 3 || kill == KILLS * 2 / 3) {
          TestingLog.rename(log, folder.resolve("app.log." + kill));
        }
        for (int part = 0; part < LINES_PER_KILL / 2; part += LINES_AT_ONCE) {
          append(log, calls(written + 1, written + LINES_AT_ONCE));
          written += LINES_AT_ONCE;
        }
        if (kill % HUNTED == 0) {
          written = stopInTransaction(shipper, log, written);
        } else {
          Thread.sleep(random.nextInt(150));
        }
        if (kill % BROKER == 0) {
          kafka.kill();
          brokers++;
          // Now and then the shipper lives through it.
          if (kill % (2 * BROKER) == 0) {
            shipper.destroyForcibly().waitFor();
          }
          kafka.restart();
        }
      } finally {
        shipper.destroyForcibly().waitFor();
      }
      try (Admin admin = kafka.admin()) {
        inTransaction += isOpen(admin) ? 1 : 0;
      }
    }
    shipTheRest(kafka, log, written);
    System.out.printf(
        "kill -9: %d of %d kills left a transaction open, %d were the broker's too; %d lines"
            + " (seed %d)%n",
        inTransaction, KILLS, brokers, written, seed);
    assertThat(kafka.cids(folder.toString()).stream().sorted().toList())
        .as("seed %d", seed)
        .isEqualTo(IntStream.rangeClosed(1, written).boxed().toList());
    assertThat(inTransaction).as("kills that proved anything").isPositive();
  }

  private void shipTheRest(TestingKafka kafka, Path log, int all) throws Exception {
    Process last = start(kafka.bootstrap(), log);
    try {
      await()
          .atMost(Duration.ofSeconds(120))
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> kafka.cids(folder.toString()).size() >= all);
    } finally {
      last.destroyForcibly().waitFor();
    }
  }

  /**
   * The broker stands still, so that what is sent waits in the client's memory, and then the
   * shipper is killed. (https://github.com/fluent/fluent-bit/issues/11527)
   */
  @Test
  void whatOnlyTheClientHadIsShippedByTheNextRun() throws Exception {
    TestingKafka kafka = TestingKafka.shared();
    Path log = folder.resolve("app.log");
    append(log, calls(1, 500));
    Process shipper = start(kafka.bootstrap(), log);
    try {
      kafka.pause();
      try {
        append(log, calls(501, 3_000));
        Thread.sleep(1_000);
        shipper.destroyForcibly().waitFor();
      } finally {
        kafka.resume();
      }
      shipTheRest(kafka, log, 3_000);
      assertThat(kafka.cids(folder.toString()).stream().sorted().toList())
          .isEqualTo(IntStream.rangeClosed(1, 3_000).boxed().toList());
    } finally {
      shipper.destroyForcibly().waitFor();
    }
  }

  /**
   * A line that has no end, in a JVM that could hold a fraction of it: read as it comes, in
   * constant memory. {@code -Dshipper.longLineMegabytes=1024} makes it a gigabyte.
   * (https://github.com/elastic/beats/issues/19500: kept whole, it ends in OutOfMemoryError.)
   */
  @Test
  void aLineLargerThanTheHeapIsOneLetter() throws Exception {
    TestingKafka kafka = TestingKafka.shared();
    Path log = folder.resolve("app.log");
    byte[] megabyte = "x".repeat(1 << 20).getBytes(UTF_8);
    int megabytes = Integer.getInteger("shipper.longLineMegabytes", 100);
    append(log, calls(1, 1));
    for (int k = 0; k < megabytes; k++) {
      Files.write(log, megabyte, StandardOpenOption.APPEND);
    }
    append(log, "\n" + calls(2, 2));
    Process shipper = launch(kafka.bootstrap(), log, "-Xmx48m", "-XX:+ExitOnOutOfMemoryError");
    try {
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> kafka.cids(folder.toString()).equals(List.of(1, 2)));
      assertThat(kafka.committed(Topics.DEAD_LETTERS, folder.toString()))
          .singleElement()
          .extracting(letter -> new String(letter.value(), UTF_8))
          .asString()
          .contains("\"reason\":\"too_long\"", "\"raw_length\":" + ((long) megabytes << 20));
    } finally {
      shipper.destroyForcibly().waitFor();
    }
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
      written = stopInTransaction(shipper, log, written);
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

  /** Stops (SIGSTOP) a shipper while its transaction is open, writing lines until it has one. */
  private int stopInTransaction(Process shipper, Path log, int written) throws Exception {
    long ceiling = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    int last = written;
    try (Admin admin = TestingKafka.shared().admin()) {
      while (true) {
        append(log, calls(last + 1, last + 500));
        last += 500;
        signal(shipper, "STOP");
        if (isOpen(admin)) {
          return last;
        }
        signal(shipper, "CONT");
        assertThat(System.nanoTime()).as("a transaction seen open").isLessThan(ceiling);
      }
    }
  }

  private static void signal(Process process, String name) throws Exception {
    int exit = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
    assertThat(exit).isZero();
  }

  private Process start(String brokers, Path log) throws IOException {
    Process shipper = launch(brokers, log);
    awaitShipping(shipper);
    return shipper;
  }

  private static void awaitShipping(Process shipper) throws IOException {
    assertThat(shipper.inputReader().readLine()).isEqualTo("SHIPPING");
  }

  private Process launch(String brokers, Path log, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    command.addAll(List.of(options));
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            TestingShipperMain.class.getName(),
            brokers,
            folder.getFileName().toString(),
            log + "*"));
    Process shipper =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Runtime.getRuntime().addShutdownHook(new Thread(shipper::destroyForcibly));
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
