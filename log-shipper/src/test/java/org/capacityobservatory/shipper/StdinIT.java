package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.capacityobservatory.shipper.TestingKafka.header;
import static org.capacityobservatory.shipper.TestingLog.call;
import static org.capacityobservatory.shipper.TestingLog.calls;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.capacityobservatory.log.EventId;
import org.capacityobservatory.log.LineHeaders;
import org.capacityobservatory.log.Topics;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StdinIT {
  private static final Duration WAIT = Duration.ofSeconds(60);
  private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");

  private static TestingKafka kafka;

  @TempDir Path folder;
  private String identity = "";
  private String source = "";

  @BeforeAll
  static void startKafka() throws Exception {
    kafka = TestingKafka.shared();
  }

  @BeforeEach
  void nameSource() {
    identity = folder.getFileName().toString();
    source = "stdin:" + identity;
  }

  private Shipper shipper(InputStream stdin) {
    ShipperConfig config =
        ShipperConfig.builder()
            .bootstrapServers(kafka.bootstrap())
            .identity(identity)
            .feeds(List.of(new FeedConfig.Stdin()))
            .build();
    return new Shipper(
        config, InstantSource.fixed(NOW), System::nanoTime, stdin, new SimpleMeterRegistry());
  }

  private static List<Integer> numbers(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().toList();
  }

  private String lastBook() {
    List<ConsumerRecord<byte[], byte[]>> books = kafka.committed(Topics.BOOKS, source);
    return new String(books.get(books.size() - 1).value(), UTF_8);
  }

  @Test
  void itsLastLineNeedsNoEnd() throws Exception {
    InputStream stdin =
        new ByteArrayInputStream((call(20) + "\nnoise\n" + call(21)).getBytes(UTF_8));
    try (Shipper shipper = shipper(stdin)) {
      shipper.start();
      assertThat(shipper.awaitDone(WAIT).state()).isEqualTo(ShipperStatus.State.DONE);
      assertThat(shipper.unacknowledged()).isZero();
    }
    assertThat(kafka.cids(source)).containsExactly(20, 21);
    ConsumerRecord<byte[], byte[]> last = kafka.committed(Topics.LINES, source).get(1);
    int at = call(20).length() + 1 + "noise\n".length();
    assertThat(header(last, LineHeaders.EVENT_ID))
        .isEqualTo(EventId.of(source, NOW.toEpochMilli(), at).toString());
    assertThat(header(last, LineHeaders.GENERATION)).isEqualTo("" + NOW.toEpochMilli());
    assertThat(header(last, LineHeaders.POSITION)).isEqualTo("" + at);
    assertThat(header(last, LineHeaders.FLAG)).isEqualTo("unterminated");
    assertThat(lastBook())
        .contains("\"lines_read\":3,\"acknowledged\":2,\"quarantined\":0,\"not_ours\":1")
        .contains("\"state\":\"ended\"");

    // The next run of the same identity is another place: the same bytes are other lines.
    try (Shipper shipper = shipper(new ByteArrayInputStream(calls(20, 20).getBytes(UTF_8)))) {
      shipper.start();
      assertThat(shipper.awaitDone(WAIT).state()).isEqualTo(ShipperStatus.State.DONE);
    }
    assertThat(kafka.committed(Topics.LINES, source))
        .extracting(record -> header(record, LineHeaders.EVENT_ID))
        .hasSize(3)
        .doesNotHaveDuplicates();
    assertThat(lastBook()).contains("\"lines_read\":4,\"acknowledged\":3");
  }

  @Test
  void whatWasReadIsShippedWhenItIsToldToStop() throws Exception {
    try (PipedOutputStream writer = new PipedOutputStream()) {
      Shipper shipper = shipper(new PipedInputStream(writer));
      shipper.start();
      writer.write((calls(1, 3) + call(4)).getBytes(UTF_8));
      writer.flush();
      await().atMost(WAIT).until(() -> kafka.cids(source).size() == 3);
      assertThat(kafka.cids(source)).as("half a line may go on").containsExactly(1, 2, 3);
      shipper.close();
      assertThat(shipper.status().state()).isEqualTo(ShipperStatus.State.CLOSED);
      assertThat(shipper.unacknowledged()).isZero();
    }
    assertThat(kafka.cids(source)).containsExactly(1, 2, 3, 4);
    assertThat(lastBook()).contains("\"state\":\"ended\"", "\"acknowledged\":4");
  }

  /** Gives lines without end, and counts them. */
  private static final class Endless extends InputStream {
    private final AtomicLong lines = new AtomicLong();
    private final long last;
    private byte[] line = {};
    private int at;

    Endless(long last) {
      this.last = last;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("only in buffers");
    }

    @Override
    public int read(byte[] b, int offset, int length) throws IOException {
      int count = 0;
      while (count < length) {
        if (at == line.length) {
          if (lines.get() == last) {
            break;
          }
          line = (call((int) lines.incrementAndGet()) + "\n").getBytes(UTF_8);
          at = 0;
        }
        int some = Math.min(length - count, line.length - at);
        System.arraycopy(line, at, b, offset + count, some);
        at += some;
        count += some;
      }
      return count == 0 ? -1 : count;
    }
  }

  /**
   * 200 MB come while the broker is away: what is taken of them is at most what the producer's
   * buffer (64 MiB), one transaction and the queue hold. With an unbounded queue all of it is
   * taken.
   */
  @Test
  void aBrokerThatIsAwayStopsTheReadingAndNothingIsLostOrDoubled() throws Exception {
    int all = 400_000;
    Endless stdin = new Endless(all);
    try (Shipper shipper = shipper(stdin)) {
      shipper.start();
      await().atMost(WAIT).until(() -> stdin.lines.get() > 5_000);
      kafka.kill();
      await()
          .atMost(WAIT)
          .until(() -> shipper.status().state() == ShipperStatus.State.WAITING_FOR_BROKER);
      long taken = stdin.lines.get();
      assertThat(taken).isLessThan(all);
      Thread.sleep(1_000);
      assertThat(stdin.lines.get()).as("nothing is read meanwhile").isEqualTo(taken);
      kafka.restart();
      assertThat(shipper.awaitDone(Duration.ofSeconds(110)).state())
          .isEqualTo(ShipperStatus.State.DONE);
      assertThat(shipper.unacknowledged()).isZero();
    }
    List<Integer> cids = kafka.cids(source);
    assertThat(cids).hasSize(all);
    assertThat(cids.stream().sorted().toList()).isEqualTo(numbers(1, all));
  }

  @Test
  void whatCantBeShippedInTimeIsCounted() throws Exception {
    try (PipedOutputStream writer = new PipedOutputStream()) {
      Shipper shipper = shipper(new PipedInputStream(writer, 1 << 20));
      shipper.start();
      writer.write(calls(1, 3).getBytes(UTF_8));
      writer.flush();
      await().atMost(WAIT).until(() -> kafka.cids(source).size() == 3);
      kafka.kill();
      try {
        writer.write((calls(4, 8) + call(9)).getBytes(UTF_8));
        writer.flush();
        await()
            .atMost(WAIT)
            .until(() -> shipper.status().state() == ShipperStatus.State.WAITING_FOR_BROKER);
        shipper.close();
        assertThat(shipper.unacknowledged()).isEqualTo(6);
      } finally {
        kafka.restart();
      }
    }
    assertThat(kafka.cids(source)).containsExactly(1, 2, 3);
  }
}
