package org.capacityobservatory.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes a request in, checks who asks and how often, lets a resource answer, and writes it. */
final class RequestDoor {
  /** One line for each change of state that was asked for, done or refused. */
  private static final Logger audit = LoggerFactory.getLogger("capacity.audit");

  private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

  /** A page asks for some twenty panels at once, and a person goes through pages quickly. */
  private static final double REQUESTS_PER_SECOND = 100;

  private static final double BURST = 500;
  private static final int AT_ONCE = 32;

  /** Whoever waits for a turn keeps nobody else waiting, and a page asks many things at once. */
  private static final Duration PATIENCE = Duration.ofSeconds(25);

  /** A body holds some fields and a list or two: what nests deeper wants something else. */
  private static final int MAX_DEPTH = 10;

  private static final ObjectReader BODY =
      new JsonMapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .reader()
          .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private final Access access;
  private final Throttle throttle =
      new Throttle(REQUESTS_PER_SECOND, BURST, AT_ONCE, System::nanoTime);

  /** Shorter than any refresh of the page, so that it never shows the same twice. */
  private final Sharing sharing = new Sharing(Duration.ofSeconds(3), System::nanoTime);

  private final Turns turns;
  private final MeterRegistry meters;

  RequestDoor(ApiConfig config, Resources resources, MeterRegistry meters, InstantSource clock) {
    this.access = new Access(config, resources.tokens(), resources.sessions(), clock);
    this.turns = new Turns(config.limits().maxConcurrentOfOne(), PATIENCE);
    this.meters = meters;
  }

  Access access() {
    return access;
  }

  /** Answers a request by its route. */
  void answer(Routes.Route route, Context request) {
    Timer.Sample sample = Timer.start(meters);
    int status = 500;
    Caller caller = null;
    try {
      caller = access.check(request, route.role());
      status = throttled(route, request, caller);
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
      if (route.changesState()) {
        audit.info(
            "{} {} by {}: {}",
            route.method().name(),
            request.path(),
            caller == null ? "nobody" : caller.name() + " (" + caller.role().word() + ")",
            status);
      }
    }
  }

  private int throttled(Routes.Route route, Context request, Caller caller) {
    String name = caller.name();
    if (!throttle.begin(name)) {
      throw new ProblemException(
          Problem.of(
              "too-many-requests",
              429,
              "Too many requests",
              "More than "
                  + (int) REQUESTS_PER_SECOND
                  + " requests a second, or "
                  + AT_ONCE
                  + " at once, for one token: wait a moment"));
    }
    try {
      Parameters parameters = new Parameters(query(request), route.parameters());
      Ask ask =
          new Ask(
              caller,
              parameters,
              request.pathParamMap(),
              route.takesBody() ? body(request) : MissingNode.getInstance(),
              request.cookie(Sessions.COOKIE));
      return write(request, answered(route, request, ask));
    } finally {
      throttle.end(name);
    }
  }

  /** The turn comes first: nobody waits for an answer that waits for its own turn. */
  private Object answered(Routes.Route route, Context request, Ask ask) {
    if (!route.queries()) {
      return route.answer().to(ask);
    }
    return turns.take(
        ask.caller().name(),
        () ->
            route.shared()
                ? sharing.to(question(request, ask), () -> Reply.json(200, route.answer().to(ask)))
                : route.answer().to(ask));
  }

  /** All that an answer follows from. */
  private static String question(Context request, Ask ask) {
    return "%s %s?%s"
        .formatted(ask.caller().seesPersonalData(), request.path(), request.queryString());
  }

  private static int write(Context request, Object answer) {
    if (answer instanceof Reply reply) {
      reply.headers().forEach(request::header);
      String tag = reply.headers().get("ETag");
      if (tag != null && tag.equals(request.header("If-None-Match"))) {
        request.status(304);
        return 304;
      }
      request.status(reply.status());
      if (reply.status() != 204) {
        request.contentType(reply.contentType()).result(reply.body());
      }
      return reply.status();
    }
    if (answer instanceof Live.Stream stream) {
      stream.open(request);
      return 200;
    }
    request.contentType(Reply.JSON).result(Json.bytes(answer));
    return 200;
  }

  private static JsonNode body(Context request) {
    String type = request.contentType();
    if (type == null || !type.toLowerCase(java.util.Locale.ROOT).startsWith("application/json")) {
      throw new ProblemException(
          Problem.of(
              "no-json",
              415,
              "JSON is needed",
              "Send the body with Content-Type: application/json"));
    }
    @Nullable JsonNode read;
    try {
      read = BODY.readTree(request.bodyAsBytes());
    } catch (IOException e) {
      throw malformed();
    }
    if (read == null || !read.isObject()) {
      throw malformed();
    }
    return read;
  }

  private static ProblemException malformed() {
    return new ProblemException(
        Problem.of(
            "malformed-body",
            400,
            "The body can't be read",
            "Send one JSON object in UTF-8, no field twice, nested at most "
                + MAX_DEPTH
                + " deep"));
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

  static boolean isChange(HandlerType method) {
    return !method.equals(HandlerType.GET);
  }
}
