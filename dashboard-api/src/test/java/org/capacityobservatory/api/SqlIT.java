package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.capacityobservatory.api.ApiDescription.Operation;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The SQL that is shown behind a number, run as it is shown: over the samples' events, of whose
 * 1,079 calls the README says that 609 would be refused.
 */
@SuppressWarnings("NullAway.Init") // filled before all tests
class SqlIT {
  private static final ApiDescription DESCRIPTION = ApiDescription.read();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Pattern SET = Pattern.compile("SET param_(\\w+) = ('.*');");

  @TempDir private static Path directory;
  private static TestingClient api;
  private static ClickHouseConfig reader;
  private static String[] viewer;
  private static String[] operator;

  @BeforeAll
  static void start() throws IOException {
    Instant now = Instant.now();
    TestingDatabase database = TestingDatabase.create();
    SampleRows.store(Path.of("../samples/events"), database, now);
    database.insert(
        "calls",
        List.of(
            database.call(
                now.minusSeconds(5),
                "admitted",
                "tier",
                "it's \\a\ttab\n\\'",
                "user_id",
                99_887_766)));
    reader = database.reader();
    TokenFile file = new TokenFile(directory.resolve("tokens.json"));
    viewer = bearer(file.create("viewer", Role.VIEWER, InstantSource.system()));
    operator = bearer(file.create("operator", Role.OPERATOR, InstantSource.system()));
    api =
        TestingClient.start(
            new ApiConfig("127.0.0.1", 0, reader, QueryLimits.DEFAULT, file.path(), null, null),
            InstantSource.system());
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static String[] bearer(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }

  private static HttpResponse<String> ask(String call, String... token) {
    return api.get("/api/v1/sql?call=" + URLEncoder.encode(call, UTF_8), token);
  }

  private static JsonNode queries(String call, String... token) {
    HttpResponse<String> answer = ask(call, token);
    assertThat(answer.statusCode()).as(call + ": " + answer.body()).isEqualTo(200);
    JsonNode told = TestingClient.parse(answer.body());
    assertThat(DESCRIPTION.differences("/api/v1/sql", told)).isEmpty();
    return told.get("queries");
  }

  private static JsonNode query(String name, String call, String... token) {
    for (JsonNode query : queries(call, token)) {
      if (query.get("name").asText().equals(name)) {
        return query;
      }
    }
    throw new AssertionError(call + " has no query " + name);
  }

  /**
   * Runs a script as clickhouse-client does: each SET's literal is read as SQL, and what it says is
   * the parameter. The embedded engine takes one statement at a time, so they go beside the query.
   */
  private static List<JsonNode> run(String script) {
    StringBuilder parameters = new StringBuilder();
    String rest = script;
    Matcher set = SET.matcher(rest);
    while (set.lookingAt()) {
      String said = rows("SELECT " + set.group(2) + " AS said", "").get(0).get("said").asText();
      parameters
          .append("&param_")
          .append(set.group(1))
          .append('=')
          .append(URLEncoder.encode(said, UTF_8));
      rest = rest.substring(set.end() + 1);
      set = SET.matcher(rest);
    }
    assertThat(rest).doesNotContain("SET param_").endsWith(";");
    return rows(rest.substring(0, rest.length() - 1), parameters.toString());
  }

  private static List<JsonNode> rows(String sql, String parameters) {
    String login =
        Base64.getEncoder()
            .encodeToString((reader.user() + ":" + reader.password()).getBytes(UTF_8));
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(
                    reader.url()
                        + "?database="
                        + reader.database()
                        + "&wait_end_of_query=1"
                        + parameters))
            .header("Authorization", "Basic " + login)
            .header("X-ClickHouse-Format", "JSONEachRow")
            .POST(BodyPublishers.ofString(sql))
            .build();
    try {
      HttpResponse<String> answer = HTTP.send(request, BodyHandlers.ofString(UTF_8));
      assertThat(answer.statusCode()).as(sql + "\n" + answer.body()).isEqualTo(200);
      return answer.body().lines().map(TestingClient::parse).toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatIsShownGivesThePanelsNumbers() {
    JsonNode query = query("decisions-by-step", "/api/v1/decisions?from=-2d", viewer);

    long refused = 0;
    long calls = 0;
    for (JsonNode row : run(query.get("script").asText())) {
      calls += row.get("n").asLong();
      refused +=
          row.get("decision_name").asText().equals("shadow-refused") ? row.get("n").asLong() : 0;
    }
    assertThat(calls).isEqualTo(1_079);
    assertThat(refused).isEqualTo(609);
    assertThat(query.get("sql").asText()).contains("{step_s:UInt64}").doesNotContain(":step_s)");
  }

  @Test
  void filtersComeThroughWhateverTheyHold() {
    String tier = URLEncoder.encode("it's \\a\ttab\n\\'", UTF_8);
    for (String filter : List.of("", "&tier=core", "&tier=x")) {
      String call = "/api/v1/calls?limit=10&tier=" + tier + filter;
      assertThat(run(query("calls", call, operator).get("script").asText()))
          .as(call)
          .hasSize(filter.endsWith("core") ? 11 : 1);
    }
  }

  /** Every query of every page's calls, as the client would run it. */
  @Test
  void everyScriptRuns() {
    List<String> wrong = new ArrayList<>();
    int scripts = 0;
    for (Operation operation : DESCRIPTION.operations()) {
      String path = operation.path();
      if (!operation.method().equals("GET") || path.contains("{") || !path.startsWith("/api/v1/")) {
        continue;
      }
      String call = path.endsWith("what-if") ? path + "?from=-2d&to=now" : path;
      HttpResponse<String> answer = ask(call, operator);
      if (answer.statusCode() != 200) {
        wrong.add(call + ": " + answer.statusCode());
        continue;
      }
      for (JsonNode query : TestingClient.parse(answer.body()).get("queries")) {
        run(query.get("script").asText());
        scripts++;
      }
    }
    for (JsonNode query : queries("/api/v1/what-if?from=-2d&to=now", viewer)) {
      run(query.get("script").asText());
    }
    assertThat(wrong)
        .containsExactlyInAnyOrder(
            "/api/v1/live: 400",
            "/api/v1/me: 400",
            "/api/v1/sql: 400",
            "/api/v1/calls.csv: 400",
            "/api/v1/calls.ndjson: 400");
    assertThat(scripts).isGreaterThan(40);
  }

  @Test
  void noSqlComesInAndNothingBeyondTheCallersRole() {
    for (String call :
        List.of(
            "",
            "SELECT 1",
            "/api/v1/decisions;SELECT 1",
            "/api/v1/decisions?from=%zz",
            "/api/v1/calls/x' OR 1=1",
            "http://example.org/api/v1/decisions",
            "/metrics",
            "/api/v1/decisions?sql=SELECT",
            "/api/v1/sql?call=/api/v1/sql")) {
      assertThat(ask(call, operator).statusCode()).as(call).isEqualTo(400);
    }
    assertThat(ask("/api/v1/calls?user_id=99887766", viewer).statusCode()).isEqualTo(403);
    assertThat(queries("/api/v1/calls?user_id=99887766", operator).toString()).contains("99887766");
    for (String call :
        List.of("/api/v1/calls", "/api/v1/usage?group_by=user", "/api/v1/runs", "/api/v1/live")) {
      assertThat(ask(call, viewer).body()).as(call).doesNotContain("99887766");
    }
  }
}
