package org.capacityobservatory.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.capacityobservatory.calibration.Json;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.Verification;
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
      names = "--near-limit-share",
      paramLabel = "SHARE",
      defaultValue = "0.8",
      description =
          "From which share of its limit a lane counts as near it, as streams was told"
              + " (default: ${DEFAULT-VALUE}).")
  private double nearLimitShare;

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
    Instant first = from == null ? Instant.EPOCH : Times.readMinute("--from", from);
    Instant end = to == null ? Instant.ofEpochSecond(4_102_444_800L) : Times.readMinute("--to", to);
    if (!first.isBefore(end)) {
      throw new UsageException("--from must be before --to.");
    }
    Verification result = lasting(first, end);
    System.out.print(
        format == Format.JSON ? Json.write(Recounting.tree(result)) : Recounting.text(result));
    return result.agrees() ? 0 : DIFFERS;
  }

  private Verification lasting(Instant first, Instant end) throws InterruptedException {
    try {
      return Verification.lasting(
          ClickHouse.queries(clickHouse.config(), new Properties()),
          first,
          end,
          InstantSource.system(),
          Duration.ofSeconds(patienceSeconds),
          Duration.ofDays(keepCallsDays),
          nearLimitShare);
    } catch (JdbiException e) {
      throw Recounting.unanswered(clickHouse.config(), e);
    }
  }
}
