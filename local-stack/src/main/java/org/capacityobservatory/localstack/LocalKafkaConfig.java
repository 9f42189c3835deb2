package org.capacityobservatory.localstack;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What a local Kafka is started with.
 *
 * @param directory where its data live; created when missing, used by one process at a time
 * @param port the port on loopback, or 0 for any free one
 * @param logFile where its log lines go, appended
 * @param heapMegabytes the heap of its JVM, in MiB: 128 to 65536
 * @param readyTimeout how long a start may take
 */
public record LocalKafkaConfig(
    Path directory, int port, Path logFile, int heapMegabytes, Duration readyTimeout) {

  /** Checks every value, and reports every problem in one {@link IllegalArgumentException}. */
  public LocalKafkaConfig {
    Problems problems = new Problems("local Kafka");
    problems.requirePort(port, "port");
    problems.require(
        heapMegabytes >= 128 && heapMegabytes <= 65_536,
        "heapMegabytes must be 128 to 65536, not " + heapMegabytes);
    problems.require(
        readyTimeout.compareTo(Duration.ofSeconds(1)) >= 0,
        "readyTimeout must be at least 1 s, not " + readyTimeout);
    problems.throwIfAny();
    directory = directory.toAbsolutePath().normalize();
    logFile = logFile.toAbsolutePath().normalize();
  }

  /** Any free port, a heap of 512 MiB, the log in {@code kafka.log} beside the directory. */
  public static LocalKafkaConfig in(Path directory) {
    Path log = directory.toAbsolutePath().resolveSibling("kafka.log");
    return new LocalKafkaConfig(directory, 0, log, 512, Duration.ofMinutes(2));
  }

  /** The same with another port. */
  public LocalKafkaConfig withPort(int other) {
    return new LocalKafkaConfig(directory, other, logFile, heapMegabytes, readyTimeout);
  }

  /** The same with another log file. */
  public LocalKafkaConfig withLogFile(Path other) {
    return new LocalKafkaConfig(directory, port, other, heapMegabytes, readyTimeout);
  }
}
