package org.capacityobservatory.benchmarks.path;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.sql.ClickHouseException;
import org.capacityobservatory.sql.ClickHouseHttp;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the whole path on this machine, all of its real processes: first how long a line takes
 * from being written to being queryable at a steady rate, then what rate it sustains, and whether
 * memory stays flat.
 */
@Command(
    name = "path-benchmark",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures the whole path, all of its processes.")
public final class PathBenchmark implements Callable<Integer> {
  private static final int RATE_GOAL = 35_000;
  private static final int LATENCY_GOAL_MILLIS = 3_000;
  private static final long TICK_NANOS = 20_000_000;
  private static final Duration SAMPLE_EVERY = Duration.ofSeconds(10);

  @Option(
      names = "--capacity",
      defaultValue = "cli/target/capacity.jar:cli/target/lib/*",
      description = "Class path of the capacity command; default: ${DEFAULT-VALUE}.")
  private String classPath = "";

  @Option(names = "--seconds", defaultValue = "300", description = "Of the sustained run.")
  private int seconds;

  @Option(
      names = "--backlog",
      defaultValue = "200000",
      description = "Lines that may be under way in the sustained run; default: 200,000.")
  private long backlog;

  @Option(names = "--latency-seconds", defaultValue = "60", description = "Of the paced run.")
  private int latencySeconds;

  @Option(
      names = "--warm-seconds",
      defaultValue = "90",
      description = "Paced likewise before it, and not measured: processes that have just started.")
  private int warmSeconds;

  @Option(
      names = "--latency-rate",
      defaultValue = "5000",
      description = "Lines/s of the paced run.")
  private int latencyRate;

  /** Runs it; exit code 0, 1 when it failed, 2 for wrong usage. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new PathBenchmark()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("path-benchmark");
    try (Stack stack = new Stack(directory, classPath);
        Feed feed = new Feed(directory)) {
      feed.write(1);
      stack.follow(feed.files());
      ClickHouseHttp clickHouse = stack.clickHouse();
      awaitStored(clickHouse, feed.written());
      if (latencySeconds > 0) {
        latency(stack, feed, clickHouse);
      }
      if (seconds > 0) {
        sustained(stack, feed, clickHouse);
      }
    }
    return 0;
  }

  private static void awaitStored(ClickHouseHttp clickHouse, long lines)
      throws InterruptedException {
    while (stored(clickHouse) < lines) {
      Thread.sleep(50);
    }
  }

  /** Rows that can be queried; 0 as long as there is no table. */
  private static long stored(ClickHouseHttp clickHouse) {
    try {
      return Long.parseLong(clickHouse.execute("SELECT count() FROM calls").strip());
    } catch (ClickHouseException e) {
      return 0;
    }
  }

  /** Which process or server brings lines from the point before to this one, and the point. */
  private record Stage(String name, Curve curve) {}

  private void latency(Stack stack, Feed feed, ClickHouseHttp clickHouse)
      throws IOException, InterruptedException {
    Curve written = new Curve();
    Curve queryable = new Curve();
    long first = feed.written();
    long measuredFrom = first + latencyRate * (long) warmSeconds;
    Curve lines;
    Curve calls;
    Processors processors;
    try (TopicEnds ends = new TopicEnds(stack.bootstrap(), Set.of(Topics.LINES, Topics.CALLS))) {
      pace(feed, clickHouse, written, queryable, measuredFrom);
      processors = new Processors(stack);
      long last = measuredFrom + (long) latencyRate * latencySeconds;
      pace(feed, clickHouse, written, queryable, last);
      processors.stop();
      while (queryable.lines() < last) {
        queryable.add(System.nanoTime(), stored(clickHouse));
        Thread.sleep(TICK_NANOS / 1_000_000);
      }
      lines = ends.curve(Topics.LINES).endingAt(last);
      calls = ends.curve(Topics.CALLS).endingAt(last);
    }
    say(
        "line written to row queryable, %,d lines/s for %d s after %d s to be warm: %s, goal p99 <= %,d",
        latencyRate,
        latencySeconds,
        warmSeconds,
        inWords(written.millisUntil(queryable, measuredFrom)),
        LATENCY_GOAL_MILLIS);
    Stage before = new Stage("written", written);
    for (Stage stage :
        List.of(
            new Stage("in Kafka", lines),
            new Stage("row in Kafka", calls),
            new Stage("queryable", queryable))) {
      say(
          "  %-12s to %-12s %s",
          before.name(),
          stage.name(),
          inWords(before.curve().millisUntil(stage.curve(), measuredFrom)));
      before = stage;
    }
    say("  processors: %s", processors.inWords());
  }

  private static String inWords(Histogram millis) {
    return String.format(
        Locale.ROOT,
        "p50 %d ms, p99 %d ms, max %d ms",
        millis.getValueAtPercentile(50),
        millis.getValueAtPercentile(99),
        millis.getMaxValue());
  }

  /** Writes at the steady rate, and looks what is queryable, until so many lines are written. */
  private void pace(
      Feed feed, ClickHouseHttp clickHouse, Curve written, Curve queryable, long until)
      throws IOException, InterruptedException {
    long first = feed.written();
    long beganNanos = System.nanoTime();
    while (feed.written() < until) {
      long nanos = System.nanoTime();
      long due = Math.min(until, first + (nanos - beganNanos) * latencyRate / 1_000_000_000L);
      if (due > feed.written()) {
        feed.write((int) (due - feed.written()));
        written.add(nanos, feed.written());
      }
      queryable.add(System.nanoTime(), stored(clickHouse));
      Thread.sleep(TICK_NANOS / 1_000_000);
    }
  }

  private void sustained(Stack stack, Feed feed, ClickHouseHttp clickHouse)
      throws IOException, InterruptedException {
    long first = stored(clickHouse);
    Map<String, Double> cpuBefore = stack.cpuSeconds();
    long beganNanos = System.nanoTime();
    long endNanos = beganNanos + Duration.ofSeconds(seconds).toNanos();
    long sampleNanos = beganNanos + SAMPLE_EVERY.toNanos();
    while (System.nanoTime() < endNanos) {
      long room = backlog - (feed.written() - stored(clickHouse));
      if (room > 0) {
        feed.write((int) Math.min(room, 20_000));
      } else {
        Thread.sleep(TICK_NANOS / 1_000_000);
      }
      if (System.nanoTime() >= sampleNanos) {
        sampleNanos += SAMPLE_EVERY.toNanos();
        double passed = (System.nanoTime() - beganNanos) / 1e9;
        say(
            "%4.0f s  %,8.0f rows/s so far   MiB: %s",
            passed, (stored(clickHouse) - first) / passed, stack.residentMegabytes());
      }
    }
    long stored = stored(clickHouse) - first;
    double passed = (System.nanoTime() - beganNanos) / 1e9;
    say("µs CPU/line: %s", microsALine(cpuBefore, stack.cpuSeconds(), stored));
    say("sustained for %.0f s: %,.0f lines/s, goal >= %,d", passed, stored / passed, RATE_GOAL);
    awaitStored(clickHouse, feed.written());
    String once =
        clickHouse.execute("SELECT count(), uniqExact(event_id) FROM calls FINAL FORMAT TSV");
    long[] counts = Arrays.stream(once.strip().split("\t")).mapToLong(Long::parseLong).toArray();
    say(
        "%,d lines written, %,d rows, %,d event ids: %s",
        feed.written(),
        counts[0],
        counts[1],
        counts[0] == feed.written() && counts[1] == counts[0] ? "each once" : "NOT each once");
  }

  private static String microsALine(
      Map<String, Double> before, Map<String, Double> after, long lines) {
    return after.entrySet().stream()
        .map(
            process ->
                String.format(
                    Locale.ROOT,
                    "%s %.1f",
                    process.getKey(),
                    (process.getValue() - before.getOrDefault(process.getKey(), 0.0))
                        * 1e6
                        / lines))
        .collect(Collectors.joining(", "));
  }

  private static void say(String form, Object... values) {
    System.out.println(String.format(Locale.ROOT, form, values));
  }
}
