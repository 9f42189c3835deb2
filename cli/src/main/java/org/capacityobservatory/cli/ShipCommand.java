package org.capacityobservatory.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.capacityobservatory.shipper.DryRun;
import org.capacityobservatory.shipper.PrivacyConfig;
import org.capacityobservatory.shipper.Shipper;
import org.capacityobservatory.shipper.ShipperConfig;
import org.capacityobservatory.shipper.ShipperConfigException;
import org.capacityobservatory.shipper.ShipperException;
import org.capacityobservatory.shipper.ShipperStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "ship",
    description =
        "Follows log files, and other sources, and puts each of the limiter's lines into Kafka"
            + " once.",
    mixinStandardHelpOptions = true,
    customSynopsis = {
      "capacity ship [OPTIONS] FILE...",
      "       capacity ship config print [OPTIONS] [FILE...]",
      ""
    },
    footer = {
      "",
      "Every option can stand in the config file under its name without dashes",
      "(kafka = HOST:9092) and in the environment (CAPACITY_SHIP_KAFKA). A flag goes",
      "before the environment, and that before the file. Files there: files = a,b/*.log",
      "or, where a name holds a comma, files[0] = ... and files[1] = ...",
      "'config print' shows every value and where it came from; secrets are masked.",
      "",
      "Examples:",
      "  capacity ship --kafka k1:9092 --id api-1 '/var/log/containers/api-*.log'",
      "  capacity ship --config /etc/capacity/ship.properties --dry-run",
      "  capacity ship --kafka k1:9092 --id backfill --once '/archive/2026-11*.gz'"
    })
final class ShipCommand implements Callable<Integer> {
  private static final Duration FOREVER = Duration.ofDays(365);
  private static final Duration PROGRESS_EVERY = Duration.ofMillis(500);

