package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;
import static org.capacityobservatory.shipper.TestingKafka.header;
import static org.capacityobservatory.shipper.TestingLog.append;
import static org.capacityobservatory.shipper.TestingLog.call;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.capacityobservatory.log.EntryName;
import org.capacityobservatory.log.EventId;
import org.capacityobservatory.log.LineHeaders;
import org.capacityobservatory.log.Topics;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a journalctl of our own, which is a real process over a file of entries. */
class JournalIT {
  private static final Duration WAIT = Duration.ofSeconds(60);

  /** Knows the flags that we give; a file {@code broken} beside it makes it fail. */
  private static final String JOURNALCTL =
      """
      #!/bin/sh
      dir=$(dirname "$0")
      printf '%s\\n' "$*" >> "$dir/calls"
      if [ -e "$dir/broken" ]; then echo "No journal files were opened" >&2; exit 3; fi
      start=1
      follow=
      for word; do
        case $word in
          --after-cursor=*)
            at=$(grep -n -F "\\"__CURSOR\\":\\"${word#*=}\\"" "$dir/journal" | cut -d: -f1)
            start=$((at + 1)) ;;
          --follow) follow=-f ;;
          --output=json | --all | --no-pager | --no-tail | --unit=*) ;;
          *) echo "unrecognized option $word" >&2; exit 1 ;;
        esac
      done
      exec tail -n "+$start" $follow "$dir/journal"
      """;

  private static TestingKafka kafka;

  @TempDir Path folder;
  private Path journal;
  private Path journalctl;
  private int cursor;

  @BeforeAll
  static void startKafka() throws Exception {
    kafka = TestingKafka.shared();
  }

  @BeforeEach
  void makeJournal() throws IOException {
    journal = folder.resolve("journal");
    journalctl = folder.resolve("journalctl");
    Files.writeString(journalctl, JOURNALCTL);
    Files.setPosixFilePermissions(journalctl, PosixFilePermissions.fromString("rwx------"));
    append(journal, "");
  }

  private String prefix() {
    return folder + "/";
  }

  private ShipperConfig.Builder config(String command) {
    return ShipperConfig.builder()
        .bootstrapServers(kafka.bootstrap())
        .identity(folder.getFileName().toString())
        .sourcePrefix(prefix())
        .feeds(List.of(new FeedConfig.Journald(command, "api.service")));
  }

  private Shipper shipper(ShipperConfig config) {
    return new Shipper(config, InstantSource.system(), new SimpleMeterRegistry());
  }

  private void write(int from, int to) throws IOException {
    StringBuilder entries = new StringBuilder();
    for (int n = from; n <= to; n++) {
      cursor++;
      entries.append(FeedTest.entry(cursor, call(n), ""));
    }
    append(journal, entries.toString());
  }

  private static List<Integer> numbers(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().toList();
  }

  private long acknowledged(Shipper shipper) {
    return shipper.status().sources().stream().mapToLong(s -> s.books().acknowledged()).sum();
  }

  @Test
  void followsTheJournalOverRestarts() throws Exception {
    write(1, 5);
    try (Shipper shipper = shipper(config(journalctl.toString()).build())) {
      shipper.start();
      await().atMost(WAIT).until(() -> acknowledged(shipper) == 5);
      write(6, 7);
      await().atMost(WAIT).until(() -> acknowledged(shipper) == 7);
    }
    write(8, 9);
    try (Shipper shipper = shipper(config(journalctl.toString()).build())) {
      shipper.start();
      await().atMost(WAIT).until(() -> acknowledged(shipper) == 9);
    }
    assertThat(kafka.cids(prefix())).isEqualTo(numbers(1, 9));
    ConsumerRecord<byte[], byte[]> sixth = kafka.committed(Topics.LINES, prefix()).get(5);
    assertThat(new String(sixth.key(), UTF_8))
        .isEqualTo(prefix() + "journald:" + ShipperConfig.hostName() + "/api.service");
    assertThat(header(sixth, LineHeaders.EVENT_ID))
        .isEqualTo(EventId.named(new EntryName(EntryName.JOURNALD, "c6")).toString());
    assertThat(header(sixth, LineHeaders.TIME_SOURCE)).isEqualTo("envelope");
    assertThat(sixth.timestamp()).isEqualTo(1_796_040_000_006L);
    List<String> calls = Files.readAllLines(folder.resolve("calls"));
    assertThat(calls)
        .containsExactly(
            "--output=json --all --no-pager --unit=api.service --follow --no-tail",
            "--output=json --all --no-pager --unit=api.service --follow --no-tail"
                + " --after-cursor=c7");
  }

