package org.capacityobservatory.benchmarks.ship;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Utils;
import org.capacityobservatory.localstack.LocalKafka;
import org.capacityobservatory.localstack.LocalKafkaConfig;
import org.capacityobservatory.log.Topics;

/**
 * How fast files are shipped into a real broker, beside a plain read-and-produce loop, kcat and
 * rsyslog, and how long a line takes until a reader of committed records sees it.
 *
 * <p>Every contender has a process of its own, and takes its turn in every round. Flags: {@code
 * --lines=2000000 --rounds=5 --format=bare|docker --peers=true --latency-seconds=30}. Goals are
 * printed, never asserted; what came out is in docs/shipping.md.
 */
public final class ShipperBenchmark {
  private static final int PARTITIONS = 4;
  private static final String[] SHIP_OPTIONS = {"-XX:+UseSerialGC", "-Xshare:auto", "-Xmx256m"};
  private static final int LATENCY_LINES_PER_SECOND = 1_000;

  private final Map<String, String> flags;
  private final Path folder;
  private final String brokers;
  private final Admin admin;
  private final Map<String, List<Round>> results = new TreeMap<>();
  private final List<String> files = new ArrayList<>();

  /** One contender's turn; CPU and memory are those of its process. */
  private record Round(double seconds, long lines, double cpuMicrosPerLine, long peakRssBytes) {
    double linesPerSecond() {
      return lines / seconds;
    }
  }

  private ShipperBenchmark(Map<String, String> flags, Path folder, String brokers, Admin admin) {
    this.flags = flags;
    this.folder = folder;
    this.brokers = brokers;
    this.admin = admin;
  }

  /** Runs it. */
  public static void main(String[] arguments) throws Exception {
    Map<String, String> flags = new HashMap<>();
    for (String argument : arguments) {
      String[] both = argument.replaceFirst("^--", "").split("=", 2);
      flags.put(both[0], both.length > 1 ? both[1] : "true");
    }
    Path folder = Files.createTempDirectory("ship-benchmark");
    try (LocalKafka kafka = LocalKafka.start(LocalKafkaConfig.in(folder.resolve("kafka")));
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
      ShipperBenchmark benchmark = new ShipperBenchmark(flags, folder, kafka.bootstrap(), admin);
      benchmark.createTopics();
      benchmark.throughput();
      benchmark.latency();
    } finally {
      deleteAll(folder);
    }
  }

