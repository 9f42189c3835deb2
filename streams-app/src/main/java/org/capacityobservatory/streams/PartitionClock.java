package org.capacityobservatory.streams;

/** How far one partition of the lines has come, over all of its sources. */
final class PartitionClock extends HeapStore.Held {
  /** Nothing has been passed yet. */
  static final long NEVER = Long.MIN_VALUE;

  private String topicId;
  private long readMillis;
  private long passedMillis;
  private long futureTimes;
  private long lateLines;
  private long revision;

  /** The clock of a partition that nothing was read from yet. */
  PartitionClock() {
    this("", NEVER, NEVER, 0, 0, 0);
  }

  /** A clock as it was stored. */
  PartitionClock(
      String topicId,
      long readMillis,
      long passedMillis,
      long futureTimes,
      long lateLines,
      long revision) {
    this.topicId = topicId;
    this.readMillis = readMillis;
    this.passedMillis = passedMillis;
    this.futureTimes = futureTimes;
    this.lateLines = lateLines;
    this.revision = revision;
  }

  /** Kafka's own id of the topic that the lines came from; empty before the first start. */
  String topicId() {
    return topicId;
  }

  void setTopicId(String id) {
    topicId = id;
  }

  /** The newest reading of any line; in silence, the wall clock. */
  long readMillis() {
    return readMillis;
  }

  /** What every source that holds something back has passed; {@link #NEVER} before the first. */
  long passedMillis() {
    return passedMillis;
  }

  /** Lines whose time lay over a minute past their reading. */
  long futureTimes() {
    return futureTimes;
  }

  /** Lines that came after their minute was closed by their own source's clock. */
  long lateLines() {
    return lateLines;
  }

  /** How often this clock has been published. */
  long revision() {
    return revision;
  }

  void readUntil(long epochMillis) {
    readMillis = Math.max(readMillis, epochMillis);
  }

  void passedUntil(long epochMillis) {
    passedMillis = Math.max(passedMillis, epochMillis);
  }

  void countFutureTime() {
    futureTimes++;
  }

  void countLateLine() {
    lateLines++;
  }

  void countRevision() {
    revision++;
  }
}
