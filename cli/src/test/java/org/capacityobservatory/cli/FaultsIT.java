package org.capacityobservatory.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.capacityobservatory.localstack.ChildProcess;
import org.capacityobservatory.localstack.FaultyLink;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.capacityobservatory.localstack.LocalKafka;
import org.capacityobservatory.localstack.LocalKafkaConfig;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.Verification;
import org.capacityobservatory.streams.writer.WriterConfig;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills, pauses and cuts whatever runs, at seeded moments while lines are written, and then counts:
 * every call can be queried once, and decisions and latencies per minute are those of a recount.
 *
 * <p>{@code -Dfaults.seeds=1..40} runs others than the three of every build. A run in which no kill
 * fell into an open transaction, or none into an insert, proves nothing and fails.
 */
class FaultsIT {
  private static final int FAULTS = 8;
  private static final int LINES_BETWEEN = 400;
  private static final Duration AIM = Duration.ofSeconds(4);
  private static final Duration PATIENCE = Duration.ofSeconds(110);

  @TempDir private Path directory;

  private final Map<String, ChildProcess> processes = new LinkedHashMap<>();
  private final Map<String, List<String>> commands = new LinkedHashMap<>();
  private LocalKafka kafka;
  private LocalClickHouse clickHouse;
  private FaultyLink link;
  private Admin admin;
  private Jdbi queries;
  private int killsInTransaction;
  private int killsInInsert;
  private final Map<String, Integer> done = new TreeMap<>();

  @Test
  void everyCallIsStoredOnceAndEveryMinuteIsTheRecount() throws Exception {
    for (long seed : seeds()) {
      run(seed);
    }
    System.out.printf(
        "faults: %s; kills in an open transaction: %d, in an insert: %d%n",
        done, killsInTransaction, killsInInsert);
    assertThat(killsInTransaction).as("kills that landed in a transaction").isPositive();
    assertThat(killsInInsert).as("kills that landed in an insert").isPositive();
  }

  private static long[] seeds() {
    String asked = System.getProperty("faults.seeds", "1,2,3");
    String[] range = asked.split("\\.\\.", -1);
    return range.length == 2
        ? LongStream.rangeClosed(Long.parseLong(range[0]), Long.parseLong(range[1])).toArray()
        : Stream.of(asked.split(",", -1)).mapToLong(Long::parseLong).toArray();
  }

