package org.capacityobservatory.log.sink;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.capacityobservatory.log.sink.LineRing.Offer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The ring alone, raced by threads that do nothing else: here a window of a few nanoseconds is hit.
 *
 * <p>Shown to fail: with the refused count taken by reading and setting instead of by
 * compare-and-set, {@link #whatIsRefusedIsHandedOnOnce} finds too many; with closing as a flag
 * beside the claim, {@link #whatIsTakenInBeforeClosingIsTaken} finds lines that nobody took.
 */
@Timeout(120)
class LineRingTest {
  private static final int THREADS = 4;

  @Test
  void holdsExactlyItsCapacityAndHandsTheRefusedToTheNext() {
    LineRing ring = new LineRing(3);
    for (String line : List.of("a", "b", "c")) {
      assertThat(ring.offer(line)).isEqualTo(Offer.ACCEPTED);
    }
    assertThat(ring.offer("x")).isEqualTo(Offer.FULL);
    assertThat(ring.offer("y")).isEqualTo(Offer.FULL);
    assertThat(ring.peek(2)).isEqualTo("c");
    assertThat(ring.peek(3)).isNull();
    ring.release(2);
    assertThat(ring.offer("d")).isEqualTo(Offer.ACCEPTED);
    assertThat(ring.peek(0)).isEqualTo("c");
    assertThat(ring.refusedBefore(0)).isZero();
    assertThat(ring.peek(1)).isEqualTo("d");
    assertThat(ring.refusedBefore(1)).isEqualTo(2);
    ring.close();
    assertThat(ring.offer("e")).isEqualTo(Offer.CLOSED);
    assertThat(ring.isFinished()).isFalse();
    ring.release(2);
    assertThat(ring.isFinished()).isTrue();
    assertThat(ring.accepted()).isEqualTo(4);
    assertThat(ring.refused()).isEqualTo(2);
  }

  @Test
  void whatIsRefusedIsHandedOnOnce() throws Exception {
    LineRing ring = new LineRing(1);
    LongAdder handed = new LongAdder();
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      threads.add(
          new Thread(
              () -> {
                for (int round = 0; round < 300_000; round++) {
                  ring.refuse();
                  handed.add(ring.takeRefused());
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    handed.add(ring.takeRefused());
    assertThat(ring.refused()).isEqualTo(1_200_000);
    assertThat(handed.sum()).isEqualTo(1_200_000);
  }

  @Test
  void fullAndNotFullInTurnAddsUp() throws Exception {
    LineRing ring = new LineRing(5);
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      threads.add(
          new Thread(
              () -> {
                for (int offer = 0; offer < 250_000; offer++) {
                  ring.offer(ring);
                }
              }));
    }
    threads.forEach(Thread::start);
    Taken taken = new Taken();
    while (threads.stream().anyMatch(Thread::isAlive)) {
      taken.takeFrom(ring);
    }
    taken.takeFrom(ring);
    ring.offer(ring);
    taken.takeFrom(ring);
    assertThat(ring.accepted() + ring.refused()).isEqualTo(1_000_001);
    assertThat(taken.lines).isEqualTo(ring.accepted());
    assertThat(taken.refused).isEqualTo(ring.refused());
  }

  @Test
  void whatIsTakenInBeforeClosingIsTaken() throws Exception {
    int trials = 3_000;
    AtomicReference<LineRing> current = new AtomicReference<>(new LineRing(64));
    CyclicBarrier together = new CyclicBarrier(3);
    for (int thread = 0; thread < 2; thread++) {
      Thread putter =
          new Thread(
              () -> {
                for (int trial = 0; trial < trials; trial++) {
                  await(together);
                  LineRing ring = requireNonNull(current.get());
                  while (ring.offer(ring) != Offer.CLOSED) {
                    Thread.onSpinWait();
                  }
                  await(together);
                }
              });
      putter.setDaemon(true);
      putter.start();
    }
    for (int trial = 0; trial < trials; trial++) {
      LineRing ring = new LineRing(64);
      current.set(ring);
      await(together);
      Taken taken = new Taken();
      while (taken.lines < 20) {
        taken.takeFrom(ring);
      }
      ring.close();
      while (!ring.isFinished()) {
        taken.takeFrom(ring);
      }
      await(together);
      assertThat(ring.accepted()).as("trial %d", trial).isEqualTo(taken.lines);
    }
  }

  private static void await(CyclicBarrier together) {
    try {
      together.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Taken {
    long lines;
    long refused;

    /** Takes what is there and makes room for all of it at once, so that the next claims race. */
    void takeFrom(LineRing ring) {
      int there = 0;
      while (ring.peek(there) != null) {
        refused += ring.refusedBefore(there);
        there++;
      }
      lines += there;
      ring.release(there);
    }
  }
}
