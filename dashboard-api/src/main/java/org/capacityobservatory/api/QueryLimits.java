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
 */
public record QueryLimits(Duration maxExecutionTime, long maxMemoryBytes, int maxConcurrent) {
  private static final long MIN_MEMORY_BYTES = 16L << 20;
  private static final long MAX_SECONDS = 600;

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
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
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
    settings.setProperty("max_result_rows", "200000");
    settings.setProperty("result_overflow_mode", "throw");
    return settings;
  }
}
