package org.capacityobservatory.cli;

import java.util.Map;
import java.util.concurrent.Callable;
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

  @Override
  public Integer call() throws InterruptedException {
    WriterConfig config = config();
    return RunningProcess.run(
        process -> {
          Writer writer = Writer.start(config, metrics.registry());
          process.onStop(writer::close);
          metrics.serve();
          process.ready(Map.of());
          return writer.failure();
        });
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
