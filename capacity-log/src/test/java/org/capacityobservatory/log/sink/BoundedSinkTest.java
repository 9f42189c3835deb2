package org.capacityobservatory.log.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;
import static org.capacityobservatory.log.sink.TestingCalls.call;
import static org.capacityobservatory.log.sink.TestingCalls.cids;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.capacityobservatory.log.CapacityCall;
import org.capacityobservatory.log.ConfigChange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sink that waited for its output would hang here until the ceiling ends the test. */
@Timeout(120)
class BoundedSinkTest {
  private static final Duration CEILING = Duration.ofSeconds(100);
  private static final SinkConfig THREE = new SinkConfig(3, Duration.ofSeconds(2));

  @TempDir Path folder;

  @Test
  void writesWhatIsPutInOrderAndCountsIt() {
    TestingChannel out = new TestingChannel();
    BoundedSink sink = BoundedSink.open(LineOutput.channel(out));
    sink.put(call("a"));
    sink.put("{\"event\":\"other\"}");
    sink.put(call("b"));
    sink.close();
    assertThat(out.text())
        .isEqualTo(
            """
            {"event":"ocl_capacity","decision":"admitted","held_ms":840,"cid":"a"}
            {"event":"other"}
            {"event":"ocl_capacity","decision":"admitted","held_ms":840,"cid":"b"}
            """);
    SinkStats stats = sink.stats();
    assertThat(stats.offered()).isEqualTo(3);
    assertThat(stats.written()).isEqualTo(3);
    assertThat(stats.allDropped()).isZero();
    assertThat(stats.queued()).isZero();
  }

  @Test
  void aBlockedOutputCostsLinesAndNotTheCall() throws Exception {
    TestingChannel out = new TestingChannel();
    out.block();
    BoundedSink sink = BoundedSink.open(LineOutput.channel(out), THREE);
    assertThat(sink.put(call("1"))).isTrue();
    out.entered.await();
    // The line being written counts as queued.
    assertThat(sink.put(call("2"))).isTrue();
    assertThat(sink.put(call("3"))).isTrue();
    assertThat(sink.put(call("4"))).isFalse();
    assertThat(sink.put(call("5"))).isFalse();
    assertThat(sink.stats().dropped(DropCause.QUEUE_FULL)).isEqualTo(2);
    assertThat(sink.stats().queued()).isEqualTo(3);
    assertThat(sink.stats().pending()).isEqualTo(2);
    out.unblock();
    await().atMost(CEILING).until(() -> sink.stats().written() == 3);
    sink.put(call("6"));
    sink.put(call("7"));
    sink.close();
    assertThat(cids(out.lines())).containsExactly("1", "2", "3", "6", "7");
    // The first line put after the loss tells of it, not one that stood before it.
    assertThat(out.lines().get(3)).endsWith("\"cid\":\"6\",\"log_dropped\":2}");
    assertThat(TestingCalls.told(out.lines())).isEqualTo(2);
    assertThat(sink.stats().pending()).isZero();
  }

  @Test
  void closingDoesNotWaitForABlockedOutputAndSettlesWhenItLetsGo() throws Exception {
    TestingChannel out = new TestingChannel();
    out.block();
    BoundedSink sink =
        BoundedSink.open(LineOutput.channel(out), new SinkConfig(9, Duration.ofMillis(50)));
    sink.put(call("1"));
    out.entered.await();
    sink.put(call("2"));
    sink.close();
    assertThat(sink.put(call("3"))).isFalse();
    assertThat(sink.stats().queued()).isEqualTo(2);
    assertThat(sink.stats().dropped(DropCause.CLOSED)).isEqualTo(1);
    out.unblock();
    // The write in hand had begun; what waited behind it is dropped.
    await().atMost(CEILING).until(() -> sink.stats().queued() == 0);
    assertThat(cids(out.lines())).containsExactly("1");
    assertThat(sink.stats().dropped(DropCause.ABANDONED)).isEqualTo(1);
    assertThat(sink.stats().pending()).isEqualTo(2);
    assertThat(sink.stats().offered()).isEqualTo(3);
  }

