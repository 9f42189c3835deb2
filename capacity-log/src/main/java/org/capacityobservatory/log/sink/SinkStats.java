package org.capacityobservatory.log.sink;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What became of the lines offered to a sink; each figure counts from the sink's start.
 *
 * <p>At rest {@code offered = written + queued + allDropped()} and {@code allDropped() = told +
 * pending()}; while calls go on, figures are read one after the other and may be a few lines apart.
 *
 * @param accepted lines taken into the queue
 * @param written lines handed to the output, whole
 * @param queued lines accepted that are neither written nor dropped: they wait or are being written
 * @param dropped lines dropped, by cause; every cause is there
 * @param told sum of {@code log_dropped} in the lines written, as far as this sink added it
 * @param problem what the output last threw; null if it never did
 */
public record SinkStats(
    long accepted,
    long written,
    long queued,
    Map<DropCause, Long> dropped,
    long told,
    @Nullable String problem) {
  /** Copies the counters. */
  public SinkStats {
    dropped = Map.copyOf(dropped);
  }

  /** Lines offered: accepted, or refused because the queue was full or the sink closed. */
  public long offered() {
    return accepted + dropped(DropCause.QUEUE_FULL) + dropped(DropCause.CLOSED);
  }

  /** Lines dropped, of all causes. */
  public long allDropped() {
    return dropped.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Lines dropped for one cause. */
  public long dropped(DropCause cause) {
    return dropped.getOrDefault(cause, 0L);
  }

  /** Lines dropped that no written line has told of. */
  public long pending() {
    return allDropped() - told;
  }
}
