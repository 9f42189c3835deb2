package org.capacityobservatory.benchmarks.query;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.capacityobservatory.benchmarks.generator.Database;
import org.capacityobservatory.benchmarks.generator.Database.Connection;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.NamedQuery;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.Query;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Asks what the page asks, by the API's own way to ClickHouse and within its limits, over the data
 * of {@code DataGenerator}, and holds each question's p95 against its goal.
 */
@Command(
    name = "query-benchmark",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures the queries behind the page.")
public final class QueryBenchmark implements Callable<Integer> {
  /** The API's limits of a query. */
  private static final Properties LIMITS = limits();

  private static final Duration LONGEST_QUERY = Duration.ofMinutes(5);

  /** A question that takes longer than this is told from fewer answers. */
  private static final Duration LONGEST_QUESTION = Duration.ofSeconds(8);

  @Mixin private Database database = new Database();

  @Option(names = "--days", split = ",", defaultValue = "7,90", description = "Periods to ask for.")
  private List<Integer> days = List.of();

  @Option(names = "--runs", defaultValue = "20", description = "How often; default: 20.")
  private int runs;

  @Option(names = "--only", defaultValue = "", description = "Questions that start so.")
  private String only = "";

  @Option(
      names = "--setting",
      description = "A ClickHouse setting for every query, NAME=VALUE, to try it out.")
  private Map<String, String> settings = Map.of();

  private int missed;

  /** Runs it; exit code 0, 2 for wrong usage, 3 when a goal is missed. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new QueryBenchmark()).execute(arguments));
  }

  private static Properties limits() {
    Properties limits = new Properties();
    limits.setProperty("max_execution_time", "10");
    limits.setProperty("max_memory_usage", Long.toString(1L << 30));
    limits.setProperty("max_result_rows", "200000");
    limits.setProperty("result_overflow_mode", "throw");
    return limits;
  }

  @Override
  public Integer call() throws IOException {
    Properties asked = new Properties();
    asked.putAll(LIMITS);
    asked.putAll(settings);
    try (Connection connection = database.open(LONGEST_QUERY)) {
      Jdbi jdbi = ClickHouse.queries(connection.config(), asked);
      long endMillis = lastMinute(jdbi) + 60_000;
      say("%-44s %8s %8s %8s %8s", "", "p50 ms", "p95 ms", "rows", "goal");
      ask(jdbi, "now", Question.ofNow(endMillis));
      for (int period : days) {
        ask(jdbi, period + " d", Question.over(Duration.ofDays(period), endMillis));
      }
    }
    say("%d goals missed", missed);
    return missed == 0 ? 0 : 3;
  }

  private static long lastMinute(Jdbi jdbi) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(NamedQuery.text("data-range"))
                .map((row, context) -> row.getLong("last_ms"))
                .first());
  }

  private void ask(Jdbi jdbi, String period, List<Question> questions) {
    for (Question question : questions) {
      if (question.label().startsWith(only)) {
        String label = period + " " + question.label();
        try {
          ask(jdbi, label, question);
        } catch (JdbiException e) {
          missed++;
          say("%-44s over the API's limits: %s", label, shortened(e));
        }
      }
    }
  }

  private void ask(Jdbi jdbi, String label, Question question) {
    int rows = rows(jdbi, question);
    double[] millis = new double[runs];
    long beganNanos = System.nanoTime();
    int done = 0;
    while (done < runs
        && (done < 3 || System.nanoTime() - beganNanos < LONGEST_QUESTION.toNanos())) {
      long askedNanos = System.nanoTime();
      rows(jdbi, question);
      millis[done++] = (System.nanoTime() - askedNanos) / 1e6;
    }
    Arrays.sort(millis, 0, done);
    double p95 = millis[Math.min(done - 1, (int) Math.ceil(0.95 * done) - 1)];
    boolean good = p95 <= question.goalMillis();
    missed += good ? 0 : 1;
    say(
        "%-44s %8.0f %8.0f %8d %8d %s",
        label, millis[(done - 1) / 2], p95, rows, question.goalMillis(), good ? "" : "missed");
  }

  private static int rows(Jdbi jdbi, Question question) {
    return jdbi.withHandle(
        handle -> {
          Query query = handle.createQuery(NamedQuery.text(question.query()));
          query.bindMap(question.values());
          question.lists().forEach(query::bindList);
          return query.mapToMap().list().size();
        });
  }

  private static String shortened(JdbiException e) {
    String text = String.valueOf(e.getCause() == null ? e : e.getCause().getMessage());
    String line = text.lines().findFirst().orElse("");
    return line.length() <= 120 ? line : line.substring(0, 120) + "…";
  }

  private static void say(String form, Object... values) {
    System.out.println(String.format(Locale.ROOT, form, values));
  }
}
