package org.capacityobservatory.api;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.util.JavalinBindException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
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

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy", CONTENT_SECURITY_POLICY,
          "X-Content-Type-Options", "nosniff",
          "X-Frame-Options", "DENY",
          "Referrer-Policy", "no-referrer",
          "Cross-Origin-Opener-Policy", "same-origin",
          "Cross-Origin-Resource-Policy", "same-origin",
          "Cache-Control", "no-store");

  private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

  private final Javalin javalin;
  private final String host;

  private ApiServer(Javalin javalin, String host) {
    this.javalin = javalin;
    this.host = host;
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
    Store store = new Store(config.clickHouse(), config.limits(), meters);
    List<Routes.Route> routes = Routes.of(store, clock);
    Javalin javalin =
        Javalin.create(
            javalinConfig -> {
              transport(javalinConfig, config);
              routes(javalinConfig.routes, routes, meters);
            });
    try {
      javalin.start();
    } catch (JavalinBindException e) {
      throw new ApiStartException(
          "The API can't listen on "
              + config.host()
              + ":"
              + config.port()
              + ": another program uses this port, or it is reserved; give another one",
          e);
    }
    ApiServer server = new ApiServer(javalin, config.host());
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
    javalin.http.maxRequestSize = 0;
  }

  /** What Jetty itself refuses, before any route: told in few words, as a problem. */
  private static void hideJetty(Server server) {
    server.setErrorHandler(new TerseErrors());
  }

  private static void routes(
      RoutesConfig javalin, List<Routes.Route> routes, PrometheusMeterRegistry meters) {
    javalin.before(
        request -> {
          HEADERS.forEach(request::header);
          AccessGuard.check(request);
        });
    routes.forEach(route -> javalin.get(route.path(), request -> answer(route, request, meters)));
    javalin.get(
        "/metrics",
        request ->
            request
                .contentType("text/plain; version=0.0.4; charset=utf-8")
                .result(meters.scrape()));
    javalin.get("/openapi.yaml", ApiServer::description);
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

  private static void answer(Routes.Route route, Context request, MeterRegistry meters) {
    Timer.Sample sample = Timer.start(meters);
    int status = 500;
    try {
      Parameters parameters = new Parameters(query(request), route.parameters());
      byte[] body = Json.bytes(route.answer().apply(parameters));
      status = 200;
      request.contentType("application/json").result(body);
    } catch (ProblemException e) {
      status = e.problem().status();
      throw e;
    } finally {
      sample.stop(
          Timer.builder("capacity.api.requests")
              .description("Requests to the API")
              .tag("route", route.path())
              .tag("status", Integer.toString(status))
              .register(meters));
    }
  }

  private static Map<String, List<String>> query(Context request) {
    String query = request.queryString();
    // Such a value would be taken for something else than was sent, and never said.
    if (query != null && BROKEN_ESCAPE.matcher(query).find()) {
      throw new ProblemException(
          Problem.of(
              "malformed-query",
              400,
              "The query string is malformed",
              "A % is not followed by two hexadecimal digits: write a % that is meant as itself as"
                  + " %25"));
    }
    return request.queryParamMap();
  }

  private static void description(Context request) {
    byte[] text = WebAssets.read("/capacity/openapi.yaml");
    if (text == null) {
      throw new IllegalStateException("openapi.yaml is not in the module");
    }
    request.contentType("application/yaml").result(text);
  }

  private static Problem problem(HttpResponseException refusal) {
    return switch (refusal.getStatus()) {
      case 404 ->
          Problem.of("not-found", 404, "Not found", "There is nothing here: see /openapi.yaml");
      case 405 ->
          Problem.of("method", 405, "Method not allowed", "Everything here is read with GET");
      default ->
          Problem.of("refused", refusal.getStatus(), "Refused", "The request can't be answered");
    };
  }

  private static void write(Context request, Problem problem) {
    if (problem.status() == 503) {
      request.header("Retry-After", "2");
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
    javalin.stop();
  }
}
