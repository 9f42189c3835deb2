package org.capacityobservatory.shipper;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream in a thread of its own, since reading a pipe can't be done without waiting.
 *
 * <p>At most {@value #CHUNKS} chunks of {@value #CHUNK_BYTES} bytes are on hand: then the pipe
 * isn't read, and its writer waits.
 */
final class PipeReader {
  private static final int CHUNKS = 16;
  private static final int CHUNK_BYTES = 64 * 1024;

  /** How long, once told to stop, a chunk is waited for that has been read and not handed over. */
  private static final long HAND_OVER_MILLIS = 50;

  private static final byte[] END = new byte[0];

  private final BlockingQueue<byte[]> chunks = new ArrayBlockingQueue<>(CHUNKS);
  private final InputStream in;
  private final Thread thread;
  private volatile boolean stopped;
  private volatile @Nullable String failure;
  private boolean over;

  PipeReader(InputStream in, String threadName) {
    this.in = in;
    this.thread = new Thread(this::readAll, threadName);
    thread.setDaemon(true);
    thread.start();
  }

  private void readAll() {
    byte[] buffer = new byte[CHUNK_BYTES];
    try {
      int count = stopped ? -1 : in.read(buffer);
      while (count >= 0) {
        if (count > 0) {
          chunks.put(Arrays.copyOf(buffer, count));
        }
        count = stopped ? -1 : in.read(buffer);
      }
      chunks.put(END);
    } catch (IOException e) {
      failure = String.valueOf(e.getMessage());
      boolean unused = chunks.offer(END);
    } catch (InterruptedException e) {
      // Nobody wants the rest.
      Thread.currentThread().interrupt();
    }
  }

  /** The next bytes, or null where there are none now. */
  byte @Nullable [] poll() {
    byte[] chunk = over ? null : next();
    if (chunk == null) {
      over |= stopped || failure != null;
      return null;
    }
    if (chunk.length == 0) {
      over = true;
      return null;
    }
    return chunk;
  }

  private byte @Nullable [] next() {
    try {
      return stopped ? chunks.poll(HAND_OVER_MILLIS, TimeUnit.MILLISECONDS) : chunks.poll();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Reads no more; what is on hand is still given out. */
  void stop() {
    stopped = true;
  }

  /** Whether the stream has ended, and all of it was given out. */
  boolean isOver() {
    return over;
  }

  boolean isEmpty() {
    return chunks.isEmpty();
  }

  /** What reading failed with, or null. */
  @Nullable String failure() {
    return failure;
  }

  long linesOnHand() {
    long lines = 0;
    for (byte[] chunk : chunks) {
      for (byte b : chunk) {
        lines += b == '\n' ? 1 : 0;
      }
    }
    return lines;
  }

  /** Ends the thread, unless it is within a read: then the process's end does. */
  void close() {
    stopped = true;
    thread.interrupt();
  }
}
