package org.capacityobservatory.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.capacityobservatory.streams.StreamsJob;
import org.capacityobservatory.streams.StreamsJobConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "streams",
    description = "Runs the Streams job: lines to calls, config changes, dead letters and metrics.",
    mixinStandardHelpOptions = true)
final class StreamsCommand implements Callable<Integer> {
  private static final Duration START_PATIENCE = Duration.ofSeconds(100);

  @Mixin private KafkaOptions kafka;
  @Mixin private MetricsOptions metrics;
  @Mixin private CountingOptions counting;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      required = true,
      description = "Where the job keeps its files; one process owns it.")
  private Path stateDirectory;

  @Option(
      names = "--application-id",
      paramLabel = "NAME",
      defaultValue = StreamsJobConfig.DEFAULT_APPLICATION_ID,
      description = "Instances with the same name share the work (default: ${DEFAULT-VALUE}).")
  private String applicationId;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description = "Processing threads (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--commit-interval-ms",
      paramLabel = "N",
      defaultValue = "500",
      description = "How often a transaction commits (default: ${DEFAULT-VALUE}).")
  private long commitIntervalMillis;

  @Option(
      names = "--standby-replicas",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Copies of the state that other instances keep warm (default: ${DEFAULT-VALUE}).")
  private int standbyReplicas;

  @Option(
      names = "--grace-s",
      paramLabel = "N",
      defaultValue = "900",
      description =
          "How long after a minute's end, by event time, it is closed (default: ${DEFAULT-VALUE}).")
  private long graceSeconds;

  @Option(
      names = "--idle-after-s",
      paramLabel = "N",
      defaultValue = "60",
      description =
          "After how long without a line wall clock goes on for a source (default: ${DEFAULT-VALUE}).")
  private long idleAfterSeconds;

  @Override
  public Integer call() throws InterruptedException {
    StreamsJobConfig config = config();
    return RunningProcess.run(
        process -> {
          StreamsJob job = StreamsJob.start(config, metrics.registry());
          process.onStop(job::close);
          metrics.serve();
          if (!job.awaitRunning(START_PATIENCE)) {
            throw new CommandException("The Streams job isn't running: " + causeOf(job));
          }
          process.ready(Map.of());
          return job.failure();
        });
  }

  private StreamsJobConfig config() {
    try {
      return new StreamsJobConfig(
          kafka.bootstrapServers(),
          applicationId,
          stateDirectory,
          threads,
          Duration.ofMillis(commitIntervalMillis),
          standbyReplicas,
          counting.config(Duration.ofSeconds(graceSeconds), Duration.ofSeconds(idleAfterSeconds)),
          kafka.properties());
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static String causeOf(StreamsJob job) {
    return job.failure().isDone()
        ? String.valueOf(job.failure().join().getMessage())
        : "no partitions were assigned in " + START_PATIENCE.toSeconds() + " s; is Kafka running?";
  }
}
