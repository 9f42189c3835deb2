package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.capacityobservatory.log.EntryName;
import org.capacityobservatory.log.JudgedLine;
import org.jspecify.annotations.Nullable;

/**
 * A feed without Kafka: {@link #pass} is one committed transaction, {@link #undonePass} one that is
 * lost, {@link #kill} the end of the process.
 */
final class TestingFeed implements Outlet {
  record Shipped(long run, long position, String text, @Nullable EntryName name, long timeMillis) {}

  /** Makes the tap and its ledger for a run that begins at what is committed. */
  interface Opening extends BiFunction<@Nullable FeedRecord, TestingFeed, Feed> {}

  private final Opening opening;
  private @Nullable FeedRecord committed;
  private @Nullable FeedRecord inHand;
  private final List<Shipped> staged = new ArrayList<>();
  private final List<String> stagedLetters = new ArrayList<>();
  final List<Shipped> shipped = new ArrayList<>();
  final List<String> letters = new ArrayList<>();
  long nowMillis = 1_796_040_000_000L;
  private @Nullable RuntimeException sendFailure;
  Feed feed;

  TestingFeed(Opening opening) {
    this.opening = opening;
    this.feed = opening.apply(null, this);
  }

  @Override
  public void line(Origin from, JudgedLine line, long readAtMillis) {
    failIfTold();
    staged.add(
        new Shipped(
            from.number(),
            line.position(),
            new String(line.bytes(), line.from(), line.to() - line.from(), UTF_8),
            line.name(),
            line.hasTime() ? line.timeMillis() : -1));
  }

  @Override
  public void deadLetter(Origin from, JudgedLine line, long readAtMillis) {
    failIfTold();
    stagedLetters.add(line.reason() + ": " + line.detail());
  }

  private void failIfTold() {
    RuntimeException e = sendFailure;
    if (e != null) {
      throw e;
    }
  }

  /** The next sends fail. */
  void failSends(@Nullable RuntimeException e) {
    sendFailure = e;
  }

  void read() {
    while (feed.read(new byte[0], nowMillis, nowMillis * 1_000_000)) {
      // On, until there is nothing.
    }
  }

  private void write() {
    inHand = committed;
    feed.writePositions(
        at -> {
          // As it goes to Kafka and comes back.
          byte[] key = PositionCodec.key("test", at);
          inHand = (FeedRecord) PositionCodec.read(key, PositionCodec.value(at), "test");
        });
    assertThat(feed.status().books().balance()).as("%s", feed.status()).isTrue();
  }

  void pass() {
    read();
    write();
    take();
    feed.written();
  }

  private void take() {
    committed = inHand;
    shipped.addAll(staged);
    letters.addAll(stagedLetters);
    staged.clear();
    stagedLetters.clear();
  }

  void undonePass() {
    read();
    write();
    undo();
  }

  void undo() {
    staged.clear();
    stagedLetters.clear();
    feed.rewind(committed);
  }

  /** It is committed, and the shipper doesn't learn so before it asks for the positions. */
  void passUnknown() {
    read();
    write();
    take();
    feed.rewind(committed);
  }

  void kill() {
    staged.clear();
    stagedLetters.clear();
    feed.close();
    feed = opening.apply(committed, this);
  }

  @Nullable FeedRecord committed() {
    return committed;
  }

  Books books() {
    return feed.status().books();
  }

  List<Integer> cids() {
    return shipped.stream().map(line -> TestingShipping.cid(line.text())).toList();
  }

  static ShipperConfig.Builder config() {
    return TestingShipping.config("unused");
  }
}
