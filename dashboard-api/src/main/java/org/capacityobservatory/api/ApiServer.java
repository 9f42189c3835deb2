package org.capacityobservatory.api;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.util.JavalinBindException;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;
import org.eclipse.jetty.server.Server;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP API and its page, running.
 *
 * <p>It starts and goes on while ClickHouse is down: then {@code /readyz} and the resources say so.
 */
public final class ApiServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ApiServer.class);

  // connect-src 'self' is for fetch; nothing of the page is inline and nothing comes from
  // elsewhere.
  private static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  /** The longest body: a rule or a view is far smaller. */
  private static final long MAX_BODY_BYTES = 64 << 10;

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy", CONTENT_SECURITY_POLICY,
          "X-Content-Type-Options", "nosniff",
          "X-Frame-Options", "DENY",
          "Referrer-Policy", "no-referrer",
          "Cross-Origin-Opener-Policy", "same-origin",
          "Cross-Origin-Resource-Policy", "same-origin",
          "Cache-Control", "no-store");

  /** A connection that says nothing for so long is closed. */
  private static final long IDLE_MILLIS = 30_000;

  private final Javalin javalin;
  private final String host;
  private final Resources resources;

  private ApiServer(Javalin javalin, String host, Resources resources) {
    this.javalin = javalin;
    this.host = host;
    this.resources = resources;
  }

  /**
   * Starts the API and returns once it answers.
   *
   * @param config where to listen and what to read
   * @param meters what {@code /metrics} tells, and where the API counts its own requests
   * @param clock the wall clock that relative times count from
   * @throws ApiStartException when the port is in use or may not be used
   */
  public static ApiServer start(
      ApiConfig config, PrometheusMeterRegistry meters, InstantSource clock) {
    Resources resources = new Resources(config, meters, clock);
    if (!config.onLoopback() && !resources.tokens().defined()) {
      resources.close();
      throw new ApiStartException(
          "Without tokens the API listens on loopback only, and there is none in "
              + config.tokens()
              + ": make one with capacity token create",
          null);
    }
    RequestDoor door = new RequestDoor(config, resources, meters, clock);
    Javalin javalin =
        Javalin.create(
            javalinConfig -> {
              transport(javalinConfig, config);
              routes(javalinConfig.routes, resources, door, meters);
            });
    try {
      javalin.start();
    } catch (JavalinBindException e) {
      resources.close();
      throw new ApiStartException(
          "The API can't listen on "
              + config.host()
              + ":"
              + config.port()
              + ": another program uses this port, or it is reserved; give another one",
          e);
    }
    ApiServer server = new ApiServer(javalin, config.host(), resources);
    log.info("The API listens on {}", server.url());
    return server;
  }

  private static void transport(JavalinConfig javalin, ApiConfig config) {
    javalin.startup.showJavalinBanner = false;
    javalin.startup.showOldJavalinVersionWarning = false;
    javalin.startup.startupWatcherEnabled = false;
    javalin.jetty.host = config.host().replaceAll("[\\[\\]]", "");
    javalin.jetty.port = config.port();
    javalin.jetty.modifyServer(ApiServer::hideJetty);
    javalin.jetty.modifyHttpConfiguration(http -> http.setSendServerVersion(false));
    javalin.router.ignoreTrailingSlashes = false;
    javalin.http.prefer405over404 = true;
    javalin.http.maxRequestSize = MAX_BODY_BYTES;
    javalin.jetty.modifyHttpConfiguration(http -> http.setIdleTimeout(IDLE_MILLIS));
  }

  /** What Jetty itself refuses, before any route: told in few words, as a problem. */
  private static void hideJetty(Server server) {
    server.setErrorHandler(new TerseErrors());
  }

  private static void routes(
      RoutesConfig javalin, Resources resources, RequestDoor door, PrometheusMeterRegistry meters) {
    javalin.before(
        request -> {
          HEADERS.forEach(request::header);
          door.access().checkPlace(request);
        });
    for (Routes.Route route : Routes.of(resources)) {
      javalin.addHttpHandler(route.method(), route.path(), request -> door.answer(route, request));
    }
    javalin.get(
        "/metrics",
        request -> {
          door.access().check(request, Role.VIEWER);
          request.contentType("text/plain; version=0.0.4; charset=utf-8").result(meters.scrape());
        });
    // What the page needs to ask for a token, and no data.
    javalin.get("/", WebAssets::index);
    javalin.get("/assets/{file}", WebAssets::asset);

    javalin.exception(
        ProblemException.class, (problem, request) -> write(request, problem.problem()));
    javalin.exception(
        HttpResponseException.class, (refusal, request) -> write(request, problem(refusal)));
    javalin.exception(
        Exception.class,
        (failure, request) -> {
          log.error("{} failed", request.path(), failure);
          write(
              request,
              Problem.of(
                  "internal",
                  500,
                  "The API failed",
                  "This is a fault of the API; its log says more"));
        });
  }

  private static Problem problem(HttpResponseException refusal) {
    return switch (refusal.getStatus()) {
      case 404 ->
          Problem.of("not-found", 404, "Not found", "There is nothing here: see /openapi.yaml");
      case 405 ->
          Problem.of(
              "method", 405, "Method not allowed", "See /openapi.yaml for what can be done here");
      case 413 ->
          Problem.of(
              "too-large",
              413,
              "The body is too large",
              "Send at most " + MAX_BODY_BYTES + " bytes");
      default ->
          Problem.of("refused", refusal.getStatus(), "Refused", "The request can't be answered");
    };
  }

  private static void write(Context request, Problem problem) {
    if (problem.status() == 503 || problem.status() == 429) {
      request.header("Retry-After", "2");
    }
    if (problem.status() == 401) {
      request.header("WWW-Authenticate", "Bearer");
    }
    request.status(problem.status()).contentType(Problem.CONTENT_TYPE).result(Json.bytes(problem));
  }

  /** The port it listens on. */
  public int port() {
    return javalin.port();
  }

  /** The page's address; the API is below it. */
  public URI url() {
    String literal = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
    return URI.create("http://" + literal + ":" + port() + "/");
  }

  /** Stops answering and frees the port. */
  @Override
  public void close() {
    resources.close();
    javalin.stop();
  }
}