  @Test
  void aJournalctlThatEndsIsStartedAgainWhereItWas() throws Exception {
    write(1, 3);
    try (Shipper shipper = shipper(config(journalctl.toString()).build())) {
      shipper.start();
      await().atMost(WAIT).until(() -> acknowledged(shipper) == 3);
      Files.createFile(folder.resolve("broken"));
      ProcessHandle.current()
          .descendants()
          .filter(p -> p.info().commandLine().orElse("").contains(journal.toString()))
          .forEach(ProcessHandle::destroyForcibly);
      await()
          .atMost(WAIT)
          .until(
              () ->
                  shipper.status().sources().stream()
                      .anyMatch(
                          s ->
                              String.valueOf(s.problem())
                                  .contains("code 3: No journal files were opened")));
      write(4, 6);
      Files.delete(folder.resolve("broken"));
      await().atMost(WAIT).until(() -> acknowledged(shipper) == 6);
      assertThat(shipper.status().sources().get(0).problem()).isNull();
    }
    assertThat(kafka.cids(prefix())).isEqualTo(numbers(1, 6));
  }

  @Test
  void everyEntryIsShippedOnceHoweverOftenTheShipperIsKilled() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    write(1, 4_000);
    int written = 4_000;
    for (int kill = 0; kill < 3; kill++) {
      Process shipper =
          TestingFeedMain.start(
              kafka.bootstrap(),
              folder.getFileName().toString(),
              prefix(),
              "journald",
              journalctl.toString());
      write(written + 1, written + 500);
      written += 500;
      Thread.sleep(random.nextInt(100));
      List<ProcessHandle> children = shipper.descendants().toList();
      shipper.destroyForcibly().waitFor();
      children.forEach(ProcessHandle::destroyForcibly);
    }
    ShipperConfig once = config(journalctl.toString()).once(true).build();
    ShipperConfig whole =
        ShipperConfig.builder()
            .bootstrapServers(kafka.bootstrap())
            .identity(once.identity())
            .sourcePrefix(prefix())
            .feeds(List.of(new FeedConfig.Journald(journalctl.toString(), "")))
            .once(true)
            .build();
    try (Shipper shipper = shipper(whole)) {
      shipper.start();
      assertThat(shipper.awaitDone(WAIT).state()).isEqualTo(ShipperStatus.State.DONE);
      assertThat(acknowledged(shipper)).isEqualTo(written);
    }
    assertThat(kafka.cids(prefix()).stream().sorted().toList())
        .as("seed %d", seed)
        .isEqualTo(numbers(1, written));
  }

  @Test
  void aHostWithoutJournalctlIsToldSoAtTheStart() {
    ShipperException e =
        catchThrowableOfType(
            ShipperException.class, () -> shipper(config(folder + "/nowhere").build()).run());
    assertThat(e.kind()).isEqualTo(ShipperException.Kind.SOURCE_UNREADABLE);
    assertThat(e.getMessage())
        .contains(folder + "/nowhere can't be started", "on a host without it, ship files");
  }

  @Test
  void shippingOnceFailsWhereJournalctlDoes() throws Exception {
    Files.createFile(folder.resolve("broken"));
    ShipperException e =
        catchThrowableOfType(
            ShipperException.class,
            () -> shipper(config(journalctl.toString()).once(true).build()).run());
    assertThat(e.getMessage()).contains("journalctl ended with code 3");
  }

  /** An export is a file; its entries keep their names, so they are the ones that are followed. */
  @Test
  void anExportIsAFileWhoseEntriesKeepTheirNames() throws Exception {
    write(1, 3);
    append(journal, FeedTest.entry(4, "noise", ""));
    ShipperConfig config =
        ShipperConfig.builder()
            .bootstrapServers(kafka.bootstrap())
            .identity(folder.getFileName().toString())
            .files(List.of(journal.toString()))
            .once(true)
            .build();
    for (int run = 0; run < 2; run++) {
      try (Shipper shipper = shipper(config)) {
        shipper.start();
        assertThat(shipper.awaitDone(WAIT).state()).isEqualTo(ShipperStatus.State.DONE);
        assertThat(shipper.status().sources().get(0).books().notOurs()).isEqualTo(1);
      }
    }
    assertThat(kafka.committed(Topics.LINES, journal.toString()))
        .extracting(record -> header(record, LineHeaders.EVENT_ID))
        .containsExactly(
            EventId.named(new EntryName(EntryName.JOURNALD, "c1")).toString(),
            EventId.named(new EntryName(EntryName.JOURNALD, "c2")).toString(),
            EventId.named(new EntryName(EntryName.JOURNALD, "c3")).toString());
  }
}
