package org.capacityobservatory.benchmarks.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.DoubleStream;
import org.capacityobservatory.api.ApiConfig;
import org.capacityobservatory.api.ApiServer;
import org.capacityobservatory.api.QueryLimits;
import org.capacityobservatory.api.Role;
import org.capacityobservatory.api.TokenFile;
import org.capacityobservatory.benchmarks.generator.Database;
import org.capacityobservatory.benchmarks.generator.Database.Connection;
import org.capacityobservatory.benchmarks.page.Users.Measured;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.sql.ClickHouseConfig;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Opens the page and asks the API as people do, over the data of {@code DataGenerator}: how soon
 * the first page can be used, how soon its questions are answered while others ask too, and what a
 * user who asks the most expensive questions does to the others.
 */
@Command(
    name = "page-benchmark",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures the page and its API.")
public final class PageBenchmark implements Callable<Integer> {
  private static final Duration LONGEST_QUERY = Duration.ofSeconds(60);
  private static final double FIRST_PAGE_GOAL_MS = 1_500;
  private static final double P95_GOAL_MS = 300;
  private static final double NEIGHBOUR_GOAL = 2;

  /** The widest questions that the API lets anyone ask. */
  private static final List<String> HOSTILE =
      List.of(
          "/api/v1/decisions?group_by=request_source",
          "/api/v1/usage?group_by=user",
          "/api/v1/usage?group_by=run&order=lease_seconds",
          "/api/v1/runs?order=calls",
          "/api/v1/latency?measure=held_ms&group_by=in_flight",
          "/api/v1/calls?cid=00000000000000000000000000000000",
          "/api/v1/lanes/intervals",
          "/api/v1/quality");

  private static final ObjectMapper JSON = new ObjectMapper();

  @Mixin private Database database = new Database();

  @Option(names = "--users", defaultValue = "20", description = "Default: ${DEFAULT-VALUE}.")
  private int users;

  @Option(
      names = "--pause",
      defaultValue = "10",
      description =
          "Seconds between two refreshes of a page; default: ${DEFAULT-VALUE}, the page's.")
  private int pauseSeconds;

  @Option(
      names = "--seconds",
      defaultValue = "60",
      description = "How long each measurement takes; default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--opened",
      defaultValue = "5",
      description = "How often the first page is opened; default: ${DEFAULT-VALUE}.")
  private int opened;

  @Option(
      names = "--period",
      defaultValue = "",
      description = "The page's period, such as -7d; default: all there is.")
  private String period = "";

  private int missed;

  /** Runs it; exit code 0, 1 when something failed, 2 for wrong usage, 3 when a goal is missed. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new PageBenchmark()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("page-benchmark-");
    try (Connection connection = database.open(LONGEST_QUERY)) {
      TokenFile file = new TokenFile(directory.resolve(TokenFile.NAME));
      List<String> tokens = new ArrayList<>();
      for (int i = 0; i <= users; i++) {
        tokens.add(file.create("user-" + i, Role.VIEWER, InstantSource.system()));
      }
      ApiConfig config =
          new ApiConfig(
              ApiConfig.DEFAULT_HOST,
              0,
              reader(connection),
              QueryLimits.DEFAULT,
              file.path(),
              null,
              null);
      try (ApiServer api =
          ApiServer.start(
              config,
              new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
              InstantSource.system())) {
        measure(api.url(), tokens);
      }
    }
    say("%d goals missed", missed);
    return missed == 0 ? 0 : 3;
  }

  /** The API's own user where the engine is ours, so that its limits hold too. */
  private static ClickHouseConfig reader(Connection connection) {
    ClickHouseConfig config = connection.config();
    LocalClickHouse engine = connection.engine();
    return engine == null
        ? config
        : new ClickHouseConfig(
            config.url(),
            LocalClickHouse.READER,
            engine.password(LocalClickHouse.READER),
            config.database());
  }

  private void measure(URI api, List<String> tokens) throws IOException, InterruptedException {
    List<URI> questions = firstPage(api, tokens.get(0));
    List<String> neighbours = tokens.subList(1, tokens.size());
    say("%d questions on the first page", questions.size());
    for (URI question : questions) {
      say("  %s", question.toString().substring(api.toString().length() - 1));
    }
    Duration pause = Duration.ofSeconds(pauseSeconds);
    Measured alone = Users.ask(neighbours, questions, pause, Duration.ofSeconds(seconds));
    tell(users + " users, a refresh each " + pauseSeconds + " s", alone);
    held("p95 of the first page's questions, ms", alone.millis(95), P95_GOAL_MS);

    CompletableFuture<Measured> hostile =
        CompletableFuture.supplyAsync(() -> hostile(api, tokens.get(0)));
    Measured beside = Users.ask(neighbours, questions, pause, Duration.ofSeconds(seconds));
    tell("the same beside a hostile user", beside);
    tell("the hostile user", hostile.join());
    held(
        "the neighbours' p99 beside a hostile user, times theirs alone",
        beside.millis(99) / alone.millis(99),
        NEIGHBOUR_GOAL);
  }

  /** One user who asks as much at once as a token may. */
  private Measured hostile(URI api, String token) {
    List<String> eight = List.of(token, token, token, token);
    try {
      return Users.ask(
          eight,
          HOSTILE.stream().map(api::resolve).toList(),
          Duration.ZERO,
          Duration.ofSeconds(seconds));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Opens the page in browsers that have never been there; the addresses that it asks. */
  private List<URI> firstPage(URI api, String token) throws IOException, InterruptedException {
    String query = period.isEmpty() ? "" : "?from=" + period;
    Path out = Files.createTempFile("first-page-", ".json");
    Process process =
        new ProcessBuilder(
                "node",
                home().resolve("dashboard-api/web/e2e/first-page.mjs").toString(),
                api.resolve("/" + query).toString(),
                Integer.toString(opened),
                token)
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("The browser did not open the page: exit " + process.exitValue());
    }
    JsonNode times = JSON.readTree(Files.readString(out, UTF_8));
    Files.delete(out);
    Set<URI> asked = new LinkedHashSet<>();
    times.get(0).get("requests").forEach(one -> asked.add(URI.create(one.asText())));
    say("%-40s %8s %8s", "first page in a cold browser", "median", "worst");
    for (String what : List.of("controlsMs", "headlineMs", "allMs")) {
      double[] sorted = sorted(times, what);
      say("  %-38s %8.0f %8.0f", what, sorted[(sorted.length - 1) / 2], sorted[sorted.length - 1]);
    }
    double[] usable = sorted(times, "headlineMs");
    held(
        "controls and first numbers, median ms",
        usable[(usable.length - 1) / 2],
        FIRST_PAGE_GOAL_MS);
    return List.copyOf(asked);
  }

  private static double[] sorted(JsonNode times, String what) {
    DoubleStream.Builder all = DoubleStream.builder();
    times.forEach(one -> all.add(one.get(what).asDouble()));
    return all.build().sorted().toArray();
  }

  private static Path home() {
    return Path.of(System.getProperty("capacity.home", "."));
  }

  private static void tell(String what, Measured measured) {
    say(
        "%s: %d answers, %d refused, %d failed; p50 %.0f, p95 %.0f, p99 %.0f, most %.0f ms",
        what,
        measured.micros().getTotalCount(),
        measured.refused(),
        measured.failed(),
        measured.millis(50),
        measured.millis(95),
        measured.millis(99),
        measured.millis(100));
  }

  private void held(String what, double value, double goal) {
    boolean good = value <= goal;
    missed += good ? 0 : 1;
    say("%-64s %8.1f, goal %6.0f %s", what, value, goal, good ? "" : "missed");
  }

  private static void say(String form, Object... values) {
    System.out.println(String.format(Locale.ROOT, form, values));
  }
}
