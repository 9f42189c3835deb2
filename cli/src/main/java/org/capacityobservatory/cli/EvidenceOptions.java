package org.capacityobservatory.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import org.capacityobservatory.api.RecordedCalls;
import org.capacityobservatory.calibration.LogReader;
import org.capacityobservatory.calibration.Recording;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Where recorded lines come from: log files of one cluster, or ClickHouse. */
final class EvidenceOptions {
  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "Logs of one cluster, also gzipped.")
  private @Nullable List<Path> files;

  @Option(
      names = "--clickhouse",
      paramLabel = "URL",
      description =
          "Take the calls from ClickHouse instead, with --from and --to (without files, also env"
              + " CAPACITY_CLICKHOUSE).")
  private @Nullable String clickHouse;

  @Option(names = "--from", paramLabel = "TIME", description = "From this time on (RFC 3339).")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "TIME", description = "Before this time (RFC 3339).")
  private @Nullable String to;

  @Option(
      names = "--clickhouse-user",
      paramLabel = "USER",
      defaultValue = "${env:CAPACITY_CLICKHOUSE_USER:-default}",
      description = "ClickHouse user (default: ${DEFAULT-VALUE}).")
  private String user;

  @Option(
      names = "--clickhouse-password-file",
      paramLabel = "FILE",
      defaultValue = "${env:CAPACITY_CLICKHOUSE_PASSWORD_FILE}",
      description =
          "File with the user's password; else the env variable of CAPACITY_CLICKHOUSE_PASSWORD.")
  private @Nullable Path passwordFile;

  @Option(
      names = "--database",
      paramLabel = "NAME",
      defaultValue = ClickHouseConfig.DEFAULT_DATABASE,
      description = "Database of the observatory's tables (default: ${DEFAULT-VALUE}).")
  private String database;

  /**
   * A stretch of what is stored.
   *
   * @param from inclusive
   * @param to exclusive
   */
  record Stored(ClickHouseConfig config, Instant from, Instant to) {}

  /** Reads the lines. */
  Recording read(TerminalProgress progress) {
    Stored stored = stored();
    return stored == null
        ? readFiles(files == null ? List.of() : files, progress)
        : readClickHouse(stored, progress);
  }

  /** The stretch of ClickHouse that was asked for; null when files were. */
  @Nullable Stored stored() {
    boolean named = files != null && !files.isEmpty();
    if (named && clickHouse != null) {
      throw new UsageException("Give either log files or --clickhouse, not both.");
    }
    if (named) {
      if (from != null || to != null) {
        throw new UsageException("--from and --to go with --clickhouse; files are taken whole.");
      }
      return null;
    }
    String url = clickHouse == null ? System.getenv("CAPACITY_CLICKHOUSE") : clickHouse;
    if (url == null) {
      throw new UsageException("Give log files, or --clickhouse URL with --from and --to.");
    }
    if (from == null || to == null) {
      throw new UsageException("--clickhouse needs --from and --to.");
    }
    return stored(url, Times.read("--from", from), Times.read("--to", to));
  }

  private static Recording readFiles(List<Path> logs, TerminalProgress progress) {
    Recording.Builder recording = new Recording.Builder();
    LogReader reader = new LogReader(recording);
    for (Path log : logs) {
      progress.say("reading " + log);
      try (InputStream stream = Files.newInputStream(log)) {
        reader.read(log.toString(), stream);
      } catch (IOException e) {
        throw new CommandException(log + " can't be read: " + e, e);
      }
    }
    return recording.build();
  }

  private Stored stored(String url, Instant first, Instant end) {
    if (!first.isBefore(end)) {
      throw new UsageException("--from must be before --to.");
    }
    try {
      ClickHouseConfig config =
          new ClickHouseConfig(
              URI.create(url),
              user,
              passwordFile == null
                  ? System.getenv().getOrDefault(ClickHouseOptions.PASSWORD_VARIABLE, "")
                  : ClickHouseOptions.passwordIn(passwordFile),
              database);
      return new Stored(config, first, end);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static Recording readClickHouse(Stored stored, TerminalProgress progress) {
    progress.say("reading calls from ClickHouse");
    try {
      return new RecordedCalls(ClickHouse.queries(stored.config(), new Properties()))
          .read(stored.from(), stored.to());
    } catch (JdbiException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new CommandException(
          "ClickHouse at " + stored.config().url() + ": " + cause.getMessage(), e);
    }
  }
}
