package org.capacityobservatory.benchmarks.path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures how long it takes from a written line that makes a condition true to the notice at a
 * receiver: all real processes, an alarm with a window of one minute, and a line of its own user
 * for each trial, so that each is a series of its own.
 */
@Command(
    name = "notice-benchmark",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures the time from a line to the notice.")
public final class NoticeBenchmark implements Callable<Integer> {
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final Duration GOAL = WINDOW.plusSeconds(10);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration BETWEEN = Duration.ofMillis(500);

  @Option(
      names = "--capacity",
      defaultValue = "cli/target/capacity.jar:cli/target/lib/*",
      description = "Class path of the capacity command; default: ${DEFAULT-VALUE}.")
  private String classPath = "";

  @Option(names = "--minutes", defaultValue = "5", description = "Of trials; default: 5.")
  private int minutes;

  /** Runs it; exit code 0, 1 when it failed, 2 for wrong usage. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new NoticeBenchmark()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("notice-benchmark");
    try (Ear ear = new Ear();
        Stack stack = new Stack(directory, classPath);
        Trials trials = new Trials(directory.resolve("trials.log"))) {
      trials.begin();
      stack.follow(List.of(trials.file));
      stack.alarm(rules(directory), receivers(directory, ear));
      // The first notice says that all processes are at work; what was written before is no trial.
      long ready = System.nanoTime() + PATIENCE.toNanos();
      while (ear.heard.isEmpty()) {
        if (System.nanoTime() > ready) {
          throw new IOException("No notice in " + PATIENCE + ": see the logs in " + directory);
        }
        write(trials);
      }
      trials.writtenAt.clear();
      long end = System.nanoTime() + Duration.ofMinutes(minutes).toNanos();
      while (System.nanoTime() < end) {
        write(trials);
      }
      Map<String, Long> counted = new TreeMap<>(trials.writtenAt);
      long last = System.nanoTime() + PATIENCE.toNanos();
      while (!ear.heard.keySet().containsAll(counted.keySet()) && System.nanoTime() < last) {
        write(trials);
      }
      tell(counted, ear.heard);
    }
    return 0;
  }

  private static void write(Trials trials) throws IOException, InterruptedException {
    trials.begin();
    Thread.sleep(BETWEEN.toMillis());
  }

  private static void tell(Map<String, Long> written, Map<String, Long> heard) {
    Histogram fromLine = new Histogram(3);
    Histogram fromMinutesEnd = new Histogram(3);
    long never = 0;
    for (Map.Entry<String, Long> trial : written.entrySet()) {
      Long at = heard.get(trial.getKey());
      if (at == null) {
        never++;
        continue;
      }
      fromLine.recordValue(at - trial.getValue());
      long minute = WINDOW.toMillis();
      long ended = Math.floorDiv(trial.getValue(), minute) * minute + minute;
      fromMinutesEnd.recordValue(Math.max(0, at - ended));
    }
    say("%d trials, %d never heard of", written.size(), never);
    say(
        "line written to notice received: p50 %.1f s, p99 %.1f s, max %.1f s; goal p99 <= %d s",
        fromLine.getValueAtPercentile(50) / 1e3,
        fromLine.getValueAtPercentile(99) / 1e3,
        fromLine.getMaxValue() / 1e3,
        GOAL.toSeconds());
    say(
        "end of the window's minute to notice received: p50 %.1f s, p99 %.1f s, max %.1f s",
        fromMinutesEnd.getValueAtPercentile(50) / 1e3,
        fromMinutesEnd.getValueAtPercentile(99) / 1e3,
        fromMinutesEnd.getMaxValue() / 1e3);
  }

  private static void say(String form, Object... values) {
    System.out.println(String.format(Locale.ROOT, form, values));
  }

  private static Path rules(Path directory) throws IOException {
    return Files.writeString(
        directory.resolve("rules.yaml"),
        """
        groups:
          - name: trials
            rules:
              - alert: Trial
                expr: user_refused_share[1m] by (user_id) >= 1
                no_data: ok
                labels: {severity: page}
                annotations: {summary: a trial, runbook: none}
        """);
  }

  private static Path receivers(Path directory, Ear ear) throws IOException {
    return Files.writeString(
        directory.resolve("receivers.yaml"),
        "receivers: [{name: ear, type: webhook, url: 'http://127.0.0.1:%d/', allow_private: true}]\n"
            .formatted(ear.server.getAddress().getPort()));
  }

  /**
   * Lines that each make one series fire, by the user's id, and when they were written, epoch ms.
   */
  private static final class Trials implements AutoCloseable {
    private static final long FIRST_USER = 1_000_000;

    private final Path file;
    private final OutputStream out;
    private final Map<String, Long> writtenAt = new TreeMap<>();
    private long next = FIRST_USER;

    Trials(Path file) throws IOException {
      this.file = file;
      out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    void begin() throws IOException {
      String user = Long.toString(next++);
      Instant now = Instant.now();
      String line =
          ("{\"log\":\"{'event':'ocl_capacity','decision':'shadow-refused','mode':'shadow',"
                  + "'enforced':false,'endpoint':'$match','tier':'core','user_id':%s,'full':['tier'],"
                  + "'scope':'tier','held_ms':1,'task':'t','cid':'trial-%s'}\\n\","
                  + "\"stream\":\"stdout\",\"time\":\"%s\"}\n")
              .formatted(user, user, now)
              .replace("'", "\\\"");
      out.write(line.getBytes(StandardCharsets.UTF_8));
      writtenAt.put(user, now.toEpochMilli());
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }

  /** The receiver: when each user's alarm was first heard of, epoch ms. */
  private static final class Ear implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Long> heard = new ConcurrentHashMap<>();
    private final HttpServer server;

    Ear() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", this::hear);
      server.start();
    }

    private void hear(HttpExchange exchange) {
      try (exchange) {
        JsonNode notice = JSON.readTree(exchange.getRequestBody());
        long now = System.currentTimeMillis();
        for (JsonNode alert : notice.path("alerts")) {
          if (alert.path("status").asText().equals("firing")) {
            heard.putIfAbsent(alert.path("labels").path("user_id").asText(), now);
          }
        }
        exchange.sendResponseHeaders(200, -1);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