  @Test
  void closingWaitsForTheLineBeingWritten() throws Exception {
    TestingChannel out = new TestingChannel();
    out.block();
    BoundedSink sink = BoundedSink.open(LineOutput.channel(out));
    sink.put(call("1"));
    out.entered.await();
    Thread later = new Thread(out::unblock);
    Thread closing = Thread.currentThread();
    // The output lets go only once closing waits.
    Thread watcher =
        new Thread(
            () -> {
              await().atMost(CEILING).until(() -> closing.getState() == Thread.State.TIMED_WAITING);
              later.start();
            });
    watcher.start();
    sink.close();
    watcher.join();
    assertThat(cids(out.lines())).containsExactly("1");
  }

  @Test
  void aBrokenOutputIsCountedAndToldByTheNextLineThatGetsThrough() {
    AtomicInteger writes = new AtomicInteger();
    TestingChannel out =
        new TestingChannel() {
          @Override
          public int write(ByteBuffer bytes) throws IOException {
            if (writes.incrementAndGet() == 1) {
              // Half of the line goes out before it breaks.
              take(bytes, 10);
              throw new IOException("No space left on device");
            }
            return take(bytes, 7);
          }
        };
    BoundedSink sink = BoundedSink.open(LineOutput.channel(out));
    sink.put(call("1"));
    await().atMost(CEILING).until(() -> sink.stats().dropped(DropCause.WRITE_FAILED) == 1);
    assertThat(sink.stats().problem()).contains("No space left on device");
    sink.put(call("2"));
    sink.close();
    // The torn half stands on a line of its own, where a reader sees that it is half a line.
    assertThat(out.lines()).hasSize(2);
    assertThat(out.lines().get(0)).isEqualTo("{\"event\":\"");
    assertThat(out.lines().get(1)).endsWith("\"cid\":\"2\",\"log_dropped\":1}");
    assertThat(sink.stats().pending()).isZero();
  }

  @Test
  void anOutputThatThrowsAnythingHarmsNobody() {
    AtomicInteger writes = new AtomicInteger();
    TestingChannel out =
        new TestingChannel() {
          @Override
          public int write(ByteBuffer bytes) {
            switch (writes.incrementAndGet()) {
              case 1 -> throw new IllegalStateException("bug");
              case 2 -> throw new AssertionError("worse");
              default -> {
                return take(bytes, bytes.remaining());
              }
            }
          }
        };
    BoundedSink sink = BoundedSink.open(LineOutput.channel(out));
    for (int line = 1; line <= 2; line++) {
      sink.put(call("lost"));
      int failed = line;
      await().atMost(CEILING).until(() -> sink.stats().dropped(DropCause.WRITE_FAILED) == failed);
    }
    sink.put(call("3"));
    sink.close();
    assertThat(cids(out.lines())).containsExactly("3");
    assertThat(TestingCalls.told(out.lines())).isEqualTo(2);
  }

  @Test
  void whatCannotBeEncodedIsDroppedAndToldOf() {
    TestingChannel out = new TestingChannel();
    BoundedSink sink = BoundedSink.open(LineOutput.channel(out));
    putNull(sink);
    sink.put(
        new ConfigChange(1L, null, null, null, null, "no JSON", null, List.of(), "", List.of()));
    sink.put("plain text can't tell");
    sink.put(call("1"));
    sink.close();
    assertThat(out.lines()).hasSize(2);
    assertThat(out.lines().get(0)).isEqualTo("plain text can't tell");
    assertThat(out.lines().get(1)).endsWith("\"cid\":\"1\",\"log_dropped\":2}");
    assertThat(sink.stats().dropped(DropCause.UNENCODABLE)).isEqualTo(2);
    assertThat(sink.stats().written()).isEqualTo(2);
  }

