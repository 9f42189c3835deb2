package org.capacityobservatory.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.jspecify.annotations.Nullable;

/**
 * A login to ClickHouse that can be handed to a child process without showing the password.
 *
 * @param config where and as whom
 * @param passwordFile where the password stands; null when it came from the environment, which a
 *     child inherits
 */
record ClickHouseLogin(ClickHouseConfig config, @Nullable Path passwordFile) {

  /** The flags that give a child process this login. */
  List<String> flags() {
    List<String> flags = new ArrayList<>();
    flags.addAll(List.of("--clickhouse", config.url().toString()));
    flags.addAll(List.of("--clickhouse-user", config.user()));
    flags.addAll(List.of("--database", config.database()));
    if (passwordFile != null) {
      flags.addAll(List.of("--clickhouse-password-file", passwordFile.toString()));
    }
    return flags;
  }
}
