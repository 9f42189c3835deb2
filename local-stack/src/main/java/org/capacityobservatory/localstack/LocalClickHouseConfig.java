package org.capacityobservatory.localstack;

import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;

/**
 * What a local ClickHouse is started with.
 *
 * @param directory where its data and its password files live; created when missing, used by one
 *     process at a time
 * @param port the port on loopback, or 0 for any free one
 * @param logFile where its log lines go, appended
 * @param timeZone the time zone of its sessions
 * @param concurrentQueries how many queries run at once, 1 to 256; as many as 16 times that wait
 * @param queryTimeLimit how long a query may run unless its {@code max_execution_time} says
 *     otherwise; whole seconds, at least 1
 * @param memoryMegabytes what all queries together may use, in MiB; at least 256
 * @param readyTimeout how long a start may take
 */
public record LocalClickHouseConfig(
    Path directory,
    int port,
    Path logFile,
    ZoneId timeZone,
    int concurrentQueries,
    Duration queryTimeLimit,
    int memoryMegabytes,
    Duration readyTimeout) {

  /** Checks every value, and reports every problem in one {@link IllegalArgumentException}. */
  public LocalClickHouseConfig {
    Problems problems = new Problems("local ClickHouse");
    problems.requirePort(port, "port");
    problems.require(
        concurrentQueries >= 1 && concurrentQueries <= 256,
        "concurrentQueries must be 1 to 256, not " + concurrentQueries);
    problems.require(
        queryTimeLimit.compareTo(Duration.ofSeconds(1)) >= 0,
        "queryTimeLimit must be at least 1 s, not " + queryTimeLimit);
    problems.require(
        memoryMegabytes >= 256, "memoryMegabytes must be at least 256, not " + memoryMegabytes);
    problems.require(
        readyTimeout.compareTo(Duration.ofSeconds(1)) >= 0,
        "readyTimeout must be at least 1 s, not " + readyTimeout);
    problems.throwIfAny();
    directory = directory.toAbsolutePath().normalize();
    logFile = logFile.toAbsolutePath().normalize();
  }

  /**
   * Any free port, UTC, 16 queries at once of at most 60 s, 4 GiB; the log beside the directory.
   */
  public static LocalClickHouseConfig in(Path directory) {
    return new LocalClickHouseConfig(
        directory,
        0,
        directory.toAbsolutePath().resolveSibling("clickhouse.log"),
        ZoneId.of("UTC"),
        16,
        Duration.ofMinutes(1),
        4096,
        Duration.ofMinutes(2));
  }

  /** The same with another port. */
  public LocalClickHouseConfig withPort(int other) {
    return new LocalClickHouseConfig(
        directory,
        other,
        logFile,
        timeZone,
        concurrentQueries,
        queryTimeLimit,
        memoryMegabytes,
        readyTimeout);
  }

  /** The same with another log file. */
  public LocalClickHouseConfig withLogFile(Path other) {
    return new LocalClickHouseConfig(
        directory,
        port,
        other,
        timeZone,
        concurrentQueries,
        queryTimeLimit,
        memoryMegabytes,
        readyTimeout);
  }

  /** The same with another time zone. */
  public LocalClickHouseConfig withTimeZone(ZoneId other) {
    return new LocalClickHouseConfig(
        directory,
        port,
        logFile,
        other,
        concurrentQueries,
        queryTimeLimit,
        memoryMegabytes,
        readyTimeout);
  }

  /** The same with other limits on queries. */
  public LocalClickHouseConfig withQueryLimits(int concurrent, Duration timeLimit) {
    return new LocalClickHouseConfig(
        directory, port, logFile, timeZone, concurrent, timeLimit, memoryMegabytes, readyTimeout);
  }
}
