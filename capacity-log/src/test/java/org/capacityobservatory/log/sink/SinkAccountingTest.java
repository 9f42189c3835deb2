package org.capacityobservatory.log.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.capacityobservatory.log.sink.TestingCalls.call;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.capacityobservatory.log.CapacityCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many threads into a sink whose output stalls, breaks and takes bytes in parts, by seed: at the
 * end every line is accounted for once.
 *
 * <p>The figures are worked out from what the puts answered and from the bytes that came out. It
 * found that a line whose line break alone was missing came out and was counted as lost. Windows of
 * a few nanoseconds are for {@link LineRingTest}.
 */
@Timeout(120)
class SinkAccountingTest {
  private static final int SCHEDULES = Integer.getInteger("sink.schedules", 200);
  private static final int PUTS = 150;

  @Test
  void everyLineIsAccountedForOnce() throws Exception {
    long first = Long.getLong("sink.seed", System.nanoTime());
    System.out.printf("sink accounting: %d schedules from seed %d%n", SCHEDULES, first);
    long refused = 0;
    long failed = 0;
    for (long seed = first; seed < first + SCHEDULES; seed++) {
      SinkStats stats = new Schedule(seed).run();
      refused += stats.dropped(DropCause.QUEUE_FULL);
      failed += stats.dropped(DropCause.WRITE_FAILED);
    }
    System.out.printf("sink accounting: %d refused, %d failed writes%n", refused, failed);
    // A run without losses would prove nothing.
    assertThat(refused).isPositive();
    assertThat(failed).isPositive();
  }

  @Test
  void fourThreadsIntoAFullQueue() throws Exception {
    TestingChannel out = new TestingChannel();
    out.block();
    BoundedSink sink = BoundedSink.open(LineOutput.channel(out));
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      CapacityCall line = call("t" + thread);
      threads.add(
          new Thread(
              () -> {
                for (int put = 0; put < 50_000; put++) {
                  sink.put(line);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(sink.stats().accepted()).isEqualTo(1_000);
    assertThat(sink.stats().dropped(DropCause.QUEUE_FULL)).isEqualTo(199_000);
    out.unblock();
    while (sink.stats().queued() > 0) {
      LockSupport.parkNanos(1_000_000);
    }
    sink.put(call("last"));
    sink.close();
    assertThat(out.lines()).hasSize(1_001);
    assertThat(out.lines().get(1_000)).endsWith("\"cid\":\"last\",\"log_dropped\":199000}");
    assertThat(TestingCalls.told(out.lines())).isEqualTo(199_000);
  }

  private static final class Schedule {
    private final long seed;
    private final Random random;
    private final int threads;
    private final boolean closedWhilePutting;
    private final BoundedSink sink;
    private final TestingChannel out;

    Schedule(long seed) {
      this.seed = seed;
      random = new Random(seed);
      threads = 2 + random.nextInt(4);
      closedWhilePutting = random.nextInt(4) == 0;
      out = new MoodyChannel(new Random(random.nextLong()), random.nextInt(20));
      SinkConfig config = new SinkConfig(1 + random.nextInt(24), Duration.ofSeconds(2));
      sink = BoundedSink.open(LineOutput.channel(out), config);
    }

    SinkStats run() throws Exception {
      CyclicBarrier together = new CyclicBarrier(threads + 1);
      List<Putter> putters = new ArrayList<>();
      for (int name = 0; name < threads; name++) {
        putters.add(new Putter(name, new Random(random.nextLong()), together));
      }
      putters.forEach(Thread::start);
      together.await(60, TimeUnit.SECONDS);
      if (closedWhilePutting) {
        LockSupport.parkNanos(random.nextInt(300_000));
        sink.close();
      }
      for (Putter putter : putters) {
        putter.join();
      }
      sink.close();
      check(putters);
      return sink.stats();
    }

    private void check(List<Putter> putters) {
      String which = "seed " + seed;
      long accepted = putters.stream().mapToLong(putter -> putter.accepted).sum();
      SinkStats stats = sink.stats();
      assertThat(stats.offered()).as(which).isEqualTo((long) threads * PUTS);
      assertThat(stats.accepted()).as(which).isEqualTo(accepted);
      assertThat(stats.queued()).as(which).isZero();
      assertThat(stats.offered()).as(which).isEqualTo(stats.written() + stats.allDropped());

      // Half lines, left by a failed write, aren't lines.
      List<String> lines = out.lines().stream().filter(line -> line.endsWith("}")).toList();
      assertThat(lines).as(which).hasSize((int) stats.written());
      assertThat(TestingCalls.told(lines) + stats.pending())
          .as(which)
          .isEqualTo(stats.allDropped());
      assertThat(stats.told()).as(which).isEqualTo(TestingCalls.told(lines));
      Map<String, Integer> last = new HashMap<>();
      for (String cid : TestingCalls.cids(lines)) {
        String[] threadAndNumber = cid.split("-", -1);
        int number = Integer.parseInt(threadAndNumber[1]);
        Integer before = last.put(threadAndNumber[0], number);
        assertThat(before == null ? -1 : before).as("%s: once, in order", which).isLessThan(number);
      }
    }

    private final class Putter extends Thread {
      private final int name;
      private final Random random;
      private final CyclicBarrier together;
      private long accepted;

      Putter(int name, Random random, CyclicBarrier together) {
        this.name = name;
        this.random = random;
        this.together = together;
      }

      @Override
      public void run() {
        List<CapacityCall> calls = new ArrayList<>();
        for (int put = 0; put < PUTS; put++) {
          calls.add(call(name + "-" + put));
        }
        try {
          together.await(60, TimeUnit.SECONDS);
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
        for (CapacityCall call : calls) {
          accepted += sink.put(call) ? 1 : 0;
          switch (random.nextInt(24)) {
            case 0 -> LockSupport.parkNanos(random.nextInt(400_000));
            case 1, 2 -> LockSupport.parkNanos(1);
            default -> Thread.onSpinWait();
          }
        }
      }
    }
  }

  /** Takes bytes in parts, stalls and throws, as its numbers have it. */
  private static final class MoodyChannel extends TestingChannel {
    private final Random random;
    private final int failuresOfHundred;

    MoodyChannel(Random random, int failuresOfHundred) {
      this.random = random;
      this.failuresOfHundred = failuresOfHundred;
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      int part = 1 + random.nextInt(bytes.remaining());
      if (random.nextInt(100) < failuresOfHundred) {
        take(bytes, random.nextBoolean() ? 0 : part);
        throw new IOException("moody");
      }
      if (random.nextInt(10) == 0) {
        LockSupport.parkNanos(random.nextInt(300_000));
      }
      return random.nextInt(20) == 0 ? 0 : take(bytes, part);
    }
  }
}
