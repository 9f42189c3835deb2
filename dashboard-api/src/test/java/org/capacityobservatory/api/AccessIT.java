package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.capacityobservatory.api.ApiDescription.Operation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may ask what, and what each role sees. */
@SuppressWarnings("NullAway.Init") // filled before all tests
class AccessIT {
  private static final ApiDescription DESCRIPTION = ApiDescription.read();
  private static final String SOME_ID = "00000000-0000-4000-8000-000000000001";

  @TempDir private static Path directory;
  private static final Map<String, String> TOKENS = new LinkedHashMap<>();
  private static TokenFile file;
  private static TestingClient api;
  private static String own;

  @BeforeAll
  static void start() throws IOException {
    Instant now = Instant.now();
    TestingDatabase database = TestingDatabase.create();
    database.insert(
        "calls",
        List.of(
            database.call(
                now.minusSeconds(90), "admitted", "user_id", 4_711, "cid", "=HYPERLINK(1)")));
    database.insert(
        "config_changes",
        List.of(database.configChange(now, "changed_by", "Ann", "note", "for Bob")));
    file = new TokenFile(directory.resolve("tokens.json"));
    for (Role role : Role.values()) {
      TOKENS.put(role.word(), file.create(role.word(), role, InstantSource.system()));
    }
    ApiConfig config =
        new ApiConfig(
            "127.0.0.1",
            0,
            database.reader(),
            QueryLimits.DEFAULT,
            file.path(),
            null,
            database.writerConfig());
    api = TestingClient.start(config, InstantSource.system());
    own = "http://127.0.0.1:" + api.port();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static String[] bearer(String role) {
    return new String[] {"Authorization", "Bearer " + TOKENS.get(role)};
  }

  private static int status(Operation operation, String... headers) {
    String path = operation.path().replaceAll("\\{\\w+}", SOME_ID);
    if (operation.path().equals("/api/v1/live")) {
      HttpResponse<Stream<String>> answer = api.lines(path, headers);
      answer.body().close();
      return answer.statusCode();
    }
    return api.send(operation.method(), path, "", headers).statusCode();
  }

  /** Every operation that is described, by every role and by nobody. */
  @Test
  void eachRoleReachesWhatTheDescriptionSaysAndNoMore() {
    List<String> wrong = new ArrayList<>();
    int asked = 0;
    for (Operation operation : DESCRIPTION.operations()) {
      String needed = DESCRIPTION.role(operation);
      for (String role : List.of("nobody", "viewer", "operator", "admin")) {
        int status = role.equals("nobody") ? status(operation) : status(operation, bearer(role));
        boolean free = needed.equals("none");
        boolean reaches = free || (!role.equals("nobody") && rank(role).reaches(rank(needed)));
        int refusal = role.equals("nobody") ? 401 : 403;
        asked++;
        // What is let in may still be answered 4xx: the bodies are empty and the ids nobody's.
        if (reaches ? (status == 403 || (status == 401 && !free)) : status != refusal) {
          wrong.add(operation + " by " + role + ": " + status);
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(asked).isGreaterThan(140);
  }

  private static Role rank(String word) {
    return Role.valueOf(word.toUpperCase(java.util.Locale.ROOT));
  }

  @Test
  void thePageItselfNeedsNoTokenSoThatItCanAskForOne() {
    assertThat(api.get("/").statusCode()).isNotEqualTo(401);
    assertThat(api.get("/metrics").statusCode()).isEqualTo(401);
    assertThat(api.get("/nothing").statusCode()).isEqualTo(404);
  }

  @Test
  void noTokenButAWholeOneIsTaken() {
    String good = String.valueOf(TOKENS.get("admin"));
    for (String header :
        List.of(
            "Bearer",
            "Bearer ",
            "Bearer x",
            "Basic " + good,
            good,
            "Bearer " + good + "x",
            "Bearer " + good.substring(0, good.length() - 1),
            "Bearer " + good.toUpperCase(java.util.Locale.ROOT),
            "Bearer " + TokenFile.sha256(good),
            "Bearer " + good + ", Bearer x")) {
      HttpResponse<String> answer = api.get("/api/v1/me", "Authorization", header);
      assertThat(answer.statusCode()).as(header).isEqualTo(401);
      assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    }
    assertThat(api.get("/api/v1/me", "Authorization", "bearer " + good).statusCode())
        .isEqualTo(200);
  }

  private static JsonNode json(String path, String role) {
    return TestingClient.parse(api.get(path, bearer(role)).body());
  }

  @Test
  void personalDataIsForOperators() {
    for (String path :
        List.of(
            "/api/v1/calls",
            "/api/v1/calls.csv",
            "/api/v1/calls.ndjson",
            "/api/v1/config-changes",
            "/api/v1/usage?group_by=user",
            "/api/v1/runs")) {
      assertThat(api.get(path, bearer("viewer")).body())
          .as(path)
          .doesNotContain("4711")
          .doesNotContain("user_id")
          .doesNotContain("Ann")
          .doesNotContain("for Bob");
    }
    assertThat(json("/api/v1/calls", "operator").at("/calls/0/user_id").asText()).isEqualTo("4711");
    assertThat(json("/api/v1/config-changes", "operator").at("/config_changes/0/note").asText())
        .isEqualTo("for Bob");
    assertThat(json("/api/v1/calls?user_id=4711", "admin").get("calls")).hasSize(1);
    assertThat(json("/api/v1/calls?user_id=4712", "admin").get("calls")).isEmpty();
    assertThat(api.get("/api/v1/calls?user_id=Ann", bearer("admin")).statusCode()).isEqualTo(400);
    assertThat(api.get("/api/v1/calls?user_id=4711", bearer("viewer")).statusCode()).isEqualTo(403);
    assertThat(json("/api/v1/me", "viewer").get("personal_data").asBoolean()).isFalse();
    assertThat(DESCRIPTION.differences("/api/v1/calls", json("/api/v1/calls", "operator")))
        .isEmpty();
  }

  @Test
  void aSpreadsheetTakesNoTextForAFormula() {
    HttpResponse<String> csv = api.get("/api/v1/calls.csv", bearer("viewer"));

    assertThat(csv.headers().firstValue("Content-Type")).contains("text/csv; charset=utf-8");
    assertThat(csv.body().lines().toList()).hasSize(2);
    assertThat(csv.body()).contains(",'=HYPERLINK(1),").doesNotContain(",=");
  }

  @Test
  void aBrowserShowsItsTokenOnceAndHasASession() {
    HttpResponse<String> wrong =
        api.send("POST", "/api/v1/session", "{\"token\":\"cap_wrong\"}", "Origin", own);
    assertThat(wrong.statusCode()).isEqualTo(401);

    HttpResponse<String> opened =
        api.send(
            "POST",
            "/api/v1/session",
            "{\"token\":\"" + TOKENS.get("operator") + "\"}",
            "Origin",
            own);
    assertThat(opened.statusCode()).isEqualTo(200);
    assertThat(
            DESCRIPTION.differences(
                new Operation("POST", "/api/v1/session"), TestingClient.parse(opened.body())))
        .isEmpty();
    String set = opened.headers().firstValue("Set-Cookie").orElse("");
    assertThat(set).contains("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200");
    assertThat(set).doesNotContain(String.valueOf(TOKENS.get("operator")));
    String cookie = set.substring(0, set.indexOf(';'));

    assertThat(TestingClient.parse(api.get("/api/v1/me", "Cookie", cookie).body()).get("token"))
        .isEqualTo(TestingClient.parse("\"operator\""));
    String view = "{\"name\":\"a\",\"page\":\"lanes\",\"query\":\"\"}";
    assertThat(api.send("POST", "/api/v1/views", view, "Cookie", cookie).statusCode())
        .as("a change that doesn't say where it comes from")
        .isEqualTo(403);
    assertThat(
            api.send(
                    "POST",
                    "/api/v1/views",
                    view,
                    "Cookie",
                    cookie,
                    "Origin",
                    "http://evil.example")
                .statusCode())
        .isEqualTo(403);
    assertThat(
            api.send("POST", "/api/v1/views", view, "Cookie", cookie, "Origin", own).statusCode())
        .isEqualTo(201);

    assertThat(
            api.send("DELETE", "/api/v1/session", "", "Cookie", cookie, "Origin", own).statusCode())
        .isEqualTo(204);
    assertThat(api.get("/api/v1/me", "Cookie", cookie).statusCode()).isEqualTo(401);
  }

  @Test
  void aRevokedTokenEndsAtOnceAndItsSessionsWithIt() throws IOException {
    String token = file.create("short", Role.VIEWER, InstantSource.system());
    HttpResponse<String> opened =
        api.send("POST", "/api/v1/session", "{\"token\":\"" + token + "\"}", "Origin", own);
    String set = opened.headers().firstValue("Set-Cookie").orElse("");
    String cookie = set.substring(0, set.indexOf(';'));
    assertThat(api.get("/api/v1/me", "Cookie", cookie).statusCode()).isEqualTo(200);

    file.revoke("short");

    assertThat(api.get("/api/v1/me", "Cookie", cookie).statusCode()).isEqualTo(401);
    assertThat(api.get("/api/v1/me", "Authorization", "Bearer " + token).statusCode())
        .isEqualTo(401);
  }

  @Test
  void withoutTokensEveryoneHereIsAViewer() {
    TestingDatabase database = TestingDatabase.create();
    try (TestingClient open = TestingClient.start(database.reader(), Instant.now())) {
      JsonNode me = open.json("/api/v1/me");
      assertThat(me.get("role").asText()).isEqualTo("viewer");
      assertThat(me.get("token").isNull()).isTrue();
      assertThat(me.get("tokens_defined").asBoolean()).isFalse();
      assertThat(open.send("POST", "/api/v1/views", "{}").statusCode()).isEqualTo(403);
    }
  }

  @Test
  void behindAProxyItsAddressIsOursAndTheCookieIsForTlsOnly() {
    TestingDatabase database = TestingDatabase.create();
    ApiConfig config =
        new ApiConfig(
            "127.0.0.1",
            0,
            database.reader(),
            QueryLimits.DEFAULT,
            file.path(),
            URI.create("https://capacity.example.org"),
            null);
    try (TestingClient behind = TestingClient.start(config, InstantSource.system())) {
      String body = "{\"token\":\"" + TOKENS.get("viewer") + "\"}";
      String request =
          "POST /api/v1/session HTTP/1.1\r\nHost: capacity.example.org\r\nOrigin: %s\r\n"
              + "Content-Type: application/json\r\nContent-Length: "
              + body.length()
              + "\r\nConnection: close\r\n\r\n"
              + body;
      assertThat(behind.raw(request.formatted("https://capacity.example.org")))
          .startsWith("HTTP/1.1 200")
          .contains("; Secure");
      assertThat(behind.raw(request.formatted("http://capacity.example.org")))
          .startsWith("HTTP/1.1 403");
    }
  }

  @Test
  void beyondLoopbackItStartsOnlyWithATokenThatIsThere() {
    ApiConfig config =
        new ApiConfig(
            "10.255.255.254",
            0,
            TestingDatabase.bare().reader(),
            QueryLimits.DEFAULT,
            directory.resolve("none.json"),
            URI.create("https://capacity.example.org"),
            null);

    assertThatThrownBy(() -> TestingClient.start(config, InstantSource.system()))
        .isInstanceOf(ApiStartException.class)
        .hasMessageContaining("Without tokens the API listens on loopback only");
  }
}
