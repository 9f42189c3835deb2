package org.capacityobservatory.shipper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.capacityobservatory.shipper.TestingLog.call;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.capacityobservatory.log.EntryName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CloudWatchTapTest {
  private static final long SECOND = 1_000;
  private static final long T0 = 1_796_040_000_000L;
  private static final FeedConfig.CloudWatch GROUP =
      new FeedConfig.CloudWatch(
          "api", "eu-central-1", null, Instant.EPOCH, Duration.ofMinutes(5), Duration.ofSeconds(5));

  private final Group group = new Group();
  private @Nullable CloudWatchLedger ledger;
  private @Nullable CloudWatchTap tap;
  private final TestingFeed feed =
      new TestingFeed(
          (at, outlet) -> {
            CloudWatchLedger its = new CloudWatchLedger(at, 0);
            ledger = its;
            CloudWatchTap from = new CloudWatchTap(GROUP, group, its, false);
            tap = from;
            return new Feed(
                "cloudwatch:x:api",
                "log group api",
                FeedRecord.Kind.CLOUDWATCH,
                from,
                its,
                at,
                outlet.nowMillis,
                TestingFeed.config().build(),
                outlet);
          });

  /** A log group in memory, with the service's rules. */
  private static final class Group implements EventPages {
    final List<CloudWatchEvent> visible = new ArrayList<>();
    final Deque<Refusal> refusals = new ArrayDeque<>();
    final List<Long> asked = new ArrayList<>();
    int pageSize = 100;
    volatile boolean refusing;

    synchronized void show(int n, long time) {
      show(n, time, call(n));
    }

    synchronized void show(int n, long time, String message) {
      visible.add(new CloudWatchEvent("e" + n, time, message, "s", time));
      visible.sort(Comparator.comparing(e -> Objects.requireNonNull(e.timestamp())));
    }

    @Override
    public synchronized Page page(long fromMillis, @Nullable String token) throws Refusal {
      Refusal refusal = refusals.poll();
      refusing |= refusal != null;
      if (refusal != null) {
        throw refusal;
      }
      asked.add(fromMillis);
      List<CloudWatchEvent> all =
          visible.stream()
              .filter(e -> Objects.requireNonNull(e.timestamp()) >= fromMillis)
              .toList();
      int from = token == null ? 0 : Integer.parseInt(token);
      int to = Math.min(all.size(), from + pageSize);
      return new Page(all.subList(from, to), to < all.size() ? "" + to : null);
    }

    @Override
    public void close() {}
  }

  @AfterEach
  void close() {
    feed.feed.close();
  }

  /** Reads until a sweep is complete and nothing is on hand, and commits it. */
  private void sweep() throws InterruptedException {
    feed.nowMillis += GROUP.pollInterval().toMillis();
    long goal = tap().sweepsDone() + 1;
    while (tap().sweepsDone() < goal) {
      feed.pass();
      Thread.sleep(1);
      // Only where a refusal has to be waited out.
      feed.nowMillis += group.refusing ? SECOND : 0;
    }
  }

  private CloudWatchTap tap() {
    return Objects.requireNonNull(tap);
  }

  private CloudWatchLedger ledger() {
    return Objects.requireNonNull(ledger);
  }

  private static List<Integer> numbers(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().toList();
  }

  /** With an overlap of a second, event 3 is lost. */
  @Test
  void whatBecomesVisibleLateIsShippedOnce() throws Exception {
    feed.nowMillis = T0;
    group.show(1, T0 - 600 * SECOND);
    group.show(2, T0 - SECOND);
    sweep();
    assertThat(ledger().fromMillis()).as("5 min before the sweep").isEqualTo(T0 - 295 * SECOND);
    group.show(3, T0 - 290 * SECOND);
    group.show(4, T0 + SECOND);
    sweep();
    feed.kill();
    group.show(5, T0 - 280 * SECOND);
    sweep();
    sweep();
    assertThat(feed.cids()).containsExactly(1, 2, 3, 4, 5);
    assertThat(feed.books().linesRead()).isEqualTo(5);
  }

  @Test
  void whereNothingComesForLongWhatComesLateIsStillTaken() throws Exception {
    feed.nowMillis = T0;
    group.show(1, T0 - SECOND);
    sweep();
    feed.nowMillis += 3_600 * SECOND;
    sweep();
    assertThat(ledger().fromMillis()).isEqualTo(T0 - SECOND);
    group.show(2, T0);
    sweep();
    assertThat(feed.cids()).containsExactly(1, 2);
  }

  /** With times that a position couldn't tell, it forgot what was shipped. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void killsAndLostTransactionsBetweenPagesLoseAndDoubleNothing(long seed) throws Exception {
    Random random = new Random(seed);
    feed.nowMillis = T0;
    group.pageSize = 7;
    int shown = 0;
    for (int step = 0; step < 60; step++) {
      for (int k = random.nextInt(20); k > 0; k--) {
        shown++;
        group.show(shown, feed.nowMillis - random.nextInt(200) * SECOND);
      }
      switch (random.nextInt(4)) {
        case 0 -> feed.kill();
        case 1 -> feed.undonePass();
        default -> feed.pass();
      }
      feed.nowMillis += random.nextInt(5_000);
      Thread.sleep(random.nextInt(3));
    }
    feed.nowMillis += 10 * SECOND;
    sweep();
    sweep();
    assertThat(feed.cids()).doesNotHaveDuplicates().containsAll(numbers(1, shown)).hasSize(shown);
    assertThat(feed.books().linesRead()).isEqualTo(shown);
  }

  @Test
  void throttlingWaitsAndGoesOnWithTheSamePage() throws Exception {
    feed.nowMillis = T0;
    group.pageSize = 2;
    IntStream.rangeClosed(1, 4).forEach(n -> group.show(n, T0 - SECOND));
    for (int k = 0; k < 3; k++) {
      group.refusals.add(
          new EventPages.Refusal(
              EventPages.Refusal.Kind.TRY_LATER, "slow down", new Exception("429")));
    }
    awaitRefusals(0);
    assertThat(feed.feed.status().problem()).as("three in a row are no matter").isNull();
    sweep();
    assertThat(feed.cids()).isEqualTo(numbers(1, 4));
  }

  private void awaitRefusals(int left) throws InterruptedException {
    while (group.refusals.size() > left) {
      feed.pass();
      feed.nowMillis += 70 * SECOND;
      Thread.sleep(1);
    }
  }

  @Test
  void anExpiredTokenBeginsTheSweepAnew() throws Exception {
    feed.nowMillis = T0;
    group.pageSize = 2;
    IntStream.rangeClosed(1, 6).forEach(n -> group.show(n, T0 - SECOND));
    while (group.asked.size() < 2) {
      feed.pass();
      Thread.sleep(1);
    }
    group.refusals.add(
        new EventPages.Refusal(EventPages.Refusal.Kind.TOKEN, "expired", new Exception("400")));
    awaitRefusals(0);
    sweep();
    assertThat(feed.cids()).isEqualTo(numbers(1, 6));
  }

  @Test
  void aLastingRefusalIsAProblemUntilItIsMended() throws Exception {
    feed.nowMillis = T0;
    group.show(1, T0);
    group.refusals.add(
        new EventPages.Refusal(
            EventPages.Refusal.Kind.LASTING, "no such group", new Exception("400")));
    while (feed.feed.status().problem() == null) {
      feed.pass();
      Thread.sleep(1);
    }
    assertThat(feed.feed.status().state()).isEqualTo(SourceStatus.State.FAILED);
    sweep();
    assertThat(feed.feed.status().problem()).isNull();
    assertThat(feed.cids()).containsExactly(1);
  }

  /** An event too long for the assembler tells no name, and stayed undone. */
  @Test
  void anEventThatIsTooLongHoldsNothingUp() throws Exception {
    feed.nowMillis = T0;
    group.show(1, T0 - 1_000 * SECOND, "x".repeat(1_100_000));
    group.show(2, T0);
    sweep();
    assertThat(feed.letters).hasSize(1);
    assertThat(ledger().fromMillis()).isEqualTo(T0 - 295 * SECOND);
    feed.kill();
    sweep();
    assertThat(feed.letters).hasSize(1);
  }

  @Test
  void piecesHeldAtAnEndAreReadAgain() throws Exception {
    feed.nowMillis = T0;
    String cri = "2026-11-30T10:00:00Z stdout ";
    group.show(1, T0 - 400 * SECOND, cri + "P " + call(1).substring(0, 90));
    group.show(2, T0 - 399 * SECOND, call(2));
    sweep();
    assertThat(ledger().fromMillis()).as("not past the piece").isEqualTo(T0 - 400 * SECOND);
    feed.kill();
    group.show(3, T0 - 398 * SECOND, cri + "F " + call(1).substring(90));
    sweep();
    assertThat(feed.cids()).containsExactly(2, 1);
    assertThat(feed.books().linesRead()).isEqualTo(2);
    assertThat(ledger().fromMillis()).isEqualTo(T0 - 398 * SECOND);
  }

  @Test
  void whatIsRememberedIsBounded() {
    CloudWatchLedger ledger = new CloudWatchLedger(null, 0);
    Set<Long> hashes = new HashSet<>();
    for (int n = 0; n < 3 * CloudWatchLedger.MAX_EVENTS; n++) {
      var name = new EntryName(EntryName.CLOUDWATCH, "e" + n);
      assertThat(ledger.gives(name, T0 + n)).isTrue();
      ledger.done(name);
      hashes.add(EntryHashes.of(name));
    }
    assertThat(hashes).hasSize(3 * CloudWatchLedger.MAX_EVENTS);
    assertThat(ledger.seen().length()).isLessThan(700_000);
    assertThat(CloudWatchLedger.decoded(ledger.seen()).values())
        .allMatch(time -> time >= ledger.fromMillis())
        .contains(T0 + 3 * CloudWatchLedger.MAX_EVENTS - 1);
  }
}