  private static void deleteAll(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static void say(String form, Object... values) {
    System.out.println(String.format(Locale.ROOT, form, values));
  }

  private int flag(String name, int otherwise) {
    return Integer.parseInt(flags.getOrDefault(name, Integer.toString(otherwise)));
  }

  private void createTopics() throws Exception {
    Map<String, String> small = Map.of("retention.bytes", "200000000", "segment.bytes", "50000000");
    Map<String, String> lines = new HashMap<>(small);
    lines.put("message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));
    lines.put("retention.ms", "-1");
    admin
        .createTopics(
            List.of(
                new NewTopic(Topics.LINES, PARTITIONS, (short) 1).configs(lines),
                new NewTopic(Topics.DEAD_LETTERS, 1, (short) 1),
                new NewTopic(Topics.POSITIONS, 1, (short) 1)
                    .configs(Map.of("cleanup.policy", "compact")),
                new NewTopic(Topics.BOOKS, 1, (short) 1),
                new NewTopic(Contender.PLAIN_TOPIC, PARTITIONS, (short) 1).configs(small),
                new NewTopic("kcat", PARTITIONS, (short) 1).configs(small),
                new NewTopic("rsyslog", PARTITIONS, (short) 1).configs(small)))
        .all()
        .get();
  }

  private void throughput() throws Exception {
    int lines = flag("lines", 2_000_000);
    int rounds = flag("rounds", 5);
    String format = flags.getOrDefault("format", "docker");
    long bytes = writeFiles(lines, format.equals("docker"));
    say(
        "%,d lines (%s) of %d bytes in %d files, lz4, %d partitions, %d rounds after one to warm"
            + " up",
        lines, format, bytes / lines, files.size(), PARTITIONS, rounds);
    boolean peers = !flags.getOrDefault("peers", "true").equals("false");
    boolean kcat = peers && isThere("kcat", "-V");
    boolean rsyslog = peers && isThere("rsyslogd", "-v");
    if (!kcat || !rsyslog) {
      say("absent or not asked for:%s%s", kcat ? "" : " kcat", rsyslog ? "" : " rsyslog");
    }
    try (Jvm ship = new Jvm("ship", brokers);
        Jvm plain = new Jvm("plain", brokers)) {
      for (int round = 0; round <= rounds; round++) {
        note(
            round,
            "plain",
            check("plain", Contender.PLAIN_TOPIC, lines, () -> plain.run("-", files)));
        int number = round;
        note(
            round,
            "ship",
            check("ship", Topics.LINES, lines, () -> ship.run("bench-" + number, files)));
        if (kcat) {
          note(round, "kcat", check("kcat", "kcat", lines, () -> kcat(lines)));
        }
        if (rsyslog) {
          note(round, "rsyslog", check("rsyslog", "rsyslog", lines, () -> rsyslog(number, lines)));
        }
      }
    }
    report();
  }

  private void note(int round, String who, Round result) {
    say(
        "round %d %-8s %,9.0f lines/s  %5.1f µs CPU/line  peak RSS %d MB",
        round,
        who,
        result.linesPerSecond(),
        result.cpuMicrosPerLine(),
        result.peakRssBytes() / 1_000_000);
    if (round > 0) {
      results.computeIfAbsent(who, absent -> new ArrayList<>()).add(result);
    }
  }

  private void report() {
    say("medians:");
    results.forEach(
        (who, rounds) ->
            say(
                "  %-8s %,9.0f lines/s  %5.1f µs CPU/line  peak RSS %d MB",
                who,
                median(rounds.stream().mapToDouble(Round::linesPerSecond)),
                median(rounds.stream().mapToDouble(Round::cpuMicrosPerLine)),
                Math.round(median(rounds.stream().mapToDouble(Round::peakRssBytes)) / 1e6)));
    goal("ship / plain", ratio("ship", "plain"), ">= 0.9");
    if (results.containsKey("rsyslog")) {
      goal("ship / rsyslog", ratio("ship", "rsyslog"), ">= 1.1");
    }
    List<Round> ship = results.getOrDefault("ship", List.of());
    goal("ship µs CPU/line", median(ship.stream().mapToDouble(Round::cpuMicrosPerLine)), "<= 10");
    goal(
        "ship peak RSS MB", median(ship.stream().mapToDouble(Round::peakRssBytes)) / 1e6, "<= 300");
  }

  private static void goal(String what, double is, String goal) {
    say("  %-18s %7.2f   goal %s", what, is, goal);
  }

  private double ratio(String one, String other) {
    return median(results.getOrDefault(one, List.of()).stream().mapToDouble(Round::linesPerSecond))
        / median(
            results.getOrDefault(other, List.of()).stream().mapToDouble(Round::linesPerSecond));
  }

  private static double median(java.util.stream.DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    int n = sorted.length;
    return n == 0 ? Double.NaN : (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  }

  @FunctionalInterface
  private interface Turn {
    Round take() throws Exception;
  }

  /** Takes a turn and holds its count against the topic's ends; markers take an offset too. */
  private Round check(String who, String topic, int lines, Turn turn) throws Exception {
    long before = ends(topic);
    Round round = turn.take();
    long grown = ends(topic) - before;
    boolean markers = topic.equals(Topics.LINES);
    if (round.lines() != lines || grown < lines || (!markers && grown != lines)) {
      throw new IllegalStateException(
          "%s: %d lines told, %d offsets on %s, expected %d"
              .formatted(who, round.lines(), grown, topic, lines));
    }
    return round;
  }

  private long ends(String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      return consumer.endOffsets(partitions(topic)).values().stream().mapToLong(e -> e).sum();
    }
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", brokers, "isolation.level", "read_committed"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private static List<TopicPartition> partitions(String topic) {
    List<TopicPartition> partitions = new ArrayList<>();
    for (int k = 0; k < PARTITIONS; k++) {
      partitions.add(new TopicPartition(topic, k));
    }
    return partitions;
  }

  /** One file for each partition: a source is a record's key. */
  private long writeFiles(int lines, boolean docker) throws IOException {
    boolean[] taken = new boolean[PARTITIONS];
    for (int k = 0; files.size() < PARTITIONS; k++) {
      String file = folder.resolve("app-" + k + ".log").toString();
      int partition = Utils.toPositive(Utils.murmur2(file.getBytes(UTF_8))) % PARTITIONS;
      if (!taken[partition]) {
        taken[partition] = true;
        files.add(file);
      }
    }
    Random random = new Random(7);
    long bytes = 0;
    int n = 0;
    for (int k = 0; k < files.size(); k++) {
      Path file = Path.of(files.get(k));
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
        for (int last = (int) ((long) lines * (k + 1) / files.size()); n < last; n++) {
          out.write(line(random, Integer.toHexString(n), docker).getBytes(UTF_8));
        }
      }
      bytes += Files.size(file);
    }
    return bytes;
  }

  private static String line(Random random, String tail, boolean docker) {
    int held = random.nextInt(20_000);
    String cid =
        "%016x%s".formatted(random.nextLong(), ("0".repeat(16) + tail).substring(tail.length()));
    String line =
        "{\"event\":\"ocl_capacity\",\"decision\":\"%s\",\"mode\":\"shadow\",\"enforced\":false,"
                .formatted(held % 7 == 0 ? "refused" : "admitted")
            + "\"endpoint\":\"$match\",\"semantic\":true,\"reranker\":false,\"rows\":"
            + random.nextInt(50)
            + ",\"single_row\":false,\"tier\":\"core\",\"user_id\":"
            + random.nextInt(3000)
            + ",\"in_flight\":3,\"limit\":3,\"task_in_flight\":1,\"task_limit\":2,"
            + "\"es2_knn_in_flight\":2,\"es2_knn_limit\":3,\"tier_in_flight\":2,\"tier_limit\":4,"
            + "\"user_in_flight\":1,\"user_limit\":3,\"suggested\":1,\"held_ms\":"
            + held
            + ",\"queue_ms\":"
            + random.nextInt(1000)
            + ",\"task\":\"api-task-a\",\"request_source\":\"mapper-row\",\"algorithm_id\":"
            + "\"ocl-semantic\",\"cid\":\""
            + cid
            + "\"";
    if (!docker) {
      // As long as with its envelope, so that both forms move the same bytes.
      return line + ",\"note\":\"" + "n".repeat(68) + "\"}\n";
    }
    return "{\"log\":\""
        + (line + "}").replace("\"", "\\\"")
        + "\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-30T09:48:03.786555066Z\"}\n";
  }

  private static boolean isThere(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private Round kcat(int lines) throws Exception {
    long beganNanos = System.nanoTime();
    double cpuMicros = 0;
    long rss = 0;
    for (String file : files) {
      Process process =
          new ProcessBuilder(
                  "kcat",
                  "-P",
                  "-b",
                  brokers,
                  "-t",
                  "kcat",
                  "-z",
                  "lz4",
                  "-l",
                  file,
                  "-X",
                  "linger.ms=20",
                  "-X",
                  "batch.size=262144",
                  "-X",
                  "acks=all")
              .inheritIO()
              .start();
      // Its figures are gone with it, so they are looked at until then.
      double soFar = 0;
      while (!process.waitFor(20, TimeUnit.MILLISECONDS)) {
        soFar = Math.max(soFar, cpuMicros(process));
        rss = Math.max(rss, peakRss(process));
      }
      cpuMicros += soFar;
    }
    return new Round((System.nanoTime() - beganNanos) / 1e9, lines, cpuMicros / lines, rss);
  }

  /** Runs until everything has arrived: rsyslog follows files and never ends by itself. */
  private Round rsyslog(int round, int lines) throws Exception {
    Path work = Files.createDirectories(folder.resolve("rsyslog-" + round));
    StringBuilder config = new StringBuilder();
    config.append("global(workDirectory=\"").append(work).append("\" maxMessageSize=\"64k\")\n");
    config.append("module(load=\"imfile\" mode=\"inotify\")\nmodule(load=\"omkafka\")\n");
    config.append("template(name=\"raw\" type=\"string\" string=\"%msg%\")\n");
    config.append("main_queue(queue.type=\"FixedArray\" queue.size=\"100000\"");
    config.append(" queue.dequeueBatchSize=\"2048\")\n");
    for (String file : files) {
      config.append("input(type=\"imfile\" file=\"").append(file);
      config.append("\" tag=\"app\" readMode=\"0\")\n");
    }
    config.append("action(type=\"omkafka\" topic=\"rsyslog\" template=\"raw\" broker=[\"");
    config.append(brokers);
    config.append("\"] confParam=[\"compression.codec=lz4\",\"queue.buffering.max.ms=20\",");
    config.append("\"batch.size=262144\",\"request.required.acks=-1\",");
    config.append("\"queue.buffering.max.messages=200000\"])\n");
    Path file = Files.writeString(work.resolve("rsyslog.conf"), config.toString());
    long before = ends("rsyslog");
    long beganNanos = System.nanoTime();
    Process process =
        new ProcessBuilder(
                "rsyslogd", "-n", "-f", file.toString(), "-i", work.resolve("pid").toString())
            .inheritIO()
            .start();
    try {
      while (ends("rsyslog") - before < lines) {
        if (System.nanoTime() - beganNanos > Duration.ofMinutes(5).toNanos()) {
          throw new IllegalStateException("rsyslog has not shipped everything in 5 minutes");
        }
        Thread.sleep(50);
      }
      double seconds = (System.nanoTime() - beganNanos) / 1e9;
      return new Round(seconds, lines, cpuMicros(process) / lines, peakRss(process));
    } finally {
      process.destroy();
      process.waitFor();
    }
  }

  private static double cpuMicros(Process process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e3;
  }

  private static long peakRss(Process process) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + process.pid() + "/status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException | UncheckedIOException e) {
      return 0;
    }
  }

