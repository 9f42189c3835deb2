package org.capacityobservatory.cli;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.capacityobservatory.api.ApiConfig;
import org.capacityobservatory.api.ApiServer;
import org.capacityobservatory.api.QueryLimits;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "api",
    description = "Serves the API and the page on loopback, from what is in ClickHouse.",
    mixinStandardHelpOptions = true)
final class ApiCommand implements Callable<Integer> {
  @Mixin private ClickHouseOptions clickHouse;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = ApiConfig.DEFAULT_HOST,
      description = "A loopback address to listen on (default: ${DEFAULT-VALUE}).")
  private String host;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "0",
      description = "Port of the page and the API; 0 takes a free one (default: ${DEFAULT-VALUE}).")
  private int port;

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
      return new ApiConfig(host, port, clickHouse.config(), QueryLimits.DEFAULT);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
