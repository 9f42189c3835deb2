package org.capacityobservatory.shipper;

/**
 * The account of a source's lines: every line read is in exactly one of four columns.
 *
 * <p>A line is a logical one, joined from its pieces. All figures count from the source's first
 * line ever shipped under this shipper identity, over restarts.
 *
 * @param linesRead lines begun
 * @param acknowledged lines of the limiter that stand in Kafka
 * @param quarantined lines kept aside as dead letters
 * @param notOurs noise
 * @param pending lines of which pieces have come and the last one hasn't
 * @param bytesRead bytes taken, of compressed files their content
 * @param droppedAtSource lines that the source itself says it dropped, told by lines not ours
 * @param futureTimes lines whose envelope time was over a minute ahead of the read
 */
public record Books(
    long linesRead,
    long acknowledged,
    long quarantined,
    long notOurs,
    long pending,
    long bytesRead,
    long droppedAtSource,
    long futureTimes) {

  /** Nothing read yet. */
  public static final Books EMPTY = new Books(0, 0, 0, 0, 0, 0, 0, 0);

  /** Whether read = acknowledged + quarantined + not ours + pending. */
  public boolean balance() {
    return linesRead == acknowledged + quarantined + notOurs + pending;
  }

  /** The account as if that many of the pending lines had not begun. */
  Books withoutPending(long lines) {
    return new Books(
        linesRead - lines,
        acknowledged,
        quarantined,
        notOurs,
        pending - lines,
        bytesRead,
        droppedAtSource,
        futureTimes);
  }

  Books plus(Books other) {
    return new Books(
        linesRead + other.linesRead,
        acknowledged + other.acknowledged,
        quarantined + other.quarantined,
        notOurs + other.notOurs,
        pending + other.pending,
        bytesRead + other.bytesRead,
        droppedAtSource + other.droppedAtSource,
        futureTimes + other.futureTimes);
  }
}