  /** A JVM that takes jobs: {@link Contender}. */
  private static final class Jvm implements AutoCloseable {
    private final Process process;
    private final PrintStream jobs;
    private final BufferedReader results;

    Jvm(String role, String brokers) throws IOException {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(Arrays.asList(SHIP_OPTIONS));
      if (System.getProperty("ship.jvm") != null && role.equals("ship")) {
        command.add(System.getProperty("ship.jvm"));
      }
      command.addAll(
          List.of(
              "-cp",
              System.getProperty("java.class.path"),
              Contender.class.getName(),
              role,
              brokers));
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      jobs = new PrintStream(process.getOutputStream(), true, UTF_8);
      results = process.inputReader();
    }

    Round run(String name, List<String> files) throws IOException {
      double cpuBefore = cpuMicros(process);
      begin(name, files);
      String result = results.readLine();
      while (result != null && !result.startsWith(Contender.RESULT)) {
        result = results.readLine();
      }
      if (result == null) {
        throw new IOException("the contender died: its word is above");
      }
      String[] words = result.substring(Contender.RESULT.length()).split(" ", -1);
      long lines = Long.parseLong(words[1]);
      return new Round(
          Double.parseDouble(words[0]),
          lines,
          (cpuMicros(process) - cpuBefore) / lines,
          peakRss(process));
    }

