package org.capacityobservatory.log.sink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.capacityobservatory.log.CapacityEvent;
import org.capacityobservatory.log.LineEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Takes lines from the ring, encodes them and writes them, on the sink's one thread.
 *
 * <p>A line leaves the ring only after it was written or dropped, so "queued" covers what is being
 * written. Lines are written in batches, and after a failure each line is judged by how far the
 * bytes came: whole ones are written, all others dropped, and what these were to tell of falls back
 * to the next line.
 */
final class LineWriter implements Runnable {
  private static final int BATCH_BYTES = 64 * 1024;
  private static final int BATCH_LINES = 256;
  private static final long NAP_NANOS = 1_000_000;

  /** After so many naps without a line the thread sleeps until it is woken. */
  private static final int NAPS_BEFORE_SLEEP = 50;

  private final LineRing ring;
  private final LineOutput output;
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong told = new AtomicLong();
  private final AtomicLong unencodable = new AtomicLong();
  private final AtomicLong writeFailed = new AtomicLong();
  private final AtomicLong abandoned = new AtomicLong();
  private volatile @Nullable String problem;

  private volatile boolean givenUp;

  private final LineBuffer buffer = new LineBuffer();
  private final int[] lineEnds = new int[BATCH_LINES];
  private final long[] lineTells = new long[BATCH_LINES];
  private int lines;

  /** Dropped lines that the next line has to tell of. */
  private long toTell;

  private @Nullable WritableByteChannel channel;
  private boolean insideLine;
  private int naps;

  LineWriter(LineRing ring, LineOutput output) {
    this.ring = ring;
    this.output = output;
  }

  @Override
  public void run() {
    while (!ring.isFinished()) {
      int taken = encodeBatch();
      if (taken == 0) {
        rest();
      } else {
        naps = 0;
        writeBatch();
        ring.release(taken);
      }
    }
    releaseChannel();
  }

  /** From now on lines are dropped instead of written; the write in hand may still return. */
  void giveUp() {
    givenUp = true;
  }

  /**
   * Naps while lines are coming, since waking a thread costs a put far more than the line itself;
   * sleeps once they have stopped.
   */
  private void rest() {
    // An interrupt would turn each nap into none.
    boolean interrupted = Thread.interrupted();
    if (naps < NAPS_BEFORE_SLEEP || interrupted) {
      naps++;
      LockSupport.parkNanos(this, NAP_NANOS);
      return;
    }
    ring.setTakerAsleep(true);
    // A line put before it could see the flag is seen here.
    if (ring.isIdle()) {
      LockSupport.park(this);
    }
    ring.setTakerAsleep(false);
  }

  private int encodeBatch() {
    buffer.clear();
    lines = 0;
    if (insideLine) {
      buffer.write('\n');
    }
    int taken = 0;
    while (lines < BATCH_LINES && buffer.size() < BATCH_BYTES) {
      Object line = ring.peek(taken);
      if (line == null) {
        break;
      }
      toTell += ring.refusedBefore(taken);
      encode(line);
      taken++;
    }
    return taken;
  }

  private void encode(Object line) {
    int start = buffer.size();
    try {
      boolean tells = true;
      if (line instanceof CapacityEvent event) {
        LineEncoder.write(event, toTell, buffer);
      } else if (line instanceof String text) {
        tells = LineEncoder.writeText(text, toTell, buffer);
      } else {
        throw new IllegalArgumentException("null is no line");
      }
      buffer.write('\n');
      lineTells[lines] = tells ? toTell : 0;
      lineEnds[lines++] = buffer.size();
      toTell -= tells ? toTell : 0;
    } catch (IOException | RuntimeException | Error e) {
      buffer.cutBack(start);
      problem = e.toString();
      drop(unencodable, 0);
    }
  }

  private void writeBatch() {
    if (lines == 0) {
      return;
    }
    ByteBuffer bytes = null;
    AtomicLong cause = writeFailed;
    try {
      WritableByteChannel open = channel == null ? openChannel() : channel;
      bytes = buffer.asByteBuffer();
      while (bytes.hasRemaining() && !givenUp) {
        if (open.write(bytes) == 0) {
          LockSupport.parkNanos(this, NAP_NANOS);
        }
      }
      cause = abandoned;
    } catch (IOException | RuntimeException | Error e) {
      problem = e.toString();
      releaseChannel();
    }
    settle(bytes == null ? 0 : bytes.position(), cause);
  }

  /**
   * Counts each line of the batch as written or dropped, by how many bytes went out. One that lacks
   * nothing but its line end is written: the next batch begins with that.
   */
  private void settle(int bytesOut, AtomicLong cause) {
    for (int line = 0; line < lines; line++) {
      if (lineEnds[line] - 1 <= bytesOut) {
        written.incrementAndGet();
        told.addAndGet(lineTells[line]);
      } else {
        drop(cause, lineTells[line]);
      }
    }
    if (bytesOut > 0) {
      boolean atLineEnd = Arrays.binarySearch(lineEnds, 0, lines, bytesOut) >= 0;
      boolean onlyTheOldLinesEnd = insideLine && bytesOut == 1;
      insideLine = !atLineEnd && !onlyTheOldLinesEnd;
    }
  }

  /** Drops one line; the next one tells of it and of what it was to tell of. */
  private void drop(AtomicLong cause, long couldNotTell) {
    cause.incrementAndGet();
    toTell += 1 + couldNotTell;
  }

  private WritableByteChannel openChannel() throws IOException {
    WritableByteChannel opened = output.open();
    channel = opened;
    if (output.endsInsideLine() && !insideLine) {
      insideLine = true;
      // The batch in hand was encoded without knowing.
      opened.write(ByteBuffer.wrap(new byte[] {'\n'}));
      insideLine = false;
    }
    return opened;
  }

  private void releaseChannel() {
    WritableByteChannel open = channel;
    channel = null;
    if (open != null) {
      try {
        output.release(open);
      } catch (IOException | RuntimeException | Error e) {
        problem = e.toString();
      }
    }
  }

  long written() {
    return written.get();
  }

  long told() {
    return told.get();
  }

  long dropped(DropCause cause) {
    return switch (cause) {
      case UNENCODABLE -> unencodable.get();
      case WRITE_FAILED -> writeFailed.get();
      case ABANDONED -> abandoned.get();
      case QUEUE_FULL, CLOSED -> 0;
    };
  }

  @Nullable String problem() {
    return problem;
  }
}
