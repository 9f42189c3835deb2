package org.capacityobservatory.log.sink;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.FileAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.capacityobservatory.log.CapacityCall;
import org.jctools.queues.MpscArrayQueue;
import org.jspecify.annotations.Nullable;

/** One way to hand a line over; made anew for each round. */
abstract class Contender {
  static final int QUEUE_LINES = 1_000;

  /** Hands a line over; false where it says that it was refused, which Logback never does. */
  abstract boolean put(CapacityCall call, String line);

  /**
   * Ends it and says what became of the lines.
   *
   * @throws IllegalStateException if lines are unaccounted for
   */
  abstract String finish() throws Exception;

  /** Nothing at all: what the clock and the loop cost. */
  static final class Clock extends Contender {
    @Override
    boolean put(CapacityCall call, String line) {
      return true;
    }

    @Override
    String finish() {
      return "";
    }
  }

  /** The bare queue, whose lines are taken off in naps like the sink's, and thrown away. */
  static final class BareQueue extends Contender {
    private final MpscArrayQueue<CapacityCall> queue = new MpscArrayQueue<>(QUEUE_LINES);
    private final LongAdder refused = new LongAdder();
    private final Thread taker = new Thread(this::take, "taker");
    private volatile boolean ended;

    BareQueue() {
      taker.setDaemon(true);
      taker.start();
    }

    @Override
    boolean put(CapacityCall call, String line) {
      boolean taken = queue.offer(call);
      if (!taken) {
        refused.increment();
      }
      return taken;
    }

    private void take() {
      while (!ended) {
        if (queue.drain(call -> {}) == 0) {
          LockSupport.parkNanos(1_000_000);
        }
      }
    }

    @Override
    String finish() throws InterruptedException {
      ended = true;
      taker.join();
      return "refused " + refused.sum();
    }
  }

  /** The sink, into a file. */
  static final class Sink extends Contender {
    private final Path file;
    private final BoundedSink sink;
    private final LongAdder offered = new LongAdder();

    Sink(Path folder) {
      file = folder.resolve("sink.log");
      sink = BoundedSink.open(LineOutput.file(file));
    }

    @Override
    boolean put(CapacityCall call, String line) {
      return sink.put(call);
    }

    void offeredByTheThreads(long puts) {
      offered.add(puts);
    }

    @Override
    String finish() throws IOException {
      sink.close();
      SinkStats stats = sink.stats();
      long lines;
      long told;
      try (Stream<String> all = Files.lines(file)) {
        lines = all.count();
      }
      try (Stream<String> all = Files.lines(file)) {
        told = all.mapToLong(Sink::told).sum();
      }
      Files.delete(file);
      require("offered", offered.sum(), stats.offered());
      require("accepted + refused", offered.sum(), stats.accepted() + refused(stats));
      require("lines in the file", stats.written(), lines);
      require("told + pending", stats.allDropped(), told + stats.pending());
      require("written + dropped", offered.sum(), lines + stats.allDropped());
      return "dropped %d, told of %d, pending %d: exact"
          .formatted(stats.allDropped(), told, stats.pending());
    }

    private static long refused(SinkStats stats) {
      return stats.dropped(DropCause.QUEUE_FULL) + stats.dropped(DropCause.CLOSED);
    }

    private static long told(String line) {
      String key = "\"log_dropped\":";
      int at = line.indexOf(key);
      return at < 0 ? 0 : Long.parseLong(line.substring(at + key.length(), line.length() - 1));
    }

    private static void require(String what, long expected, long actual) {
      if (expected != actual) {
        throw new IllegalStateException(what + " is " + actual + ", not " + expected);
      }
    }
  }

  /** Logback's own way not to block: an AsyncAppender that drops, before a file. */
  static final class Logback extends Contender {
    private final Path file;
    private final LoggerContext context = new LoggerContext();
    private final Logger logger = context.getLogger("capacity");

    Logback(Path folder) {
      file = folder.resolve("logback.log");
      // Without it every event fails, slowly and in silence.
      context.setMDCAdapter(new LogbackMDCAdapter());
      PatternLayoutEncoder encoder = new PatternLayoutEncoder();
      encoder.setContext(context);
      encoder.setPattern("%msg%n");
      encoder.start();
      FileAppender<ILoggingEvent> appender = new FileAppender<>();
      appender.setContext(context);
      appender.setFile(file.toString());
      appender.setEncoder(encoder);
      appender.start();
      AsyncAppender async = new AsyncAppender();
      async.setContext(context);
      async.setQueueSize(QUEUE_LINES);
      async.setDiscardingThreshold(0);
      async.setNeverBlock(true);
      async.setMaxFlushTime(2_000);
      async.addAppender(appender);
      async.start();
      logger.setAdditive(false);
      logger.addAppender(async);
    }

    @Override
    boolean put(CapacityCall call, String line) {
      logger.info(line);
      return true;
    }

    @Override
    String finish() throws IOException {
      context.stop();
      long lines;
      try (Stream<String> all = Files.lines(file)) {
        lines = all.count();
      }
      Files.delete(file);
      if (lines == 0) {
        throw new IllegalStateException("Logback wrote nothing: it isn't set up");
      }
      return "written " + lines + "; it doesn't say what it dropped";
    }
  }

  /** How many lines the threads offered, for whoever checks it. */
  static void offered(@Nullable Contender contender, long puts) {
    if (contender instanceof Sink sink) {
      sink.offeredByTheThreads(puts);
    }
  }
}