    void begin(String name, List<String> files) {
      jobs.println(name + " " + String.join(" ", files));
    }

    @Override
    public void close() {
      process.destroy();
      try {
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Lines written one by one, each with its own time of writing, and when a reader has them. */
  private void latency() throws Exception {
    int seconds = flag("latency-seconds", 30);
    if (seconds == 0) {
      return;
    }
    Path file = folder.resolve("live.log");
    Files.createFile(file);
    int warm = 15 * LATENCY_LINES_PER_SECOND;
    int all = warm + seconds * LATENCY_LINES_PER_SECOND;
    long[] writtenNanos = new long[all];
    double[] millis = new double[all - warm];
    try (Jvm ship = new Jvm("ship", brokers);
        KafkaConsumer<byte[], byte[]> consumer = consumer();
        OutputStream out = Files.newOutputStream(file)) {
      consumer.assign(partitions(Topics.LINES));
      consumer.seekToEnd(partitions(Topics.LINES));
      partitions(Topics.LINES).forEach(consumer::position);
      ship.begin("follow-" + Instant.now().toEpochMilli(), List.of(file.toString()));
      Thread writer = new Thread(() -> write(out, writtenNanos), "writer");
      writer.start();
      int seen = 0;
      while (seen < all) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(30))) {
          int n = number(record.value());
          if (n >= warm) {
            millis[n - warm] = (System.nanoTime() - writtenNanos[n]) / 1e6;
          }
          seen++;
        }
      }
      writer.join();
    }
    Arrays.sort(millis);
    say(
        "line written to record committed, %,d lines/s for %d s: p50 %.0f ms, p99 %.0f ms, max %.0f"
            + " ms   goal p99 <= 300",
        LATENCY_LINES_PER_SECOND,
        seconds,
        millis[millis.length / 2],
        millis[millis.length * 99 / 100],
        millis[millis.length - 1]);
  }

  private static void write(OutputStream out, long[] writtenNanos) {
    Random random = new Random(9);
    long beganNanos = System.nanoTime();
    try {
      for (int n = 0; n < writtenNanos.length; n++) {
        long dueNanos = beganNanos + n * (1_000_000_000L / LATENCY_LINES_PER_SECOND);
        long wait = dueNanos - System.nanoTime();
        if (wait > 0) {
          TimeUnit.NANOSECONDS.sleep(wait);
        }
        byte[] line = line(random, Integer.toHexString(n), true).getBytes(UTF_8);
        // Not when it was due: a stall of the writer is none of the shipper's.
        writtenNanos[n] = System.nanoTime();
        out.write(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static int number(byte[] value) {
    String text = new String(value, UTF_8);
    int from = text.indexOf("\"cid\":\"") + 7 + 16;
    return Integer.parseInt(text.substring(from, from + 16), 16);
  }
}
