package org.capacityobservatory.localstack;

import java.net.URI;
import java.nio.file.Path;
import java.time.ZoneId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract on the embedded engine, with a server zone that differs from every client's. */
class EmbeddedClickHouseIT extends ClickHouseContract {
  @TempDir static Path directory;

  private static LocalClickHouse server;

  @BeforeAll
  static void start() {
    server =
        LocalClickHouse.start(
            LocalClickHouseConfig.in(directory.resolve("clickhouse"))
                .withTimeZone(ZoneId.of("America/New_York")));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  URI url() {
    return server.url();
  }

  @Override
  String user() {
    return LocalClickHouse.WRITER;
  }

  @Override
  String password() {
    return server.password(LocalClickHouse.WRITER);
  }
}
