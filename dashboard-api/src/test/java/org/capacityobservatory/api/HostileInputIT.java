package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.capacityobservatory.api.ApiDescription.Operation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Input that wants more than an answer, on every parameter of every resource. */
@SuppressWarnings("NullAway.Init") // filled before all tests
class HostileInputIT {
  private static final ApiDescription DESCRIPTION = ApiDescription.read();

  private static final List<String> CORPUS =
      List.of(
          "' OR 1=1 --",
          "\\' OR 1=1 --",
          "\\",
          "held_ms) UNION ALL SELECT 1--",
          "1 minute; DROP TABLE calls",
          "UTC')--",
          "?",
          ":from_ms",
          "<tier>",
          "{id:String}",
          "<img src=x onerror=alert(1)>",
          "../../etc/passwd",
          "9".repeat(400),
          "\u0000",
          "😀\u202E\uFEFF",
          "");

  private static TestingClient api;

  @BeforeAll
  static void start() {
    Instant now = Instant.now();
    TestingDatabase database = TestingDatabase.create();
    database.insert(
        "calls",
        List.of(database.call(now.minusSeconds(90), "admitted", "tier", "core", "cid", "c1")));
    api = TestingClient.start(database.reader(), now);
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @Test
  void noParameterCanBreakTheApiOrReachTheSql() {
    List<String> requests = new ArrayList<>();
    for (Operation operation : DESCRIPTION.operations()) {
      String path = operation.path();
      boolean read = operation.method().equals("GET");
      if (!read || path.equals("/api/v1/live") || path.contains("{")) {
        continue;
      }
      for (JsonNode parameter : DESCRIPTION.parameters(operation)) {
        // The exports read what calls reads: a few values show that they go by the same checks.
        int values = path.matches(".*\\.(csv|ndjson)") ? 3 : CORPUS.size();
        for (String value : CORPUS.subList(0, values)) {
          requests.add(path + "?" + parameter.get("name").asText() + "=" + encoded(value));
        }
      }
    }

    List<String> wrong =
        requests.parallelStream().filter(request -> !harmless(patiently(request))).toList();

    assertThat(requests).hasSizeGreaterThan(1_300);
    assertThat(wrong).isEmpty();
    assertThat(api.json("/api/v1/calls").get("calls")).hasSize(1);
  }

  /** So many requests come faster than one caller may ask: told so, it waits. */
  private static HttpResponse<String> patiently(String request) {
    HttpResponse<String> answer = api.get(request);
    while (answer.statusCode() == 429) {
      LockSupport.parkNanos(100_000_000);
      answer = api.get(request);
    }
    return answer;
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, UTF_8).replace("+", "%20");
  }

  @Test
  void noIdInAPathCanEither() {
    List<String> wrong = new ArrayList<>();
    for (String path :
        List.of("/api/v1/calls/", "/api/v1/calibrations/", "/api/v1/calls/%s?ended_at=")) {
      for (String value : CORPUS) {
        String request =
            path.contains("%s")
                ? path.formatted("00000000-0000-4000-8000-000000000000") + encoded(value)
                : path + encoded(value);
        HttpResponse<String> answer = api.get(request);
        if (answer.statusCode() < 400
            || answer.statusCode() >= 500
            || answer.body().contains("Exception")) {
          wrong.add(request + ": " + answer.statusCode());
        }
      }
    }
    assertThat(wrong).isEmpty();
    // A stream is refused before it begins.
    assertThat(api.get("/api/v1/live?tier=" + "a".repeat(401)).statusCode()).isEqualTo(400);
    assertThat(api.get("/api/v1/live?sort=x").statusCode()).isEqualTo(400);
  }

