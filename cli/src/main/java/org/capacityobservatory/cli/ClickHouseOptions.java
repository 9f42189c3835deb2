package org.capacityobservatory.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where ClickHouse is and as whom to speak to it; the password comes from a file or the env. */
final class ClickHouseOptions {
  static final String PASSWORD_VARIABLE = "CAPACITY_CLICKHOUSE_PASSWORD";

  @Option(
      names = "--clickhouse",
      paramLabel = "URL",
      required = true,
      defaultValue = "${env:CAPACITY_CLICKHOUSE}",
      description =
          "ClickHouse's HTTP endpoint, e.g. http://127.0.0.1:8123 (env CAPACITY_CLICKHOUSE).")
  private String url;

  @Option(
      names = "--clickhouse-user",
      paramLabel = "USER",
      defaultValue = "${env:CAPACITY_CLICKHOUSE_USER:-default}",
      description = "ClickHouse user (env CAPACITY_CLICKHOUSE_USER; default: ${DEFAULT-VALUE}).")
  private String user;

  @Option(
      names = "--clickhouse-password-file",
      paramLabel = "FILE",
      defaultValue = "${env:CAPACITY_CLICKHOUSE_PASSWORD_FILE}",
      description =
          "File with the user's password; without it, the password is in the env variable"
              + " CAPACITY_CLICKHOUSE_PASSWORD, or empty.")
  private @Nullable Path passwordFile;

  @Option(
      names = "--database",
      paramLabel = "NAME",
      defaultValue = ClickHouseConfig.DEFAULT_DATABASE,
      description = "Database of the observatory's tables (default: ${DEFAULT-VALUE}).")
  private String database;

  ClickHouseConfig config() {
    return config(System.getenv());
  }

  private ClickHouseConfig config(Map<String, String> environment) {
    try {
      return new ClickHouseConfig(
          URI.create(url),
          user,
          passwordFile == null
              ? environment.getOrDefault(PASSWORD_VARIABLE, "")
              : passwordIn(passwordFile),
          database);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  static String passwordIn(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new CommandException("The password file " + file + " can't be read: " + e, e);
    }
  }
}
