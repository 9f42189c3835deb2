package org.capacityobservatory.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "up",
    description = {
      "Starts everything and follows log files until Ctrl-C.",
      "Everything is an embedded Kafka and ClickHouse, the shipper, the Streams job, the writer,",
      "the evaluator of the alarms, and the API with its page."
    },
    mixinStandardHelpOptions = true)
final class UpCommand implements Callable<Integer> {
  @Mixin private StackOptions servers;

  @Option(
      names = "--logs",
      paramLabel = "GLOB",
      arity = "1..*",
      description =
          "Log files to follow; may be given more than once (default: real sample lines).")
  private List<String> logs = new ArrayList<>();

  @Parameters(paramLabel = "FILE", arity = "0..*", hidden = true)
  private List<String> moreLogs = new ArrayList<>();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Where everything is kept over restarts (default: data/logs in the checkout, data/samples"
              + " for the sample lines).")
  private @Nullable Path data;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "0",
      description = "Port of the page on loopback; 0 takes a free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--receivers",
      paramLabel = "FILE",
      description = "Who is told of alarms (YAML; default: the log of the alarms' process).")
  private @Nullable Path receivers;

  @Option(
      names = "--once",
      description =
          "Ship the files to their end, wait until every line can be queried, print the"
              + " summary and end.")
  private boolean once;

  @Option(
      names = "--format",
      defaultValue = "TEXT",
      paramLabel = "text|json",
      description = "Form of the summary with --once (default: text).")
  private SummaryText.Format format;

  @Override
  public Integer call() throws InterruptedException {
    List<String> files = Blank.refused("--logs", files());
    if (data != null) {
      Blank.refused("--data", List.of(data.toString()));
    }
    Path directory = data == null ? defaultData() : data;
    requireFree(port);
    Progress progress = new Progress(System.err);
    Supervisor supervisor =
        new Supervisor(once ? Supervisor.AtDeath.GIVE_UP : Supervisor.AtDeath.RESTART, progress);
    ShutdownHook hook = new ShutdownHook(supervisor::close);
    try {
      Stack stack =
          Stack.start(directory, servers.kafka(), servers.clickHouse(), supervisor, progress);
      if (once) {
        Summary summary =
            new OneShot(stack, supervisor.givenUp(), progress)
                .run(files, HostName.get(), ownsDatabase());
        System.out.print(SummaryText.of(summary, format));
        return 0;
      }
      String url = startAll(stack, files);
      progress.say("Following " + String.join(", ", files) + "; data in " + directory);
      System.out.println("The page is at " + url + " (Ctrl-C stops everything)");
      Thread.currentThread().join();
      return 0;
    } finally {
      hook.close();
    }
  }

  private String startAll(Stack stack, List<String> files) {
    CompletableFuture<String> url = Stack.together(() -> stack.startApi(port));
    CompletableFuture<Boolean> ship =
        Stack.together(
            () -> {
              stack.startShip(files);
              return true;
            });
    stack.startPipeline();
    stack.startAlarms(receivers);
    Stack.joined(ship);
    return Stack.joined(url);
  }

  /** Tells at once what would otherwise come after all servers have been started. */
  private static void requireFree(int port) {
    if (port < 0 || port > 65_535) {
      throw new UsageException("--port is " + port + ": 0 to 65535");
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (IOException e) {
      throw new CommandException(
          "Port " + port + " is in use: give another with --port, or none for a free one", e);
    }
  }

  private List<String> files() {
    List<String> files = new ArrayList<>(logs);
    files.addAll(moreLogs);
    return files.isEmpty() ? List.of(Home.samples().resolve("events/api-*.log").toString()) : files;
  }

  private Path defaultData() {
    boolean samples = logs.isEmpty() && moreLogs.isEmpty();
    return Home.directory().resolve(samples ? "data/samples" : "data/logs");
  }

  private boolean ownsDatabase() {
    return servers.clickHouse() == null;
  }
}
