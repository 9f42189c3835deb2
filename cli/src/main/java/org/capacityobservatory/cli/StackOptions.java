package org.capacityobservatory.cli;

import java.net.URI;
import java.nio.file.Path;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which servers a command uses: embedded ones, unless it is told of others. */
final class StackOptions {
  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      description = "Use these Kafka brokers instead of an embedded one.")
  private @Nullable String kafka;

  @Option(
      names = "--clickhouse",
      paramLabel = "URL",
      description = "Use this ClickHouse, e.g. http://HOST:8123, instead of an embedded engine.")
  private @Nullable String clickHouse;

  @Option(
      names = "--clickhouse-user",
      paramLabel = "USER",
      defaultValue = "default",
      description = "User of --clickhouse (default: ${DEFAULT-VALUE}).")
  private String user;

  @Option(
      names = "--clickhouse-password-file",
      paramLabel = "FILE",
      description =
          "File with that user's password; without it, the password is in the env variable"
              + " CAPACITY_CLICKHOUSE_PASSWORD, or empty.")
  private @Nullable Path passwordFile;

  /** The brokers to use, or null for an embedded one. */
  @Nullable String kafka() {
    return kafka == null ? null : HostAndPort.checkedList("--kafka", kafka);
  }

  /** The ClickHouse to use, or null for an embedded engine. */
  @Nullable ClickHouseLogin clickHouse() {
    if (clickHouse == null) {
      return null;
    }
    String password =
        passwordFile == null
            ? System.getenv().getOrDefault(ClickHouseOptions.PASSWORD_VARIABLE, "")
            : ClickHouseOptions.passwordIn(passwordFile);
    try {
      ClickHouseConfig config =
          new ClickHouseConfig(
              URI.create(clickHouse), user, password, ClickHouseConfig.DEFAULT_DATABASE);
      return new ClickHouseLogin(config, passwordFile);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