  @Test
  void noBodyCanEither() {
    for (String value : CORPUS) {
      String text = TestingClient.quoted(value);
      for (String body :
          List.of(
              "{\"from\":" + text + ",\"to\":" + text + ",\"changes\":{}}",
              "{\"from\":\"2026-11-30T09:00:00Z\",\"to\":\"2026-11-30T10:00:00Z\",\"changes\":{"
                  + text
                  + ":1}}",
              "{\"from\":\"2026-11-30T09:00:00Z\",\"to\":\"2026-11-30T10:00:00Z\",\"changes\":"
                  + text
                  + "}",
              "{\"changes\":1e999999999}",
              "{" + text + ":1}")) {
        refused("/api/v1/what-if", body);
      }
      for (String require :
          List.of(
              text,
              "{" + text + ":1}",
              "{\"min_hours\":" + text + "}",
              "{\"constraints\":[" + text + "]}",
              "{\"accept_holes\":" + text + "}",
              "{\"protected_tiers\":{" + text + ":" + text + "}}")) {
        refused(
            "/api/v1/gate",
            "{\"from\":\"2026-11-30T09:00:00Z\",\"to\":\"2026-11-30T10:00:00Z\",\"changes\":{},"
                + "\"require\":"
                + require
                + "}");
      }
    }
  }

  private static void refused(String path, String body) {
    HttpResponse<String> answer = api.send("POST", path, body);
    assertThat(answer.statusCode()).as(path + " " + body).isEqualTo(400);
    assertThat(DESCRIPTION.problemDifferences(TestingClient.parse(answer.body()))).isEmpty();
  }

  /** Refused with a problem, or answered with no call that a filter's value could not mean. */
  private static boolean harmless(HttpResponse<String> answer) {
    String body = answer.body();
    if (body.contains("SELECT toString") || body.contains("DB::") || body.contains("Exception")) {
      return false;
    }
    if (answer.statusCode() == 400) {
      JsonNode problem = TestingClient.parse(body);
      return DESCRIPTION.problemDifferences(problem).isEmpty() && !problem.get("errors").isEmpty();
    }
    if (answer.statusCode() == 403) {
      return body.contains("urn:capacity:problem:role");
    }
    if (answer.statusCode() != 200) {
      return false;
    }
    String type = answer.headers().firstValue("Content-Type").orElse("");
    // Beside calls also numbers: only a filter's value must not let any call through.
    return type.equals("application/json")
        ? !TestingClient.parse(body).path("calls").isArray()
            || TestingClient.parse(body).path("calls").isEmpty()
        : body.lines().count() <= 1;
  }

  @Test
  void aQuestionForTooMuchIsRefusedBeforeAnySql() {
    JsonNode problem =
        api.problem(
            400,
            "/api/v1/decisions?from=2016-01-01T00:00:00Z&to=2026-01-01T00:00:00Z&step=1"
                + "&group_by=cid");

    assertThat(problem.get("errors").findValuesAsText("parameter"))
        .containsExactlyInAnyOrder("step", "group_by");
  }

  @Test
  void unknownParametersAreNamedBeforeAnySql() {
    JsonNode problem =
        api.problem(400, "/api/v1/calls?sort=held_ms)%20UNION%20ALL%20SELECT%201--&dir=desc");

    assertThat(problem.get("errors")).hasSize(2);
    assertThat(problem.get("errors").get(0).get("remedy").asText())
        .startsWith("use one of from, to");
    assertThat(
            api.problem(400, "/api/v1/decisions?from=2016&to=2026&step=1s&group_by=cid")
                .get("errors"))
        .hasSize(4);
  }

  @Test
  void rangesThatMakeTooManyPointsAreRefused() {
    JsonNode problem =
        api.problem(
            400, "/api/v1/decisions?from=2016-01-01T00:00:00Z&to=2026-01-01T00:00:00Z&step=60");

    assertThat(problem.get("errors").get(0).get("parameter").asText()).isEqualTo("step");
  }