  @SuppressWarnings("NullAway") // what code without null checks can do
  private static void putNull(BoundedSink sink) {
    sink.put((CapacityCall) null);
    assertThat(sink.stats().accepted()).isEqualTo(1);
  }

  @Test
  void aWriteOfNothingIsTriedAgain() {
    AtomicInteger writes = new AtomicInteger();
    TestingChannel out =
        new TestingChannel() {
          @Override
          public int write(ByteBuffer bytes) {
            return writes.incrementAndGet() % 2 == 1 ? 0 : take(bytes, 30);
          }
        };
    BoundedSink sink = BoundedSink.open(LineOutput.channel(out));
    sink.put(call("1"));
    sink.close();
    assertThat(cids(out.lines())).containsExactly("1");
  }

  @Test
  void aSleepingSinkIsWoken() {
    TestingChannel out = new TestingChannel();
    try (BoundedSink sink = BoundedSink.open(LineOutput.channel(out))) {
      for (int line = 1; line <= 3; line++) {
        await().atMost(CEILING).until(() -> writerThreads().contains(Thread.State.WAITING));
        sink.put(call("n" + line));
        int all = line;
        await().atMost(CEILING).until(() -> sink.stats().written() == all);
      }
    }
  }

  private static List<Thread.State> writerThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("capacity-log-sink"))
        .map(Thread::getState)
        .toList();
  }

  @Test
  void aFileIsAppendedToAndHalfALineOfAnEarlierRunIsEnded() throws Exception {
    Path file = folder.resolve("app.log");
    Files.writeString(file, "{\"event\":\"ocl_ca");
    try (BoundedSink sink = BoundedSink.open(LineOutput.file(file))) {
      sink.put(call("1"));
    }
    try (BoundedSink sink = BoundedSink.open(LineOutput.file(file))) {
      sink.put(call("2"));
    }
    List<String> lines = Files.readAllLines(file);
    assertThat(lines.get(0)).isEqualTo("{\"event\":\"ocl_ca");
    assertThat(cids(lines.subList(1, lines.size()))).containsExactly("1", "2");
  }

  @Test
  void aFileThatCannotBeOpenedIsTriedAgainAtTheNextLine() throws Exception {
    Path parent = folder.resolve("missing");
    try (BoundedSink sink = BoundedSink.open(LineOutput.file(parent.resolve("app.log")))) {
      sink.put(call("1"));
      await().atMost(CEILING).until(() -> sink.stats().dropped(DropCause.WRITE_FAILED) == 1);
      assertThat(sink.stats().problem()).contains("NoSuchFileException");
      Files.createDirectory(parent);
      sink.put(call("2"));
    }
    assertThat(Files.readString(parent.resolve("app.log"))).endsWith("\"2\",\"log_dropped\":1}\n");
  }

  @Test
  void anOutputThatBlocksWhenOpenedHoldsNobodyUp() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    LineOutput stuck =
        new LineOutput() {
          @Override
          public WritableByteChannel open() throws IOException {
            try {
              never.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            throw new IOException("let go");
          }

          @Override
          public void release(WritableByteChannel channel) {}
        };
    BoundedSink sink = BoundedSink.open(stuck, new SinkConfig(3, Duration.ZERO));
    for (int line = 0; line < 10; line++) {
      sink.put(call("x"));
    }
    assertThat(sink.stats().dropped(DropCause.QUEUE_FULL)).isEqualTo(7);
    sink.close();
    never.countDown();
  }

  @Test
  void aConfigNamesAllOfItsProblems() {
    assertThat(SinkConfig.DEFAULT).isEqualTo(new SinkConfig(1_000, Duration.ofSeconds(2)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SinkConfig(0, Duration.ofMillis(2_001)))
        .withMessage(
            "The sink's config can't be used: capacityLines is 0, not within 1 to 1048576;"
                + " closeWait is PT2.001S, not within 0 s to 2 s");
  }
}
