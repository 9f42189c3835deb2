package org.capacityobservatory.shipper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.capacityobservatory.shipper.TestingLog.call;
import static org.capacityobservatory.shipper.TestingLog.calls;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.kafka.common.KafkaException;
import org.capacityobservatory.log.EntryName;
import org.junit.jupiter.api.Test;

class FeedTest {
  private TestingTap tap = new TestingTap();

  private TestingFeed pipe() {
    return new TestingFeed(
        (at, outlet) -> {
          tap = new TestingTap();
          return new Feed(
              "stdin:me",
              "standard input",
              FeedRecord.Kind.STDIN,
              tap,
              Ledger.NONE,
              at,
              outlet.nowMillis,
              TestingFeed.config().build(),
              outlet);
        });
  }

  private TestingFeed journal() {
    return new TestingFeed(
        (at, outlet) -> {
          tap = new TestingTap();
          return new Feed(
              "journald:host",
              "the journal",
              FeedRecord.Kind.JOURNALD,
              tap,
              new JournalLedger(at),
              at,
              outlet.nowMillis,
              TestingFeed.config().build(),
              outlet);
        });
  }

  private static List<Integer> numbers(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().toList();
  }

  /** Without keeping the lines in hand, the second pass ships nothing. */
  @Test
  void linesOfALostTransactionAreSentAgain() {
    TestingFeed pipe = pipe();
    tap.put(calls(1, 3) + "noise\n" + call(4).substring(0, 30));
    pipe.undonePass();
    pipe.undonePass();
    tap.put(call(4).substring(30) + "\n{\"event\":\"ocl_capacity\",x}\n");
    pipe.failSends(new KafkaException("gone"));
    assertThatThrownBy(pipe::read).isInstanceOf(KafkaException.class);
    pipe.undo();
    pipe.failSends(null);
    pipe.pass();
    pipe.pass();
    assertThat(pipe.cids()).isEqualTo(numbers(1, 4));
    assertThat(pipe.letters).hasSize(1);
    assertThat(pipe.books())
        .isEqualTo(
            new Books(
                6,
                4,
                1,
                1,
                0,
                calls(1, 4).length() + "noise\n{\"event\":\"ocl_capacity\",x}\n".length(),
                0,
                0));
  }

  /** What is committed says nothing of the lines that were read since. */
  @Test
  void linesReadSinceTheLastCommitAreSentAgain() {
    TestingFeed pipe = pipe();
    tap.put(calls(1, 2));
    pipe.pass();
    tap.put(calls(3, 5));
    pipe.read();
    pipe.undo();
    pipe.pass();
    assertThat(pipe.cids()).isEqualTo(numbers(1, 5));
  }

  @Test
  void aTransactionFoundCommittedIsNotSentAgain() {
    TestingFeed pipe = pipe();
    tap.put(calls(1, 3));
    pipe.passUnknown();
    tap.put(calls(4, 4));
    pipe.pass();
    assertThat(pipe.cids()).isEqualTo(numbers(1, 4));
  }

  @Test
  void eachRunOfAPipeHasItsOwnNumberAndTheBooksGoOn() {
    TestingFeed pipe = pipe();
    tap.put(calls(1, 2) + "2026-11-30T09:48:14Z stdout P half");
    tap.put("\n");
    pipe.pass();
    pipe.kill();
    tap.put(calls(1, 1) + call(3));
    tap.over = true;
    pipe.pass();
    assertThat(pipe.cids()).containsExactly(1, 2, 1, 3);
    long run = pipe.shipped.get(0).run();
    assertThat(run).isEqualTo(1_796_040_000_000L);
    assertThat(pipe.shipped.get(2).run()).as("even in the same millisecond").isEqualTo(run + 1);
    assertThat(pipe.shipped.get(2).position()).isZero();
    assertThat(pipe.books().acknowledged()).isEqualTo(4);
    assertThat(pipe.books().pending()).as("left in pieces by the first run").isEqualTo(1);
    assertThat(pipe.feed.status().state()).isEqualTo(SourceStatus.State.ENDED);
    assertThat(pipe.feed.unacknowledged()).isZero();
  }

  @Test
  void whatIsNotAcknowledgedIsCounted() {
    TestingFeed pipe = pipe();
    tap.put(calls(1, 2));
    pipe.pass();
    tap.put(calls(3, 5) + "noise\n" + call(6));
    pipe.read();
    tap.put("\n" + calls(7, 8));
    // Four lines read, one without its end, and three ends on hand, the first being that one's.
    assertThat(pipe.feed.unacknowledged()).isBetween(7L, 8L);
    tap.over = true;
    pipe.read();
    assertThat(pipe.feed.unacknowledged()).isEqualTo(7);
    pipe.pass();
    assertThat(pipe.feed.unacknowledged()).isZero();
  }