  @Test
  void brokenRequestsGetAProblemAndNothingOfTheServersOwn() {
    for (String target :
        List.of(
            "/api/v1/calls?tier=%zz",
            "/api/v1/calls?tier=%ff",
            "/api/v1/calls?%",
            "/api/v1/calls?tier=%00",
            "/api/v1/../../etc/passwd",
            "/assets/..%2f..%2fopenapi.yaml",
            "/assets/%2e%2e/index.html",
            "/api/v1/calls;x=y",
            "/api/v1/calls/",
            "/nothing",
            "/%00",
            "*")) {
      String answer =
          api.raw(
              "GET "
                  + target
                  + " HTTP/1.1\r\nHost: 127.0.0.1:"
                  + api.port()
                  + "\r\nConnection: close\r\n\r\n");
      assertThat(answer).as(target).matches("(?s)HTTP/1\\.1 4\\d\\d .*");
      assertThat(answer)
          .as(target)
          .contains("application/problem+json")
          .doesNotContainIgnoringCase("jetty")
          .doesNotContain("Exception");
    }
  }

  @Test
  void oversizedHeadersAndBodiesAreRefused() {
    String host = "Host: 127.0.0.1:" + api.port() + "\r\nConnection: close\r\n";
    assertThat(api.raw("GET /?x=" + "a".repeat(20_000) + " HTTP/1.1\r\n" + host + "\r\n"))
        .matches("(?s)HTTP/1\\.1 4\\d\\d .*");
    assertThat(
            api.raw("GET /healthz HTTP/1.1\r\n" + host + "X: " + "a".repeat(20_000) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431");
    assertThat(api.raw("POST /api/v1/what-if HTTP/1.1\r\n" + host + "Content-Length: 3\r\n\r\nabc"))
        .startsWith("HTTP/1.1 415");
    assertThat(api.raw("POST /api/v1/calls HTTP/1.1\r\n" + host + "Content-Length: 3\r\n\r\nabc"))
        .startsWith("HTTP/1.1 405")
        .contains("application/problem+json");
  }

  @Test
  void otherHostsAndOriginsAreRefused() {
    String end = "\r\nConnection: close\r\n\r\n";
    for (String host :
        List.of(
            "evil.example",
            "evil.example:" + api.port(),
            "127.0.0.1",
            "127.0.0.1:1",
            "127.0.0.1.evil.example:" + api.port(),
            "localhost.:" + api.port(),
            "127.0.0.1:" + api.port() + "@evil.example")) {
      assertThat(api.raw("GET /healthz HTTP/1.1\r\nHost: " + host + end))
          .as(host)
          .matches("(?s)HTTP/1\\.1 4(21|00) .*");
    }
    for (String host : List.of("127.0.0.1:", "localhost:", "LOCALHOST:", "[::1]:")) {
      assertThat(api.raw("GET /healthz HTTP/1.1\r\nHost: " + host + api.port() + end))
          .as(host)
          .startsWith("HTTP/1.1 200");
    }
    String own = "http://127.0.0.1:" + api.port();
    assertThat(api.get("/healthz", "Origin", own).statusCode()).isEqualTo(200);
    for (String origin :
        List.of(
            "http://evil.example",
            "null",
            "https://127.0.0.1:" + api.port(),
            own + ".evil.example")) {
      assertThat(api.problem(403, "/healthz", "Origin", origin).get("type").asText())
          .isEqualTo("urn:capacity:problem:foreign-origin");
    }
  }

  @Test
  void everyAnswerCarriesTheHeadersThatKeepBrowsersSafe() {
    for (String path : List.of("/", "/api/v1/calls", "/api/v1/calls?x=1", "/nothing", "/healthz")) {
      HttpResponse<String> answer = api.get(path);
      String policy = answer.headers().firstValue("Content-Security-Policy").orElse("");
      assertThat(policy)
          .as(path)
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(answer.headers().firstValue("X-Content-Type-Options"))
          .as(path)
          .contains("nosniff");
      assertThat(answer.headers().map())
          .as(path)
          .doesNotContainKeys("access-control-allow-origin", "server");
    }
  }
}
