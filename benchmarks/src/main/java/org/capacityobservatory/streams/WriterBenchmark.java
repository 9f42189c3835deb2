package org.capacityobservatory.streams;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.capacityobservatory.localstack.LocalKafka;
import org.capacityobservatory.localstack.LocalKafkaConfig;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.capacityobservatory.sql.Migrations;
import org.capacityobservatory.sql.Retention;
import org.capacityobservatory.sql.SchemaLayout;
import org.capacityobservatory.streams.writer.Writer;
import org.capacityobservatory.streams.writer.WriterConfig;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures how many rows of calls the writer moves from a real topic into the embedded engine,
 * beside bare inserts of the same bytes in blocks of the same size, in turns.
 */
@Command(
    name = "writer-benchmark",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures the writer beside a bare insert.")
public final class WriterBenchmark implements Callable<Integer> {
  private static final int GOAL = 250_000;

  @Option(names = "--rows", defaultValue = "1000000", description = "Default: 1,000,000.")
  private int rows;

  @Option(names = "--rounds", defaultValue = "2", description = "After one to be warm.")
  private int rounds;

  @Option(
      names = "--block",
      defaultValue = "" + WriterConfig.DEFAULT_MAX_BLOCK_ROWS,
      description = "Rows a block; default: ${DEFAULT-VALUE}.")
  private int block;

  private final List<Double> writerRates = new ArrayList<>();
  private final List<Double> bareRates = new ArrayList<>();

  /** Runs it; exit code 0, 1 when it failed, 2 for wrong usage. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new WriterBenchmark()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    Path directory = Files.createTempDirectory("writer-benchmark");
    CallRows made = new CallRows(Instant.now().truncatedTo(ChronoUnit.DAYS).toEpochMilli());
    try (LocalKafka kafka = LocalKafka.start(LocalKafkaConfig.in(directory.resolve("kafka")));
        LocalClickHouse engine =
            LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("clickhouse")))) {
      made.fillTopic(kafka.bootstrap(), rows);
      List<List<byte[]>> blocks = blocks(made);
      say("%-8s %12s %38s", "", "rows/s", "µs CPU/row: here engine broker");
      for (int round = 0; round <= rounds; round++) {
        double bare = bare(engine, kafka, "bare_" + round, blocks);
        double writer = writer(engine, kafka, "writer_" + round);
        if (round > 0) {
          bareRates.add(bare);
          writerRates.add(writer);
        }
      }
    }
    double writer = median(writerRates);
    double bare = median(bareRates);
    say("writer %,.0f rows/s, goal >= %,d; writer : bare %.2f", writer, GOAL, writer / bare);
    return 0;
  }

  /** What bare inserts send, as the writer would send it. */
  private List<List<byte[]>> blocks(CallRows made) throws Exception {
    List<List<byte[]>> blocks = new ArrayList<>();
    for (int from = 0; from < rows; from += block) {
      int to = Math.min(rows, from + block);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (int i = from; i < to; i++) {
        bytes.writeBytes(made.sentRow(i));
      }
      blocks.add(List.of(bytes.toByteArray()));
    }
    return blocks;
  }

  private double bare(
      LocalClickHouse engine, LocalKafka kafka, String database, List<List<byte[]>> blocks) {
    ClickHouseConfig config = config(engine, database);
    ClickHouseHttp clickHouse = new ClickHouseHttp(config, Duration.ofMinutes(2));
    Migrations.apply(clickHouse, config, SchemaLayout.oneNode(), Retention.USUAL);
    Cost cost = new Cost(engine.pid(), kafka.pid());
    int from = 0;
    for (List<byte[]> bytes : blocks) {
      int count = Math.min(block, rows - from);
      clickHouse.insertBlock("calls", bytes, count, "bare-" + from);
      from += count;
    }
    return cost.report("bare", rows);
  }

  private double writer(LocalClickHouse engine, LocalKafka kafka, String database)
      throws InterruptedException {
    WriterConfig config =
        new WriterConfig(
            kafka.bootstrap(),
            database,
            config(engine, database),
            SchemaLayout.oneNode(),
            Retention.USUAL,
            block,
            WriterConfig.DEFAULT_MAX_BLOCK_AGE,
            Map.of());
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    ClickHouseHttp clickHouse = new ClickHouseHttp(config.clickHouse(), Duration.ofMinutes(2));
    Migrations.apply(clickHouse, config.clickHouse(), config.layout(), config.retention());
    try (Writer writer = Writer.start(config, registry)) {
      Cost cost = new Cost(engine.pid(), kafka.pid());
      while (stored(registry) < rows) {
        if (writer.failure().isDone()) {
          throw new IllegalStateException("The writer stopped", writer.failure().join());
        }
        Thread.sleep(1);
      }
      return cost.report("writer", rows);
    }
  }

  private static double stored(SimpleMeterRegistry registry) {
    return registry.find("capacity.write.rows").counters().stream()
        .mapToDouble(counter -> counter.count())
        .sum();
  }

  private static ClickHouseConfig config(LocalClickHouse engine, String database) {
    return new ClickHouseConfig(
        engine.url(), LocalClickHouse.WRITER, engine.password(LocalClickHouse.WRITER), database);
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted[(sorted.length - 1) / 2];
  }

  /** The clock and the CPU times from a moment on. */
  private static final class Cost {
    private final long enginePid;
    private final long brokerPid;
    private final long beganNanos = System.nanoTime();
    private final long hereNanos = cpuNanos(ProcessHandle.current().pid());
    private final long engineNanos;
    private final long brokerNanos;

    Cost(long enginePid, long brokerPid) {
      this.enginePid = enginePid;
      this.brokerPid = brokerPid;
      engineNanos = cpuNanos(enginePid);
      brokerNanos = cpuNanos(brokerPid);
    }

    double report(String name, int rows) {
      double rate = rows / ((System.nanoTime() - beganNanos) / 1e9);
      say(
          "%-8s %,12.0f %24.2f %6.2f %6.2f",
          name,
          rate,
          micros(ProcessHandle.current().pid(), hereNanos, rows),
          micros(enginePid, engineNanos, rows),
          micros(brokerPid, brokerNanos, rows));
      return rate;
    }

    private static double micros(long pid, long beforeNanos, int rows) {
      return (cpuNanos(pid) - beforeNanos) / 1e3 / rows;
    }

    private static long cpuNanos(long pid) {
      return ProcessHandle.of(pid)
          .flatMap(process -> process.info().totalCpuDuration())
          .orElse(Duration.ZERO)
          .toNanos();
    }
  }

  private static void say(String form, Object... values) {
    System.out.println(String.format(Locale.ROOT, form, values));
  }
}
