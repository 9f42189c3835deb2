package org.capacityobservatory.log.sink;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How much a sink holds and how long it is waited for.
 *
 * @param capacityLines most lines queued or being written, 1–1,048,576; each is a record of the
 *     caller's, so memory is bounded by their size
 * @param closeWait how long {@link BoundedSink#close} and the process's exit wait for those lines,
 *     0–2 s
 */
public record SinkConfig(int capacityLines, Duration closeWait) {
  /** The longest that a sink may hold up a process's exit. */
  public static final Duration LONGEST_CLOSE_WAIT = Duration.ofSeconds(2);

  /** 1,000 lines, 2 s. */
  public static final SinkConfig DEFAULT = new SinkConfig(1_000, LONGEST_CLOSE_WAIT);

  private static final int MOST_LINES = 1 << 20;

  /**
   * Checks the whole config.
   *
   * @throws IllegalArgumentException naming every value that can't be used
   */
  public SinkConfig {
    List<String> problems = new ArrayList<>();
    if (capacityLines < 1 || capacityLines > MOST_LINES) {
      problems.add("capacityLines is " + capacityLines + ", not within 1 to " + MOST_LINES);
    }
    if (closeWait.isNegative() || closeWait.compareTo(LONGEST_CLOSE_WAIT) > 0) {
      problems.add("closeWait is " + closeWait + ", not within 0 s to 2 s");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "The sink's config can't be used: " + String.join("; ", problems));
    }
  }
}
