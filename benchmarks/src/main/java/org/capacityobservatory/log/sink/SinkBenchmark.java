package org.capacityobservatory.log.sink;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.capacityobservatory.log.CapacityCall;
import org.capacityobservatory.log.LineException;
import org.capacityobservatory.log.LineParser;

/**
 * Measures {@link BoundedSink#put} beside a bare JCTools queue and Logback's AsyncAppender; how and
 * what came out is in docs/sink.md.
 *
 * <p>Four threads put 100,000 lines a second between them. Rounds alternate between the contenders;
 * the first is a warm-up. Exits with 3 if a goal isn't met, with 1 if a line is unaccounted for.
 */
public final class SinkBenchmark {
  private static final int THREADS = 4;
  private static final int LINES_PER_SECOND = 100_000;
  private static final List<String> NAMES = List.of("clock", "bare queue", "sink", "logback");

  private final Path folder;
  private final int puts;
  private final List<CapacityCall> calls = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();

  private SinkBenchmark(Path folder, int seconds) throws LineException {
    this.folder = folder;
    puts = LINES_PER_SECOND / THREADS * seconds;
    for (int n = 0; n < 64; n++) {
      String line = line(n);
      lines.add(line);
      calls.add((CapacityCall) LineParser.parse(line.getBytes(UTF_8)));
    }
  }

  /** Arguments: rounds (7), seconds each (3). */
  public static void main(String[] arguments) throws Exception {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 7;
    int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
    Path folder = Files.createTempDirectory("sink-benchmark");
    try {
      SinkBenchmark benchmark = new SinkBenchmark(folder, seconds);
      say(
          "%d threads, %,d lines/s of %d bytes, queue %d, %d rounds of %d s after a warm-up",
          THREADS,
          LINES_PER_SECOND,
          benchmark.lines.get(0).length(),
          Contender.QUEUE_LINES,
          rounds,
          seconds);
      System.exit(benchmark.run(rounds) ? 0 : 3);
    } finally {
      Files.deleteIfExists(folder);
    }
  }

  private boolean run(int rounds) throws Exception {
    Map<String, List<Round>> measured = new LinkedHashMap<>();
    for (int round = 0; round <= rounds; round++) {
      for (String name : NAMES) {
        Round result = round(name);
        say("%-8s %-10s %s", round == 0 ? "warm-up" : "round " + round, name, result);
        if (round > 0) {
          measured.computeIfAbsent(name, n -> new ArrayList<>()).add(result);
        }
      }
    }
    say("%nmedians, ns            put p50   put p99   after due p50   after due p99");
    measured.forEach(
        (name, results) ->
            say(
                "%-20s %9d %9d %15d %15d",
                name,
                median(results.stream().map(Round::p50).toList()),
                median(results.stream().map(Round::p99).toList()),
                median(results.stream().map(Round::dueP50).toList()),
                median(results.stream().map(Round::dueP99).toList())));
    return judge(measured);
  }

  private static boolean judge(Map<String, List<Round>> measured) {
    double clock = p50(measured, "clock");
    double p50 = ratio(p50(measured, "sink"), p50(measured, "bare queue"));
    double net = ratio(p50(measured, "sink") - clock, p50(measured, "bare queue") - clock);
    double p99 = ratio(p99(measured, "sink"), p99(measured, "bare queue"));
    double logback50 = ratio(p50(measured, "sink"), p50(measured, "logback"));
    double logback99 = ratio(p99(measured, "sink"), p99(measured, "logback"));
    say(
        "%nsink / bare queue: p50 %.2f (goal ≤ 2; without the clock's part %.2f), p99 %.2f (goal ≤ 3)",
        p50, net, p99);
    say("sink / logback:    p50 %.2f (goal < 1), p99 %.2f (goal < 1)", logback50, logback99);
    boolean met = p50 <= 2 && p99 <= 3 && logback50 < 1 && logback99 < 1;
    say(met ? "goals met" : "goals NOT met");
    return met;
  }

  private static double ratio(double above, double below) {
    return above / below;
  }

  private static double p50(Map<String, List<Round>> measured, String name) {
    return median(measured.getOrDefault(name, List.of()).stream().map(Round::p50).toList());
  }

  private static double p99(Map<String, List<Round>> measured, String name) {
    return median(measured.getOrDefault(name, List.of()).stream().map(Round::p99).toList());
  }

  private static long median(List<Long> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private Round round(String name) throws Exception {
    Contender contender =
        switch (name) {
          case "bare queue" -> new Contender.BareQueue();
          case "sink" -> new Contender.Sink(folder);
          case "logback" -> new Contender.Logback(folder);
          default -> new Contender.Clock();
        };
    long intervalNanos = 1_000_000_000L * THREADS / LINES_PER_SECOND;
    long start = System.nanoTime() + 50_000_000;
    List<Putter> putters = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      long offset = thread * intervalNanos / THREADS;
      putters.add(new Putter(contender, calls, lines, start + offset, intervalNanos, puts));
    }
    putters.forEach(Thread::start);
    Histogram took = new Histogram(10_000_000_000L, 3);
    Histogram afterDue = new Histogram(10_000_000_000L, 3);
    for (Putter putter : putters) {
      putter.join();
      took.add(putter.took);
      afterDue.add(putter.afterDue);
    }
    Contender.offered(contender, (long) puts * THREADS);
    String books = contender.finish();
    return new Round(
        took.getValueAtPercentile(50),
        took.getValueAtPercentile(99),
        afterDue.getValueAtPercentile(50),
        afterDue.getValueAtPercentile(99),
        books);
  }

  private record Round(long p50, long p99, long dueP50, long dueP99, String books) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "put p50 %5d ns  p99 %7d ns   after due p50 %7d ns  p99 %9d ns   %s",
          p50,
          p99,
          dueP50,
          dueP99,
          books);
    }
  }

  private static String line(int n) {
    return ("{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"mode\":\"shadow\",\"enforced\":false,"
            + "\"endpoint\":\"$match\",\"semantic\":true,\"reranker\":false,\"rows\":1,"
            + "\"single_row\":true,\"tier\":\"preview\",\"user_id\":4%02d,\"in_flight\":1,\"limit\":4,"
            + "\"task_in_flight\":1,\"task_limit\":2,\"es2_knn_in_flight\":1,\"es2_knn_limit\":3,"
            + "\"tier_in_flight\":1,\"tier_limit\":2,\"user_in_flight\":1,\"user_limit\":1,"
            + "\"suggested\":1,\"held_ms\":281,\"queue_ms\":503,\"task\":\"api-task-a\","
            + "\"request_source\":\"tbv3\",\"cid\":\"43fb1bc8a7fd48429e2ed64f831ee9%02d\"}")
        .formatted(n, n);
  }

  private static void say(String form, Object... values) {
    System.out.println(String.format(Locale.ROOT, form, values));
  }
}
