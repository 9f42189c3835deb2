package org.capacityobservatory.benchmarks.path;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.capacityobservatory.localstack.LocalKafka;
import org.capacityobservatory.localstack.LocalKafkaConfig;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.ClickHouseHttp;

/** The path's real processes: both servers, {@code ship}, {@code streams} and {@code write}. */
final class Stack implements AutoCloseable {
  private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(60);

  private final Path directory;
  private final String classPath;
  private final LocalKafka kafka;
  private final LocalClickHouse engine;
  private final Map<String, Process> ours = new LinkedHashMap<>();

  /**
   * Starts the servers and creates the topics.
   *
   * @param classPath of the {@code capacity} command
   */
  Stack(Path directory, String classPath) throws IOException, InterruptedException {
    this.directory = directory;
    this.classPath = classPath;
    kafka = LocalKafka.start(LocalKafkaConfig.in(directory.resolve("kafka")));
    engine = LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("clickhouse")));
    Process topics = run("topics", List.of("--kafka", kafka.bootstrap()));
    if (topics.waitFor() != 0) {
      throw new IOException("capacity topics failed: see " + directory.resolve("topics.log"));
    }
  }

  /** Starts our own processes on the files. */
  void follow(List<Path> files) throws IOException {
    ours.put("write", run("write", withClickHouse()));
    ours.put(
        "streams",
        run(
            "streams",
            List.of(
                "--kafka",
                kafka.bootstrap(),
                "--state-dir",
                directory.resolve("streams").toString())));
    List<String> ship = new ArrayList<>(List.of("--kafka", kafka.bootstrap()));
    files.forEach(file -> ship.add(file.toString()));
    ours.put("ship", run("ship", ship));
  }

  /** Starts the alarms' evaluator. */
  void alarm(Path rules, Path receivers) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("run"));
    arguments.addAll(withClickHouse());
    arguments.addAll(List.of("--rules", rules.toString(), "--receivers", receivers.toString()));
    ours.put("alarms", run("alarms", arguments));
  }

  private List<String> withClickHouse() {
    return List.of(
        "--kafka",
        kafka.bootstrap(),
        "--clickhouse",
        engine.url().toString(),
        "--clickhouse-user",
        LocalClickHouse.WRITER,
        "--clickhouse-password-file",
        engine.passwordFile(LocalClickHouse.WRITER).toString());
  }

  private Process run(String command, List<String> arguments) throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx384m",
                "-cp",
                classPath,
                "org.capacityobservatory.cli.Main",
                command));
    line.addAll(arguments);
    return new ProcessBuilder(line)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve(command + ".log").toFile())
        .start();
  }

  /** Kafka's address. */
  String bootstrap() {
    return kafka.bootstrap();
  }

  /** A way to ask the engine. */
  ClickHouseHttp clickHouse() {
    return new ClickHouseHttp(
        new ClickHouseConfig(
            engine.url(),
            LocalClickHouse.WRITER,
            engine.password(LocalClickHouse.WRITER),
            ClickHouseConfig.DEFAULT_DATABASE),
        QUERY_TIMEOUT);
  }

  /**
   * What each process has in memory, MiB, by name.
   *
   * @throws IOException when one of them has ended
   */
  Map<String, Long> residentMegabytes() throws IOException {
    Map<String, Long> resident = new LinkedHashMap<>();
    for (Map.Entry<String, Process> process : ours.entrySet()) {
      if (!process.getValue().isAlive()) {
        throw new IOException(process.getKey() + " has ended: see its log in " + directory);
      }
      resident.put(process.getKey(), residentMegabytes(process.getValue().pid()));
    }
    resident.put("kafka", residentMegabytes(kafka.pid()));
    resident.put("clickhouse", residentMegabytes(engine.pid()));
    return resident;
  }

  private static long residentMegabytes(long pid) throws IOException {
    try (Stream<String> status = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return status
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
          .findFirst()
          .orElse(0);
    }
  }

  /** CPU time that each process has used, s, by name. */
  Map<String, Double> cpuSeconds() {
    Map<String, Double> cpu = new LinkedHashMap<>();
    ours.forEach((name, process) -> cpu.put(name, cpuSeconds(process.pid())));
    cpu.put("kafka", cpuSeconds(kafka.pid()));
    cpu.put("clickhouse", cpuSeconds(engine.pid()));
    return cpu;
  }

  private static double cpuSeconds(long pid) {
    return ProcessHandle.of(pid)
            .flatMap(process -> process.info().totalCpuDuration())
            .orElse(Duration.ZERO)
            .toMillis()
        / 1e3;
  }

  @Override
  public void close() {
    for (Process process : ours.values()) {
      process.destroy();
    }
    for (Process process : ours.values()) {
      try {
        if (!process.waitFor(15, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
    engine.close();
    kafka.close();
  }
}
