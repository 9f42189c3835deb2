package org.capacityobservatory.cli;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.capacityobservatory.shipper.Shipper;
import org.capacityobservatory.shipper.ShipperConfig;
import org.capacityobservatory.shipper.ShipperConfigException;
import org.capacityobservatory.shipper.ShipperException;
import org.capacityobservatory.shipper.ShipperStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "ship",
    description =
        "Follows log files, and other sources, and puts each of the limiter's lines into Kafka"
            + " once.",
    mixinStandardHelpOptions = true)
final class ShipCommand implements Callable<Integer> {
  private static final Duration FOREVER = Duration.ofDays(365);

  @Mixin private KafkaOptions kafka;
  @Mixin private MetricsOptions metrics;
  @Mixin private FeedOptions feeds;

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
      arity = "0..*",
      description =
          "Log files or globs (quote those), plain, gzip or zstd: Docker json-file, CRI, journalctl"
              + " -o json, CloudWatch Logs (exported lines, saved events), or bare lines.")
  private List<String> files = List.of();

  @Override
  public Integer call() throws InterruptedException {
    ShipperConfig config = config();
    if (feeds.isStdinAlone(files)) {
      return shipStdin(config);
    }
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

  /** Ends with its input, or at a signal with what it has read of it. */
  private int shipStdin(ShipperConfig config) throws InterruptedException {
    metrics.serve();
    Shipper shipper = shipper(config);
    CountDownLatch told = new CountDownLatch(1);
    // A signal's exit code is the system's unless the hook ends the process itself.
    Thread hook =
        new Thread(
            () -> {
              shipper.close();
              told.countDown();
              Runtime.getRuntime().halt(codeOf(shipper));
            },
            "stop");
    Runtime.getRuntime().addShutdownHook(hook);
    shipper.start();
    boolean through = false;
    try {
      while (!through) {
        ShipperStatus.State state = shipper.awaitDone(FOREVER).state();
        through = state == ShipperStatus.State.DONE || state == ShipperStatus.State.CLOSED;
      }
    } catch (ShipperException e) {
      removeHook(hook, told);
      int unused = codeOf(shipper);
      throw e;
    }
    removeHook(hook, told);
    return codeOf(shipper);
  }

  /** Where a signal came first, its hook ends the process. */
  private static void removeHook(Thread hook, CountDownLatch told) throws InterruptedException {
    try {
      boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      told.await();
    }
  }

  private static int codeOf(Shipper shipper) {
    long lines = shipper.unacknowledged();
    if (lines > 0) {
      System.err.println(
          "%d lines of standard input are not known to stand in Kafka, and can't be read again"
              .formatted(lines));
      return 1;
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
          .identity(identity == null ? HostName.get() : identity)
          .files(feeds.withExports(files))
          .feeds(feeds.feeds())
          .once(once)
          .build();
    } catch (ShipperConfigException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
