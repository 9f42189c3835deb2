package org.capacityobservatory.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "summary",
    description = {
      "Prints the numbers of log files, by the whole path: Kafka, Streams and ClickHouse.",
      "The embedded servers keep nothing; with --kafka and --clickhouse the lines stay there."
    },
    mixinStandardHelpOptions = true)
final class SummaryCommand implements Callable<Integer> {
  private static final Logger log = LoggerFactory.getLogger(SummaryCommand.class);

  @Mixin private StackOptions servers;

  @Option(
      names = "--format",
      defaultValue = "TEXT",
      paramLabel = "text|json",
      description = "Form of the summary (default: text).")
  private SummaryText.Format format;

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Log files, also gzipped.")
  private List<String> files;

  @Override
  public Integer call() throws InterruptedException, IOException {
    Blank.refused("FILE", files);
    Progress progress = new Progress(System.err);
    Supervisor supervisor = new Supervisor(Supervisor.AtDeath.GIVE_UP, progress);
    Path directory = Files.createTempDirectory("capacity-summary-");
    AtomicBoolean failed = new AtomicBoolean();
    ShutdownHook hook =
        new ShutdownHook(
            () -> {
              supervisor.close();
              clean(directory, failed.get());
            });
    try {
      Stack stack =
          Stack.start(directory, servers.kafka(), servers.clickHouse(), supervisor, progress);
      Summary summary =
          new OneShot(stack, supervisor.givenUp(), progress)
              .run(files, HostName.get() + "-summary", servers.clickHouse() == null);
      System.out.print(SummaryText.of(summary, format));
      return 0;
    } catch (RuntimeException e) {
      failed.set(true);
      progress.say("The logs are kept in " + directory.resolve(Stack.LOGS));
      throw e;
    } finally {
      hook.close();
    }
  }

  /** Removes what this run kept; after a failure the logs stay, since the message names them. */
  private static void clean(Path directory, boolean keepLogs) {
    Path logs = directory.resolve(Stack.LOGS);
    try (Stream<Path> tree = Files.walk(directory)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        if (!keepLogs || !(path.startsWith(logs) || path.equals(directory))) {
          Files.deleteIfExists(path);
        }
      }
    } catch (IOException e) {
      log.warn("{} could not be removed: {}", directory, e.toString());
    }
  }
}
