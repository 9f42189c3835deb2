package org.capacityobservatory.log.sink;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.capacityobservatory.log.CapacityEvent;
import org.jspecify.annotations.Nullable;

/**
 * Writes the limiter's lines from a running service: putting a line never blocks and never throws,
 * whatever the output does.
 *
 * <p>A put hands the record over as it is; one daemon thread encodes and writes it. When the queue
 * is full the line is dropped and counted, and the next line that gets through carries the count as
 * {@code log_dropped}, as docs/lines.md has it. So does a line that could not be written or
 * encoded. The counts are exact with any number of threads ({@link SinkStats}).
 *
 * <p>Closing, and the process's end, wait for lines queued or being written, but no longer than
 * {@link SinkConfig#closeWait}. Safe for all threads.
 */
public final class BoundedSink implements AutoCloseable {
  /** Stands for null, of callers without null checks, in the ring, where null means "not there". */
  private static final Object NO_LINE = new Object();

  private final SinkConfig config;
  private final LineRing ring;
  private final LineWriter writer;
  private final Thread thread;
  private final Thread atExit;
  private final AtomicLong refusedAsClosed = new AtomicLong();

  private BoundedSink(LineOutput output, SinkConfig config) {
    this.config = config;
    ring = new LineRing(config.capacityLines());
    writer = new LineWriter(ring, output);
    thread = new Thread(writer, "capacity-log-sink");
    thread.setDaemon(true);
    atExit = new Thread(this::drain, "capacity-log-sink-exit");
  }

  /** Starts a sink of 1,000 lines. */
  public static BoundedSink open(LineOutput output) {
    return open(output, SinkConfig.DEFAULT);
  }

  /** Starts a sink, its thread, and its wait at the process's exit. */
  public static BoundedSink open(LineOutput output, SinkConfig config) {
    BoundedSink sink = new BoundedSink(output, config);
    try {
      Runtime.getRuntime().addShutdownHook(sink.atExit);
    } catch (IllegalStateException e) {
      // The process is ending already: nothing is left to wait for it.
    }
    sink.thread.start();
    return sink;
  }

  /**
   * Offers one call or change of config.
   *
   * @return whether it was taken; if not, it is counted as dropped
   */
  public boolean put(CapacityEvent event) {
    return offer(event == null ? NO_LINE : event);
  }

  /**
   * Offers text that is a line already, such as another JSON event.
   *
   * <p>Line breaks in it become spaces. It tells of dropped lines if it is a JSON object; other
   * text leaves that to the next line.
   *
   * @return whether it was taken; if not, it is counted as dropped
   */
  public boolean put(String line) {
    return offer(line == null ? NO_LINE : line);
  }

  private boolean offer(Object line) {
    LineRing.Offer offer = ring.offer(line);
    if (offer == LineRing.Offer.ACCEPTED) {
      if (ring.isTakerAsleep()) {
        wakeWriter();
      }
      return true;
    }
    if (offer == LineRing.Offer.CLOSED) {
      refusedAsClosed.incrementAndGet();
    }
    return false;
  }

  /**
   * Takes no more lines and waits for those queued or being written, at most {@link
   * SinkConfig#closeWait}.
   *
   * <p>What is queued then is dropped; the write in hand, if the output ever lets it go, ends in
   * its own time. Further calls do nothing more than wait again. An interrupt ends the wait and
   * stays set.
   */
  @Override
  public void close() {
    drain();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The process is ending: the hook runs, and finds nothing to do.
    }
  }

  private void wakeWriter() {
    ring.setTakerAsleep(false);
    LockSupport.unpark(thread);
  }

  private void drain() {
    ring.close();
    wakeWriter();
    try {
      long waitMillis = config.closeWait().toMillis();
      if (waitMillis > 0 && Thread.currentThread() != thread) {
        thread.join(waitMillis);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    writer.giveUp();
  }

  /** What became of the lines offered so far. */
  public SinkStats stats() {
    Map<DropCause, Long> dropped = new EnumMap<>(DropCause.class);
    long written = writer.written();
    long told = writer.told();
    for (DropCause cause : DropCause.values()) {
      dropped.put(cause, writer.dropped(cause));
    }
    dropped.put(DropCause.QUEUE_FULL, ring.refused());
    dropped.put(DropCause.CLOSED, refusedAsClosed.get());
    long accepted = ring.accepted();
    long settled =
        written
            + writer.dropped(DropCause.UNENCODABLE)
            + writer.dropped(DropCause.WRITE_FAILED)
            + writer.dropped(DropCause.ABANDONED);
    @Nullable String problem = writer.problem();
    return new SinkStats(accepted, written, accepted - settled, dropped, told, problem);
  }
}
