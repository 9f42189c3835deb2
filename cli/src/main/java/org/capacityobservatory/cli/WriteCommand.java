package org.capacityobservatory.cli;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.capacityobservatory.streams.writer.Rollups;
import org.capacityobservatory.streams.writer.VerificationSchedule;
import org.capacityobservatory.streams.writer.Verifications;
import org.capacityobservatory.streams.writer.Writer;
import org.capacityobservatory.streams.writer.WriterConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "write",
    description = "Brings ClickHouse's tables up to date and moves rows from the topics into them.",
    mixinStandardHelpOptions = true)
final class WriteCommand implements Callable<Integer> {
  /** Rows and their minutes come by different ways: a difference must outlast what is under way. */
  private static final Duration VERIFY_PATIENCE = Duration.ofSeconds(30);

  @Mixin private KafkaOptions kafka;
  @Mixin private ClickHouseOptions clickHouse;
  @Mixin private SchemaOptions schema;
  @Mixin private MetricsOptions metrics;

  @Option(
      names = "--group",
      paramLabel = "NAME",
      defaultValue = WriterConfig.DEFAULT_GROUP_ID,
      description = "Writers of one group share the work (default: ${DEFAULT-VALUE}).")
  private String groupId;

  @Option(
      names = "--verify-every-s",
      paramLabel = "N",
      defaultValue = "600",
      description =
          "How often the newest complete minutes are recounted; 0: never (default:"
              + " ${DEFAULT-VALUE}).")
  private long verifyEverySeconds;

  @Option(
      names = "--verify-period-min",
      paramLabel = "N",
      defaultValue = "60",
      description = "How many minutes each recount covers (default: ${DEFAULT-VALUE}).")
  private long verifyPeriodMinutes;

  @Option(
      names = "--near-limit-share",
      paramLabel = "SHARE",
      defaultValue = "0.8",
      description =
          "From which share of its limit a lane counts as near it, as streams was told"
              + " (default: ${DEFAULT-VALUE}).")
  private double nearLimitShare;

  @Override
  public Integer call() throws InterruptedException {
    WriterConfig config = config();
    Optional<VerificationSchedule> schedule = schedule();
    return RunningProcess.run(
        process -> {
          Writer writer = Writer.start(config, metrics.registry());
          Optional<Verifications> verifications =
              schedule.map(given -> Verifications.start(config, given, metrics.registry()));
          Rollups rollups = Rollups.start(config, metrics.registry());
          process.onStop(
              () -> {
                rollups.close();
                verifications.ifPresent(Verifications::close);
                writer.close();
              });
          metrics.serve();
          process.ready(Map.of());
          return writer.failure();
        });
  }

  private Optional<VerificationSchedule> schedule() {
    try {
      return verifyEverySeconds == 0
          ? Optional.empty()
          : Optional.of(
              new VerificationSchedule(
                  Duration.ofSeconds(verifyEverySeconds),
                  Duration.ofMinutes(verifyPeriodMinutes),
                  VERIFY_PATIENCE,
                  nearLimitShare));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private WriterConfig config() {
    try {
      return new WriterConfig(
          kafka.bootstrapServers(),
          groupId,
          clickHouse.config(),
          schema.layout(),
          schema.retention(),
          WriterConfig.DEFAULT_MAX_BLOCK_ROWS,
          WriterConfig.DEFAULT_MAX_BLOCK_AGE,
          kafka.properties());
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
