package org.capacityobservatory.cli;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A process's own metrics, at {@code /metrics} on loopback. */
final class MetricsOptions {
  @Option(
      names = "--metrics-port",
      paramLabel = "N",
      description = "Serve this process's metrics at http://127.0.0.1:N/metrics (default: don't).")
  private @Nullable Integer port;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  PrometheusMeterRegistry registry() {
    return registry;
  }

  /** Starts the endpoint if one was asked for; it ends with the process. */
  void serve() {
    if (port == null) {
      return;
    }
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.createContext(
          "/metrics",
          exchange -> {
            byte[] body = registry.scrape().getBytes(java.nio.charset.StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
          });
      server.start();
    } catch (IOException e) {
      throw new CommandException(
          "Port " + port + " for metrics can't be used: " + e.getMessage() + "; give another", e);
    }
  }
}