  static String entry(int cursor, String message, String more) {
    return "{\"__CURSOR\":\"c%d\",\"__REALTIME_TIMESTAMP\":\"%d\",%s\"MESSAGE\":\"%s\"}\n"
        .formatted(
            cursor, 1_796_040_000_000_000L + cursor * 1000L, more, message.replace("\"", "\\\""));
  }

  @Test
  void aJournalGoesOnAtItsCursor() {
    TestingFeed journal = journal();
    tap.put(entry(1, call(1), "") + entry(2, "noise", "") + entry(3, call(2), ""));
    journal.pass();
    FeedRecord at = Objects.requireNonNull(journal.committed());
    assertThat(at.resume()).isEqualTo("c3");
    assertThat(at.seen()).isEmpty();
    assertThat(at.position())
        .isEqualTo(entry(1, call(1), "").length() * 2 + entry(2, "noise", "").length());
    assertThat(journal.shipped)
        .extracting(TestingFeed.Shipped::name)
        .containsExactly(
            new EntryName(EntryName.JOURNALD, "c1"), new EntryName(EntryName.JOURNALD, "c3"));
    assertThat(journal.shipped.get(1).timeMillis()).isEqualTo(1_796_040_000_003L);
    journal.kill();
    tap.put(entry(4, call(3), ""));
    journal.pass();
    assertThat(journal.cids()).isEqualTo(numbers(1, 3));
    assertThat(journal.shipped.get(2).position()).isEqualTo(at.position());
    assertThat(journal.books().linesRead()).isEqualTo(4);
  }

  /**
   * With the newest cursor as the place to go on, the line in pieces is lost; without the hashes of
   * what is shipped past it, line 2 comes twice.
   */
  @Test
  void aRestartBetweenTwoPiecesLosesAndDoublesNothing() {
    String cut = "\"_STREAM_ID\":\"s1\",\"_LINE_BREAK\":\"line-max\",";
    String last = "\"_STREAM_ID\":\"s1\",";
    String other = "\"_STREAM_ID\":\"s2\",\"_LINE_BREAK\":\"line-max\",";
    String otherLast = "\"_STREAM_ID\":\"s2\",";
    String first = entry(1, call(0), "") + entry(2, call(1).substring(0, 100), cut);
    String second =
        entry(3, call(2).substring(0, 50), other)
            + entry(4, call(2).substring(50), otherLast)
            + entry(5, "noise", "");
    String third = entry(6, call(1).substring(100, 200), cut) + entry(7, call(3), "");
    String fourth = entry(8, call(1).substring(200), last);
    TestingFeed journal = journal();
    tap.put(first + second + third);
    journal.pass();
    assertThat(journal.cids()).containsExactly(0, 2, 3);
    assertThat(journal.books().pending()).isEqualTo(1);
    assertThat(Objects.requireNonNull(journal.committed()).resume()).isEqualTo("c1");
    // What stands after c1 comes again, first a part of it, and once more after another end.
    journal.kill();
    tap.put(first.substring(first.indexOf('\n') + 1) + second);
    journal.pass();
    journal.kill();
    tap.put(first.substring(first.indexOf('\n') + 1) + second + third + fourth);
    journal.pass();
    assertThat(journal.cids()).containsExactly(0, 2, 3, 1);
    assertThat(journal.shipped.get(3).text()).isEqualTo(call(1));
    FeedRecord at = Objects.requireNonNull(journal.committed());
    assertThat(at.resume()).isEqualTo("c8");
    assertThat(at.seen()).isEmpty();
    assertThat(journal.books().linesRead()).as("0, 2, noise, 3, 1").isEqualTo(5);
    assertThat(journal.books().pending()).isZero();
  }

  @Test
  void pieceOfALineThatIsTooFarFromItsEndIsGivenUp() {
    String cut = "\"_STREAM_ID\":\"s1\",\"_LINE_BREAK\":\"line-max\",";
    TestingFeed journal = journal();
    tap.put(entry(1, call(1).substring(0, 100), cut));
    for (int n = 2; n < JournalLedger.MAX_ENTRIES + 5; n++) {
      tap.put(entry(n, "noise", ""));
    }
    journal.pass();
    assertThat(journal.letters).hasSize(1);
    assertThat(Objects.requireNonNull(journal.committed()).resume())
        .isEqualTo("c" + (JournalLedger.MAX_ENTRIES + 4));
  }
}
