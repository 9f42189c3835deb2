package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Gives what a test puts in. */
final class TestingTap implements Tap {
  private final Deque<Chunk> chunks = new ArrayDeque<>();
  boolean over;

  void put(String text) {
    chunks.add(new Chunk(text.getBytes(UTF_8), null));
  }

  @Override
  public @Nullable Chunk poll(long nowMillis, long nowNanos) {
    return chunks.poll();
  }

  @Override
  public void stop() {
    over = true;
  }

  @Override
  public boolean isOver() {
    return over && chunks.isEmpty();
  }

  @Override
  public boolean isAtEnd() {
    return chunks.isEmpty();
  }

  @Override
  public long linesOnHand() {
    return chunks.stream()
        .flatMapToInt(c -> new String(c.bytes(), UTF_8).chars())
        .filter(c -> c == '\n')
        .count();
  }

  @Override
  public @Nullable String problem() {
    return null;
  }

  @Override
  public void close() {}
}
