package org.capacityobservatory.shipper;

import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The shipper's standard input. */
final class StdinTap implements Tap {
  private final PipeReader pipe;

  StdinTap(InputStream in) {
    this.pipe = new PipeReader(in, "ship-stdin");
  }

  @Override
  public @Nullable Chunk poll(long nowMillis, long nowNanos) {
    byte[] bytes = pipe.poll();
    return bytes == null ? null : new Chunk(bytes, null);
  }

  @Override
  public void stop() {
    pipe.stop();
  }

  @Override
  public boolean isOver() {
    return pipe.isOver();
  }

  @Override
  public boolean isAtEnd() {
    return pipe.isEmpty();
  }

  @Override
  public long linesOnHand() {
    return pipe.linesOnHand();
  }

  @Override
  public @Nullable String problem() {
    String failure = pipe.failure();
    return failure == null ? null : "standard input can't be read: " + failure;
  }

  @Override
  public void close() {
    pipe.close();
  }
}
