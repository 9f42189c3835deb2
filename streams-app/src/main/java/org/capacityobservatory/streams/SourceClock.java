package org.capacityobservatory.streams;

/** How far one source has come, in its own event time and in the time of its reading. */
final class SourceClock extends HeapStore.Held {
  private long eventMillis;
  private long readMillis;

  /**
   * Makes a clock.
   *
   * @param eventMillis highest event time, epoch ms
   * @param readMillis when its newest line was read, epoch ms
   */
  SourceClock(long eventMillis, long readMillis) {
    this.eventMillis = eventMillis;
    this.readMillis = readMillis;
  }

  long eventMillis() {
    return eventMillis;
  }

  long readMillis() {
    return readMillis;
  }

  void moveTo(long newEventMillis, long newReadMillis) {
    eventMillis = Math.max(eventMillis, newEventMillis);
    readMillis = Math.max(readMillis, newReadMillis);
  }
}
