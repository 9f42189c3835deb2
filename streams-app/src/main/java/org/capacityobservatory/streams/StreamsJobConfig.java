package org.capacityobservatory.streams;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.capacityobservatory.metrics.MetricsConfig;

/**
 * How the Streams job runs.
 *
 * @param bootstrapServers Kafka, as HOST:PORT[,HOST:PORT…]
 * @param applicationId consumer group, prefix of internal topics and of transactional ids
 * @param stateDirectory where Streams keeps its files; one process owns it
 * @param threads processing threads, at least 1
 * @param commitInterval how often a transaction commits, at least 10 ms
 * @param standbyReplicas copies of the state that other instances keep warm, at least 0
 * @param metrics how calls are counted
 * @param kafka further Kafka properties, which win over ours
 */
public record StreamsJobConfig(
    String bootstrapServers,
    String applicationId,
    Path stateDirectory,
    int threads,
    Duration commitInterval,
    int standbyReplicas,
    MetricsConfig metrics,
    Map<String, String> kafka) {
  /** The job's usual name. */
  public static final String DEFAULT_APPLICATION_ID = "capacity-streams";

  /**
   * Checks all values.
   *
   * @throws IllegalArgumentException naming every value that is wrong
   */
  public StreamsJobConfig {
    kafka = Map.copyOf(kafka);
    List<String> problems = new ArrayList<>();
    if (bootstrapServers.isBlank()) {
      problems.add("Kafka's address is empty: write HOST:PORT");
    }
    if (!applicationId.matches("[A-Za-z0-9._-]{1,100}")) {
      problems.add("application id '" + applicationId + "': letters, digits, '.', '_', '-' only");
    }
    if (threads < 1) {
      problems.add("threads is " + threads + ": at least 1");
    }
    if (commitInterval.toMillis() < 10) {
      problems.add("commit interval is " + commitInterval.toMillis() + " ms: at least 10");
    }
    if (standbyReplicas < 0) {
      problems.add("standby replicas are " + standbyReplicas + ": at least 0");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }
}
