package org.capacityobservatory.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.capacityobservatory.localstack.LocalKafka;
import org.capacityobservatory.localstack.LocalKafkaConfig;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.jspecify.annotations.Nullable;

/**
 * The whole path as processes: the servers (embedded, or given), the topics, and our own processes.
 *
 * <p>All of them are watched by one {@link Supervisor} and end with it.
 */
final class Stack implements AutoCloseable {
  /** The folder of log files within the data directory. */
  static final String LOGS = "logs";

  private final Path data;
  private final Progress progress;
  private final Supervisor supervisor;
  private final String kafka;
  private final ClickHouseLogin writer;
  private final ClickHouseLogin reader;

  private Stack(
      Path data,
      Progress progress,
      Supervisor supervisor,
      String kafka,
      ClickHouseLogin writer,
      ClickHouseLogin reader) {
    this.data = data;
    this.progress = progress;
    this.supervisor = supervisor;
    this.kafka = kafka;
    this.writer = writer;
    this.reader = reader;
  }

  /**
   * Starts the servers that aren't given, and creates the topics.
   *
   * @param data where everything of this stack is kept
   * @param supervisor watches what is started, also when this throws
   */
  static Stack start(
      Path data,
      @Nullable String givenKafka,
      @Nullable ClickHouseLogin givenClickHouse,
      Supervisor supervisor,
      Progress progress) {
    CompletableFuture<String> kafka =
        givenKafka == null
            ? together(() -> startKafka(data, supervisor, progress))
            : CompletableFuture.completedFuture(givenKafka);
    CompletableFuture<Logins> logins =
        givenClickHouse == null
            ? together(() -> startClickHouse(data, supervisor, progress))
            : CompletableFuture.completedFuture(new Logins(givenClickHouse, givenClickHouse));
    String bootstrapServers = joined(kafka);
    Logins clickHouse = joined(logins);
    createTopics(bootstrapServers, progress);
    return new Stack(
        data, progress, supervisor, bootstrapServers, clickHouse.writer(), clickHouse.reader());
  }

  private record Logins(ClickHouseLogin writer, ClickHouseLogin reader) {}

  private static String startKafka(Path data, Supervisor supervisor, Progress progress) {
    LocalKafka server =
        LocalKafka.start(
            LocalKafkaConfig.in(data.resolve("kafka")).withLogFile(logFile(data, "kafka")));
    supervisor.watch(new EmbeddedServer("Kafka", server::onExit, server::restart, server::close));
    progress.say("Kafka is ready at " + server.bootstrap());
    return server.bootstrap();
  }

  private static Logins startClickHouse(Path data, Supervisor supervisor, Progress progress) {
    LocalClickHouse server =
        LocalClickHouse.start(
            LocalClickHouseConfig.in(data.resolve("clickhouse"))
                .withLogFile(logFile(data, "clickhouse")));
    supervisor.watch(
        new EmbeddedServer("ClickHouse", server::onExit, server::restart, server::close));
    progress.say("ClickHouse is ready at " + server.url());
    return new Logins(
        login(server, LocalClickHouse.WRITER, server.passwordFile(LocalClickHouse.WRITER)),
        login(server, LocalClickHouse.READER, server.passwordFile(LocalClickHouse.READER)));
  }

  private static ClickHouseLogin login(LocalClickHouse server, String user, Path passwordFile) {
    return new ClickHouseLogin(
        new ClickHouseConfig(
            server.url(),
            user,
            ClickHouseOptions.passwordIn(passwordFile),
            ClickHouseConfig.DEFAULT_DATABASE),
        passwordFile);
  }

  private static void createTopics(String bootstrapServers, Progress progress) {
    TopicAdmin.Outcome outcome =
        new TopicAdmin(bootstrapServers)
            .apply(TopicPlan.all(TopicPlan.DEFAULT_PARTITIONS), (short) -1);
    outcome.wrong().forEach(problem -> progress.say("WARNING: topic " + problem));
  }

  /** Starts the Streams job and the writer. */
  void startPipeline() {
    CompletableFuture<AppProcess> write =
        together(() -> start("write", concat(List.of("--kafka", kafka), writer.flags())));
    CompletableFuture<AppProcess> streams =
        together(
            () ->
                start(
                    "streams",
                    List.of("--kafka", kafka, "--state-dir", data.resolve("streams").toString())));
    joined(write);
    joined(streams);
    progress.say("Streams job and writer are ready");
  }

  /** Starts the evaluator of the alarms; its receivers stand in a file, or it tells its log. */
  void startAlarms(@Nullable Path receivers) {
    List<String> arguments = concat(List.of("run", "--kafka", kafka), writer.flags());
    if (receivers != null) {
      arguments.addAll(List.of("--receivers", receivers.toString()));
    }
    start("alarms", arguments);
    progress.say("Alarms are evaluated");
  }

  /** Starts the API; returns the page's address. */
  String startApi(int port) {
    List<String> flags = new ArrayList<>(reader.flags());
    flags.addAll(List.of("--port", Integer.toString(port), "--data", data.toString()));
    flags.addAll(List.of("--state-user", writer.config().user()));
    Path passwordFile = writer.passwordFile();
    if (passwordFile != null) {
      flags.addAll(List.of("--state-password-file", passwordFile.toString()));
    }
    AppProcess api = start("api", flags);
    return api.ready("url");
  }

  /** Starts a shipper that follows files until all is stopped. */
  void startShip(List<String> files) {
    start("ship", concat(List.of("--kafka", kafka), files));
  }

  private AppProcess start(String name, List<String> arguments) {
    AppProcess process = AppProcess.start(name, arguments, logFile(data, name));
    supervisor.watch(process);
    return process;
  }

  private static List<String> concat(List<String> first, List<String> second) {
    List<String> both = new ArrayList<>(first);
    both.addAll(second);
    return both;
  }

  private static Path logFile(Path data, String name) {
    return data.resolve(LOGS).resolve(name + ".log");
  }

  /** Starts something beside other things: starting is mostly waiting for a JVM. */
  static <T> CompletableFuture<T> together(Supplier<T> start) {
    return CompletableFuture.supplyAsync(start, command -> new Thread(command, "start").start());
  }

  /** Waits for what was started, and throws what it threw. */
  static <T> T joined(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : e;
    }
  }

  String kafka() {
    return kafka;
  }

  /** The login of those who only read. */
  ClickHouseConfig reader() {
    return reader.config();
  }

  /** Stops everything that this stack started. */
  @Override
  public void close() {
    supervisor.close();
  }

  /** A server of the embedded stack: what the two of them have in common, without a common type. */
  private record EmbeddedServer(
      String name, Supplier<CompletableFuture<Integer>> exit, Runnable start, Runnable stop)
      implements Supervised {
    @Override
    public CompletableFuture<Integer> onExit() {
      return exit.get();
    }

    @Override
    public void restart() {
      start.run();
    }

    @Override
    public void close() {
      stop.run();
    }
  }
}
