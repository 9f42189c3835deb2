package org.capacityobservatory.api;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * What one query may cost, so that a wide one can't take the database from its neighbours.
 *
 * @param maxExecutionTime how long a query may run; whole seconds, 1 s to 10 min
 * @param maxMemoryBytes memory of one query in ClickHouse, at least 16 MiB
 * @param maxConcurrent queries at the same time, 1 to 256; a request that finds none free within a
 *     second is answered 503
 * @param maxResultRows rows that one query may give, 1 to 100,000,000
 */
public record QueryLimits(
    Duration maxExecutionTime, long maxMemoryBytes, int maxConcurrent, long maxResultRows) {
  private static final long MIN_MEMORY_BYTES = 16L << 20;
  private static final long MAX_SECONDS = 600;

  private static final long USUAL_RESULT_ROWS = 200_000;

  /** For the calls that a calibration reads: 2 min, 2 GiB, 2 at a time, 5 million rows. */
  static final QueryLimits OF_CALIBRATIONS =
      new QueryLimits(Duration.ofMinutes(2), 2L << 30, 2, 5_000_000);

  /** 10 s, 1 GiB, 8 at a time. */
  public static final QueryLimits DEFAULT = new QueryLimits(Duration.ofSeconds(10), 1L << 30, 8);

  /**
   * Checks all values.
   *
   * @throws IllegalArgumentException naming every value that is wrong
   */
  public QueryLimits {
    List<String> problems = new ArrayList<>();
    long seconds = maxExecutionTime.toSeconds();
    if (seconds < 1
        || seconds > MAX_SECONDS
        || !maxExecutionTime.equals(Duration.ofSeconds(seconds))) {
      problems.add("query time limit " + maxExecutionTime + ": use whole seconds from 1 to 600");
    }
    if (maxMemoryBytes < MIN_MEMORY_BYTES) {
      problems.add("query memory limit " + maxMemoryBytes + " bytes: use at least 16777216");
    }
    if (maxConcurrent < 1 || maxConcurrent > 256) {
      problems.add("queries at the same time " + maxConcurrent + ": use 1 to 256");
    }
    if (maxResultRows < 1 || maxResultRows > 100_000_000) {
      problems.add("rows of a query " + maxResultRows + ": use 1 to 100000000");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }

  /** With 200,000 rows at most. */
  public QueryLimits(Duration maxExecutionTime, long maxMemoryBytes, int maxConcurrent) {
    this(maxExecutionTime, maxMemoryBytes, maxConcurrent, USUAL_RESULT_ROWS);
  }

  /** Questions of one caller that may be answered at once: a quarter of all, and two at least. */
  int maxConcurrentOfOne() {
    return Math.max(2, maxConcurrent / 4);
  }

  /** The limits in ClickHouse's words, for every query. */
  Properties settings() {
    Properties settings = settingsOfAReader();
    settings.setProperty("max_memory_usage", Long.toString(maxMemoryBytes));
    return settings;
  }

  /** Those of them that a user who may only read is most likely allowed to tighten. */
  Properties settingsOfAReader() {
    Properties settings = new Properties();
    settings.setProperty("max_execution_time", Long.toString(maxExecutionTime.toSeconds()));
    settings.setProperty("max_result_rows", Long.toString(maxResultRows));
    settings.setProperty("result_overflow_mode", "throw");
    return settings;
  }
}