  @Spec private CommandSpec spec;
  @Mixin private MetricsOptions metrics;
  @Mixin private FeedOptions feeds;
  @Mixin private PrivacyOptions privacy;

  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      description = "Kafka brokers to begin with, separated by commas (also env CAPACITY_KAFKA).")
  private @Nullable String bootstrapServers;

  @Option(
      names = "--max-open-files",
      paramLabel = "N",
      defaultValue = "2000",
      description =
          "Files held open at most; a rotated file that isn't could be lost, and is named before it"
              + " is (default: ${DEFAULT-VALUE}).")
  private int maxOpenFiles;

  @Option(
      names = "--kafka-config",
      paramLabel = "FILE",
      description = "Further Kafka client settings, for security: a file of properties.")
  private @Nullable Path kafkaConfig;

  @Option(
      names = "--id",
      paramLabel = "NAME",
      description =
          "This shipper's name, under which its positions are kept: the same over restarts, and no"
              + " other shipper's (default: the host's name).")
  private @Nullable String identity;

  @Option(names = "--once", description = "Ship the files to their present end, and end.")
  private boolean once;

  @Option(
      names = "--dry-run",
      description = "Show what would be read and from where, and send nothing.")
  private boolean dryRun;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "${env:CAPACITY_SHIP_CONFIG}",
      description = "A file of settings (also env CAPACITY_SHIP_CONFIG).")
  private @Nullable Path configFile;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description =
          "Log files or globs (quote those), plain, gzip or zstd: Docker json-file, CRI, journalctl"
              + " -o json, CloudWatch Logs (exported lines, saved events), or bare lines.")
  private List<String> files = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    boolean print = files.size() >= 2 && files.subList(0, 2).equals(List.of("config", "print"));
    if (print) {
      files = files.subList(2, files.size());
    }
    ShipSettings settings = ShipSettings.load(configFile, System.getenv());
    CommandSpec trial = new CommandLine(new ShipCommand()).getCommandSpec();
    List<String> problems = new ArrayList<>(settings.fillIn(spec, trial));
    if (files.isEmpty()) {
      files = settings.files();
    } else {
      settings.filesAreFlags();
    }
    if (identity == null) {
      identity = HostName.get();
    }
    PrivacyConfig privacyConfig = privacy.config(System.getenv(), problems);
    Map<String, String> client = kafkaClient(problems);
    if (print) {
      print(settings, privacyConfig, client);
    }
    ShipperConfig config = config(problems, privacyConfig, client);
    if (print) {
      return 0;
    }
    if (dryRun) {
      return dryRun(config);
    }
    if (feeds.isStdinAlone(files)) {
      return shipStdin(config);
    }
    return once ? shipOnce(config) : ship(config);
  }

  private int ship(ShipperConfig config) throws InterruptedException {
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
    TerminalProgress terminal = new TerminalProgress();
    ShipProgress progress = new ShipProgress(System.nanoTime());
    try (Shipper shipper = shipper(config)) {
      shipper.start();
      // It goes on however long it takes: a broker may be away for long.
      while (shipper.awaitDone(PROGRESS_EVERY).state() != ShipperStatus.State.DONE) {
        terminal.say(progress.words(shipper.status(), System.nanoTime()));
      }
    } finally {
      terminal.done();
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

  private int dryRun(ShipperConfig config) {
    PrintWriter out = spec.commandLine().getOut();
    DryRun look = DryRun.of(config, InstantSource.system());
    for (DryRun.Found file : look.files()) {
      out.println(words(file));
    }
    look.emptyPatterns().forEach(glob -> out.println("no file matches " + glob));
    if (look.kafkaProblem() != null) {
      out.println("positions are not known, so every file looks new: " + look.kafkaProblem());
    }
    out.println("dry run: nothing was sent");
    out.flush();
    boolean good =
        look.files().stream().allMatch(file -> file.problem() == null)
            && look.emptyPatterns().isEmpty()
            && look.kafkaProblem() == null;
    return good ? 0 : 1;
  }

  private static String words(DryRun.Found file) {
    if (file.problem() != null) {
      return file.path() + ": " + file.problem();
    }
    return String.format(
        Locale.ROOT,
        "%s: %s, %s, generation %d, %,d bytes, from byte %,d; first line: %s",
        file.path(),
        file.compressed() ? "compressed" : "plain",
        file.known() ? "known" : "new",
        file.generation(),
        file.size(),
        file.position(),
        file.firstLine());
  }

  /** Every value and where it came from; of secrets only that they are there. */
  private void print(
      ShipSettings settings, PrivacyConfig privacyConfig, Map<String, String> client) {
    PrintWriter out = spec.commandLine().getOut();
    for (ShipSettings.Row row : settings.rows(spec, files)) {
      out.printf("%-18s %-40s %s%n", row.name(), row.value(), row.origin());
    }
    if (System.getenv(PrivacyOptions.KEY_VARIABLE) != null) {
      out.printf("%-18s %-40s env %s%n", "user-id-key", "********", PrivacyOptions.KEY_VARIABLE);
    }
    if (privacyConfig.userIdKey() != null) {
      out.printf(
          "%-18s %s%n", "user-id-key", "fingerprint " + privacyConfig.userIdKey().fingerprint());
    }
    client.forEach(
        (name, value) ->
            out.printf("%s = %s  %s%n", name, KafkaClientFile.shown(name, value), kafkaConfig));
    out.flush();
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

  private Map<String, String> kafkaClient(List<String> problems) {
    try {
      return kafkaConfig == null ? Map.of() : KafkaClientFile.read(kafkaConfig);
    } catch (IllegalArgumentException e) {
      problems.add(String.valueOf(e.getMessage()));
      return Map.of();
    }
  }

  /** The config, once nothing at all is wrong with it: every problem is said at once. */
  private ShipperConfig config(
      List<String> problems, PrivacyConfig privacyConfig, Map<String, String> client) {
    String servers = bootstrapServers == null ? "" : bootstrapServers;
    if (servers.isBlank()) {
      problems.add("kafka isn't set: give --kafka HOST:PORT, or env CAPACITY_KAFKA");
    } else {
      addUsage(problems, () -> HostAndPort.checkedList("--kafka", servers));
    }
    ShipperConfig config = null;
    try {
      config =
          ShipperConfig.builder()
              .bootstrapServers(servers.isBlank() ? "unset:0" : servers)
              .identity(String.valueOf(identity))
              .files(orProblem(problems, () -> feeds.withExports(files)))
              .feeds(orProblem(problems, feeds::feeds))
              .maxOpenFiles(maxOpenFiles)
              .once(once)
              .privacy(privacyConfig)
              .kafkaProperties(client)
              .build();
    } catch (ShipperConfigException e) {
      problems.addAll(e.problems());
    }
    if (config == null || !problems.isEmpty()) {
      throw new UsageException(
          String.join(System.lineSeparator(), problems)
              + System.lineSeparator()
              + "Where each value comes from: capacity ship config print");
    }
    return config;
  }

  private static <T> List<T> orProblem(List<String> problems, Supplier<List<T>> read) {
    try {
      return read.get();
    } catch (UsageException e) {
      problems.add(String.valueOf(e.getMessage()));
      return List.of();
    }
  }

  private static void addUsage(List<String> problems, Runnable check) {
    try {
      check.run();
    } catch (UsageException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
  }
}
