package org.capacityobservatory.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.capacityobservatory.calibration.Json;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.Verification;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "verify",
    description = {
      "Recounts the minutes from the calls, and checks that event ids are distinct and that the"
          + " books of every source balance.",
      "Exit code 3 when anything differs."
    },
    mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
  private static final int DIFFERS = 3;
  private static final Duration BETWEEN = Duration.ofSeconds(2);

  enum Format {
    TEXT,
    JSON
  }

  @Mixin private ClickHouseOptions clickHouse;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Calls that ended from this time on (RFC 3339; default: all).")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Calls that ended before this time (RFC 3339; default: all).")
  private @Nullable String to;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description =
          "While lines are under way, how long to look again before a difference is one"
              + " (default: ${DEFAULT-VALUE}).")
  private int patienceSeconds;

  @Option(
      names = "--keep-calls-days",
      paramLabel = "DAYS",
      defaultValue = "90",
      description = "How long calls are kept, as the writer was told (default: ${DEFAULT-VALUE}).")
  private int keepCallsDays;

  @Option(
      names = "--format",
      defaultValue = "TEXT",
      paramLabel = "text|json",
      description = "Form of the result (default: text).")
  private Format format;

  @Override
  public Integer call() throws InterruptedException {
    Instant first = from == null ? Instant.EPOCH : Times.read("--from", from);
    Instant end = to == null ? Instant.ofEpochSecond(4_102_444_800L) : Times.read("--to", to);
    if (!first.isBefore(end)) {
      throw new UsageException("--from must be before --to.");
    }
    Verification result = lasting(first, end);
    System.out.print(format == Format.JSON ? Json.write(tree(result)) : text(result));
    return result.agrees() ? 0 : DIFFERS;
  }

  /** Calls and their minutes come by different ways: only what goes on differing does differ. */
  private Verification lasting(Instant first, Instant end) throws InterruptedException {
    Jdbi queries = ClickHouse.queries(clickHouse.config(), new Properties());
    Instant until = Instant.now().plusSeconds(patienceSeconds);
    try {
      while (true) {
        Instant now = Instant.now();
        Verification result =
            Verification.of(queries, first, end, now, Duration.ofDays(keepCallsDays));
        if (result.agrees() || now.isAfter(until)) {
          return result;
        }
        Thread.sleep(BETWEEN.toMillis());
      }
    } catch (JdbiException e) {
      Throwable root = e;
      for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
        root = cause;
      }
      throw new CommandException(
          "ClickHouse at " + clickHouse.config().url() + " can't be asked: " + root.getMessage(),
          e);
    }
  }

  private static Map<String, Object> tree(Verification result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("agrees", result.agrees());
    tree.put("calls", result.calls());
    tree.put("hidden_doubles", result.hiddenDoubles());
    tree.put("in_flight", result.inFlight());
    tree.put("differing_cells", result.differingCells());
    tree.put("differences", result.differences());
    return tree;
  }

  private static String text(Verification result) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%,d calls recounted, %,d cells differ%n"
            .formatted(result.calls(), result.differingCells()));
    if (result.hiddenDoubles() > 0) {
      text.append(
          "%,d rows are stored twice; queries don't see it%n".formatted(result.hiddenDoubles()));
    }
    if (result.inFlight() > 0) {
      text.append("%,d lines are under way%n".formatted(result.inFlight()));
    }
    result.differences().forEach(difference -> text.append(difference).append('\n'));
    text.append(result.agrees() ? "Everything agrees.\n" : "There are differences.\n");
    return text.toString();
  }
}
