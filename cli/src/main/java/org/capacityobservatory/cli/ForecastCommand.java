package org.capacityobservatory.cli;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.capacityobservatory.calibration.EnforcementForecast;
import org.capacityobservatory.calibration.Json;
import org.capacityobservatory.sql.ClickHouseException;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "forecast",
    description = {
      "Keeps what calibration says that enforcement will refuse, for alarms to hold it against.",
      "The one that starts last is in force."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ForecastCommand.Store.class,
      ForecastCommand.Tell.class,
      ForecastCommand.Withdraw.class
    })
final class ForecastCommand implements Callable<Integer> {
  enum Format {
    TEXT,
    JSON
  }

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Name a command: store, list or withdraw.");
  }

  /** Who does it. */
  private static final class Who {
    @Option(
        names = "--by",
        paramLabel = "NAME",
        defaultValue = "${sys:user.name}",
        description = "Who does it, to be read in the list (default: this system's user).")
    private String name;

    String name() {
      if (name.isBlank()) {
        throw new UsageException("--by is empty: name who does it.");
      }
      return name;
    }
  }

  private interface Work {
    String run(StoredForecasts forecasts);
  }

  private static int told(ClickHouseOptions clickHouse, Work work) {
    try {
      ResultFile.write(null, work.run(new StoredForecasts(clickHouse.config())));
      return 0;
    } catch (ClickHouseException | JdbiException e) {
      throw new CommandException("ClickHouse: " + e.getMessage(), e);
    }
  }

  @Command(
      name = "store",
      description = {
        "Stores a prediction. From --from on, enforcement is held against it until another one",
        "starts."
      },
      mixinStandardHelpOptions = true)
  static final class Store implements Callable<Integer> {
    @Mixin private ClickHouseOptions clickHouse;
    @Mixin private Who who;

    @Option(
        names = "--predicted",
        required = true,
        paramLabel = "FILE",
        description = "What capacity calibrate --format json wrote.")
    private Path predicted;

    @Option(
        names = "--from",
        paramLabel = "TIME",
        description = "Begin, e.g. when enforcement was switched on (default: now).")
    private @Nullable String from;

    @Option(
        names = "--format",
        defaultValue = "TEXT",
        paramLabel = "text|json",
        description = "Form of what was stored (default: text).")
    private Format format;

    @Override
    public Integer call() {
      String json = ReplayOptions.text(predicted);
      EnforcementForecast forecast =
          ReplayOptions.checked(predicted.toString(), () -> EnforcementForecast.of(json));
      Instant starts =
          from == null
              ? Instant.now().truncatedTo(ChronoUnit.MILLIS)
              : Times.read("--from", from).truncatedTo(ChronoUnit.MILLIS);
      String by = who.name();
      return told(
          clickHouse,
          stored -> {
            StoredForecasts.Row row = StoredForecasts.Row.of(forecast, starts, by);
            stored.write(row);
            return format == Format.JSON
                ? Json.write(row.tree("stored"))
                : "Stored.\n" + row.text("stored");
          });
    }
  }

  @Command(
      name = "list",
      description = "Names the forecasts that are stored, and which one is in force.",
      mixinStandardHelpOptions = true)
  static final class Tell implements Callable<Integer> {
    @Mixin private ClickHouseOptions clickHouse;

    @Option(
        names = "--format",
        defaultValue = "TEXT",
        paramLabel = "text|json",
        description = "Form of the list (default: text).")
    private Format format;

    @Override
    public Integer call() {
      return told(
          clickHouse,
          stored -> {
            List<StoredForecasts.Row> rows = stored.list();
            Instant now = Instant.now();
            return format == Format.JSON
                ? Json.write(StoredForecasts.tree(rows, now))
                : StoredForecasts.text(rows, now);
          });
    }
  }

  @Command(
      name = "withdraw",
      description = {
        "Takes a forecast back: nothing is held against it any more, and the one that started",
        "before it is in force again."
      },
      mixinStandardHelpOptions = true)
  static final class Withdraw implements Callable<Integer> {
    @Mixin private ClickHouseOptions clickHouse;
    @Mixin private Who who;

    @Parameters(paramLabel = "ID", description = "The forecast, as listed.")
    private UUID id;

    @Override
    public Integer call() {
      String by = who.name();
      return told(
          clickHouse,
          stored -> {
            StoredForecasts.Row row =
                stored
                    .find(id)
                    .orElseThrow(
                        () ->
                            new CommandException(
                                "There is no forecast " + id + ": see capacity forecast list"));
            if (row.withdrawn()) {
              return "Forecast " + id + " had been withdrawn already.\n";
            }
            stored.write(row.withdrawnBy(by));
            return "Forecast " + id + " is withdrawn.\n";
          });
    }
  }
}
