package org.capacityobservatory.cli;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.capacityobservatory.shipper.Shipper;
import org.capacityobservatory.shipper.ShipperConfig;
import org.capacityobservatory.shipper.ShipperConfigException;
import org.capacityobservatory.shipper.ShipperStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "ship",
    description = "Follows log files and puts each of the limiter's lines into Kafka once.",
    mixinStandardHelpOptions = true)
final class ShipCommand implements Callable<Integer> {
  private static final Duration FOREVER = Duration.ofDays(365);

  @Mixin private KafkaOptions kafka;
  @Mixin private MetricsOptions metrics;

  @Option(
      names = "--id",
      paramLabel = "NAME",
      description =
          "This shipper's name, under which its positions are kept: the same over restarts, and no"
              + " other shipper's (default: the host's name).")
  private @Nullable String identity;

  @Option(names = "--once", description = "Ship the files to their present end, and end.")
  private boolean once;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Log files or globs (quote those): Docker json-file, CRI or bare lines.")
  private List<String> files;

  @Override
  public Integer call() throws InterruptedException {
    ShipperConfig config = config();
    if (once) {
      return shipOnce(config);
    }
    return RunningProcess.run(
        process -> {
          Shipper shipper = shipper(config);
          shipper.start();
          process.onStop(shipper::close);
          metrics.serve();
          process.ready(Map.of());
          return failureOf(shipper);
        });
  }

  private int shipOnce(ShipperConfig config) throws InterruptedException {
    metrics.serve();
    try (Shipper shipper = shipper(config)) {
      shipper.start();
      while (shipper.awaitDone(FOREVER).state() != ShipperStatus.State.DONE) {
        // It goes on: a broker may be away for long.
      }
    }
    return 0;
  }

  private Shipper shipper(ShipperConfig config) {
    return new Shipper(config, InstantSource.system(), metrics.registry());
  }

  private static CompletableFuture<Throwable> failureOf(Shipper shipper) {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread watch =
        new Thread(
            () -> {
              try {
                shipper.awaitDone(FOREVER);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (RuntimeException e) {
                failure.complete(e);
              }
            },
            "ship-watch");
    watch.setDaemon(true);
    watch.start();
    return failure;
  }

  private ShipperConfig config() {
    try {
      return ShipperConfig.builder()
          .bootstrapServers(kafka.bootstrapServers())
          .kafkaProperties(kafka.properties())
          .identity(identity == null ? HostName.get() : identity)
          .files(files)
          .once(once)
          .build();
    } catch (ShipperConfigException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
