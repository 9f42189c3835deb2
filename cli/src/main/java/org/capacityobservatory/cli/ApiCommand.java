package org.capacityobservatory.cli;

import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.capacityobservatory.api.ApiConfig;
import org.capacityobservatory.api.ApiServer;
import org.capacityobservatory.api.QueryLimits;
import org.capacityobservatory.api.TokenFile;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "api",
    description = {
      "Serves the API and the page, from what is in ClickHouse.",
      "On loopback only, unless there are tokens (capacity token) and a proxy that speaks TLS."
    },
    mixinStandardHelpOptions = true)
final class ApiCommand implements Callable<Integer> {
  @Mixin private ClickHouseOptions clickHouse;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = ApiConfig.DEFAULT_HOST,
      description =
          "The address to listen on; beyond loopback with --data and --behind-tls-proxy only"
              + " (default: ${DEFAULT-VALUE}).")
  private String host;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "0",
      description = "Port of the page and the API; 0 takes a free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The data directory, where the tokens are (default: no tokens).")
  private @Nullable Path data;

  @Option(
      names = "--behind-tls-proxy",
      paramLabel = "URL",
      description =
          "A proxy in front of the API speaks TLS, and browsers know it as this https address.")
  private @Nullable URI behindTlsProxy;

  @Option(
      names = "--state-user",
      paramLabel = "USER",
      description =
          "ClickHouse user that may insert into saved_views, calibration_jobs and alarm_silences"
              + " (default: none, so that nothing can be kept).")
  private @Nullable String stateUser;

  @Option(
      names = "--state-password-file",
      paramLabel = "FILE",
      description =
          "File with that user's password; without it, the password is in the env variable"
              + " CAPACITY_STATE_PASSWORD, or the reader's if it is the same user, or empty.")
  private @Nullable Path statePasswordFile;

  private final MetricsOptions metrics = new MetricsOptions();

  @Override
  public Integer call() throws InterruptedException {
    ApiConfig config = config();
    return RunningProcess.run(
        process -> {
          ApiServer server = ApiServer.start(config, metrics.registry(), InstantSource.system());
          process.onStop(server::close);
          process.ready(Map.of("url", server.url()));
          return new CompletableFuture<>();
        });
  }

  private ApiConfig config() {
    try {
      ClickHouseConfig reader = clickHouse.config();
      return new ApiConfig(
          host,
          port,
          reader,
          QueryLimits.DEFAULT,
          data == null ? null : data.resolve(TokenFile.NAME),
          behindTlsProxy,
          stateUser == null ? null : stateWriter(reader, stateUser));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private ClickHouseConfig stateWriter(ClickHouseConfig reader, String user) {
    // The same user has the same password, wherever that came from.
    String unsaid = user.equals(reader.user()) ? reader.password() : "";
    String password =
        statePasswordFile == null
            ? System.getenv().getOrDefault("CAPACITY_STATE_PASSWORD", unsaid)
            : ClickHouseOptions.passwordIn(statePasswordFile);
    return new ClickHouseConfig(reader.url(), user, password, reader.database());
  }
}
