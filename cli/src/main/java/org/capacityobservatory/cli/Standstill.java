package org.capacityobservatory.cli;

import java.time.Duration;

/** Notices that a number hasn't moved for too long. */
final class Standstill {
  private final long patienceNanos;
  private long last = -1;
  private long movedAtNanos = System.nanoTime();

  Standstill(Duration patience) {
    this.patienceNanos = patience.toNanos();
  }

  /** Takes the number's present value; true once it has been the same for too long. */
  boolean lastsAt(long value) {
    if (value != last) {
      last = value;
      movedAtNanos = System.nanoTime();
    }
    return System.nanoTime() - movedAtNanos > patienceNanos;
  }
}
