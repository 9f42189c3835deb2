package org.capacityobservatory.benchmarks.generator;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * Which ClickHouse a benchmark speaks to: one that runs, or an engine of its own in a directory.
 */
public final class Database {
  @ArgGroup(multiplicity = "1")
  private Place place = new Place();

  static final class Place {
    @Option(names = "--directory", description = "Start an engine of our own in this directory.")
    @Nullable Path directory;

    @Option(names = "--url", description = "Speak to a ClickHouse that runs: its HTTP address.")
    @Nullable URI url;
  }

  @Option(
      names = "--user",
      defaultValue = LocalClickHouse.WRITER,
      description = "Its user; default: ${DEFAULT-VALUE}.")
  private String user = "";

  @Option(names = "--password-file", description = "The file with the user's password.")
  private @Nullable Path passwordFile;

  @Option(
      names = "--database",
      defaultValue = ClickHouseConfig.DEFAULT_DATABASE,
      description = "Its database; default: ${DEFAULT-VALUE}.")
  private String name = "";

  /** An open way to it; closing it ends the engine if it was started for it. */
  public record Connection(ClickHouseConfig config, @Nullable LocalClickHouse engine)
      implements AutoCloseable {
    @Override
    public void close() {
      if (engine != null) {
        engine.close();
      }
    }
  }

  /**
   * Opens the way.
   *
   * @param longestQuery how long a query may run in an engine of our own
   */
  public Connection open(Duration longestQuery) throws IOException {
    if (place.url != null) {
      String password = passwordFile == null ? "" : Files.readString(passwordFile, UTF_8).strip();
      return new Connection(new ClickHouseConfig(place.url, user, password, name), null);
    }
    if (place.directory == null) {
      throw new IOException("Neither --directory nor --url");
    }
    LocalClickHouse engine =
        LocalClickHouse.start(
            LocalClickHouseConfig.in(place.directory).withQueryLimits(16, longestQuery));
    return new Connection(
        new ClickHouseConfig(engine.url(), user, engine.password(user), name), engine);
  }
}
