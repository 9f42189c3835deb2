package org.capacityobservatory.log.sink;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** An output that can be blocked, broken, slow and partial, and keeps what it was given. */
class TestingChannel implements WritableByteChannel {
  private final ByteArrayOutputStream got = new ByteArrayOutputStream();
  private final Semaphore gate = new Semaphore(0);
  final CountDownLatch entered = new CountDownLatch(1);
  private volatile boolean blocked;

  /** From now on a write waits until {@link #unblock}. */
  void block() {
    blocked = true;
  }

  void unblock() {
    blocked = false;
    gate.release(1_000_000);
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    entered.countDown();
    if (blocked) {
      gate.acquireUninterruptibly();
    }
    return take(bytes, bytes.remaining());
  }

  /** Takes the next bytes, as many as told. */
  final synchronized int take(ByteBuffer bytes, int count) {
    byte[] taken = new byte[Math.min(count, bytes.remaining())];
    bytes.get(taken);
    got.writeBytes(taken);
    return taken.length;
  }

  synchronized String text() {
    return got.toString(UTF_8);
  }

  List<String> lines() {
    return text().lines().toList();
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