  private void run(long seed) throws Exception {
    long beganNanos = System.nanoTime();
    Random random = new Random(seed);
    Path folder = Files.createDirectories(directory.resolve("logs").resolve("seed-" + seed));
    TestingLines lines =
        new TestingLines(
            "s" + seed, seed, Instant.now().truncatedTo(ChronoUnit.HOURS).minusSeconds(7_200));
    Path log = folder.resolve("api.log");
    for (int fault = 0; fault < FAULTS; fault++) {
      lines.append(log, LINES_BETWEEN);
      if (fault == FAULTS / 2) {
        Files.move(log, folder.resolve("api.log.1"));
      }
      Thread.sleep(random.nextInt(800));
      harm(random, () -> lines.append(log, 20));
    }
    link.delayAnswers(Duration.ofMillis(50));
    lines.append(log, LINES_BETWEEN);
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(stored(folder)).hasSize(lines.cids().size()));
    check(seed, folder, lines);
    System.out.printf(
        "seed %d: %d calls, %.0f s%n",
        seed, lines.cids().size(), (System.nanoTime() - beganNanos) / 1e9);
  }

  private void check(long seed, Path folder, TestingLines lines) {
    assertThat(stored(folder))
        .as("seed %d", seed)
        .containsExactlyInAnyOrderElementsOf(lines.cids());
    // The recount is of all seeds so far: what a later one does must not change an earlier one.
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              Verification result = verify();
              assertThat(result.differences()).as("seed %d", seed).isEmpty();
              assertThat(result.differingCells()).isZero();
            });
    Map<String, Integer> decisions = new TreeMap<>();
    queries.useHandle(
        handle ->
            handle
                .createQuery(
                    "SELECT toString(decision) AS d, count() AS n FROM calls FINAL"
                        + " WHERE startsWith(source, :folder) GROUP BY d")
                .bind("folder", folder.toString())
                .map((row, context) -> decisions.put(row.getString("d"), row.getInt("n")))
                .list());
    assertThat(decisions).as("seed %d", seed).isEqualTo(lines.byDecision());
    assertThat(
            count(
                "SELECT count() FROM dead_letters FINAL WHERE startsWith(ifNull(source, ''), '"
                    + folder
                    + "')"))
        .as("seed %d", seed)
        .isEqualTo(lines.dead());
  }

  private Verification verify() {
    return Verification.of(
        queries,
        Instant.EPOCH,
        Instant.now().plusSeconds(86_400),
        Instant.now(),
        Duration.ofDays(90),
        0.8);
  }

  private List<String> stored(Path folder) {
    return queries.withHandle(
        handle ->
            handle
                .createQuery(
                    "SELECT ifNull(cid, '') FROM calls FINAL WHERE startsWith(source, :folder)")
                .bind("folder", folder.toString())
                .mapTo(String.class)
                .list());
  }

  private long count(String query) {
    return queries.withHandle(handle -> handle.createQuery(query).mapTo(Long.class).one());
  }

  @FunctionalInterface
  private interface Traffic {
    void goOn() throws IOException;
  }

  private void harm(Random random, Traffic traffic) throws Exception {
    List<String> targets = new ArrayList<>(processes.keySet());
    String target = targets.get(random.nextInt(targets.size()));
    int dice = random.nextInt(10);
    if (dice < 6) {
      note("kill " + target.replaceFirst("-.*", ""));
      kill(target, random, traffic);
    } else if (dice == 6) {
      note("kill kafka");
      kafka.kill();
      Thread.sleep(random.nextInt(1_000));
      kafka.restart();
    } else if (dice == 7) {
      note("kill clickhouse");
      clickHouse.kill();
      Thread.sleep(random.nextInt(1_000));
      clickHouse.restart();
    } else if (dice == 8) {
      note("pause " + target.replaceFirst("-.*", ""));
      signal("STOP", process(target).pid());
      Thread.sleep(500 + random.nextInt(2_500));
      signal("CONT", process(target).pid());
    } else {
      note("cut connections to clickhouse");
      link.cutAnswers(true);
      Thread.sleep(300 + random.nextInt(1_000));
      link.cutAnswers(false);
      link.breakConnections();
    }
  }

  private ChildProcess process(String name) {
    return Objects.requireNonNull(processes.get(name));
  }

  private void note(String fault) {
    done.merge(fault, 1, Integer::sum);
  }

  /** Most kills wait for a moment at which something is under way; the others come as they come. */
  private void kill(String name, Random random, Traffic traffic) throws Exception {
    long aimUntil = System.nanoTime() + (random.nextInt(4) == 0 ? 0 : AIM.toNanos());
    while (System.nanoTime() < aimUntil && !isBusy(name)) {
      traffic.goOn();
    }
    process(name).kill();
    if (isBusy(name)) {
      if (name.equals("write")) {
        killsInInsert++;
      } else {
        killsInTransaction++;
      }
    }
    Thread.sleep(random.nextInt(1_000));
    processes.put(name, launch(name));
  }

  private boolean isBusy(String name) throws Exception {
    return name.equals("write") ? isInInsert() : isInTransaction(name);
  }

  /** An intent that stands beside an offset says that its rows weren't proven stored yet. */
  private boolean isInInsert() throws Exception {
    return admin
        .listConsumerGroupOffsets(WriterConfig.DEFAULT_GROUP_ID)
        .partitionsToOffsetAndMetadata()
        .get()
        .values()
        .stream()
        .map(OffsetAndMetadata::metadata)
        .anyMatch(metadata -> metadata.split(" ", -1).length == 6);
  }

  private boolean isInTransaction(String name) throws Exception {
    String owner = name.equals("ship") ? "capacity-ship-" : "capacity-streams";
    return admin
        .listTransactions(
            new ListTransactionsOptions().filterStates(List.of(TransactionState.ONGOING)))
        .all()
        .get()
        .stream()
        .anyMatch(transaction -> transaction.transactionalId().startsWith(owner));
  }

  private static void signal(String name, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor())
        .isZero();
  }

  @BeforeEach
  void startStack() throws IOException {
    kafka = LocalKafka.start(LocalKafkaConfig.in(directory.resolve("kafka")));
    clickHouse = LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("clickhouse")));
    link = FaultyLink.to(clickHouse.port());
    // So that the writer waits for an answer much of the time, which is when it is to be killed.
    link.delayAnswers(Duration.ofMillis(150));
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()));
    new TopicAdmin(kafka.bootstrap()).apply(TopicPlan.all(TopicPlan.DEFAULT_PARTITIONS), (short) 1);
    queries =
        ClickHouse.queries(
            new ClickHouseConfig(
                clickHouse.url(),
                LocalClickHouse.WRITER,
                clickHouse.password(LocalClickHouse.WRITER),
                ClickHouseConfig.DEFAULT_DATABASE),
            new Properties());
    describeProcesses();
    for (String name : commands.keySet()) {
      processes.put(name, launch(name));
    }
  }

  /** Sessions and transactions end soon, so that much can happen in little time. */
  private void describeProcesses() throws IOException {
    Path sessions = directory.resolve("sessions.properties");
    Files.writeString(sessions, "session.timeout.ms=6000\nheartbeat.interval.ms=1500\n");
    Path streams = directory.resolve("streams.properties");
    Files.writeString(
        streams,
        """
        consumer.session.timeout.ms=6000
        consumer.heartbeat.interval.ms=1500
        producer.transaction.timeout.ms=6000
        """);
    List<String> to = List.of("--kafka", kafka.bootstrap());
    commands.put(
        "write",
        concat(
            to,
            "--kafka-config",
            sessions.toString(),
            "--clickhouse",
            link.url().toString(),
            "--clickhouse-password-file",
            clickHouse.passwordFile(LocalClickHouse.WRITER).toString()));
    for (String name : List.of("streams-1", "streams-2")) {
      commands.put(
          name,
          concat(
              to,
              "--kafka-config",
              streams.toString(),
              "--state-dir",
              directory.resolve(name).toString()));
    }
    commands.put(
        "ship", concat(to, "--id", "faults", directory.resolve("logs") + "/seed-*/api.log*"));
  }

  private static List<String> concat(List<String> first, String... more) {
    return Stream.concat(first.stream(), Stream.of(more)).toList();
  }

  private ChildProcess launch(String name) {
    return ChildProcess.builder(name, Main.class)
        .jvmOptions("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m")
        .arguments(name.replaceFirst("-.*", ""))
        .arguments(commands.getOrDefault(name, List.of()).toArray(String[]::new))
        .logFile(directory.resolve("process-logs").resolve(name + ".log"))
        .start();
  }

  @AfterEach
  void stopStack() {
    processes.values().forEach(ChildProcess::kill);
    admin.close(Duration.ofSeconds(1));
    link.close();
    clickHouse.close();
    kafka.close();
  }
}
