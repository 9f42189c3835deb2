package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.Migrations;
import org.junit.jupiter.api.Test;

/** What the API says while ClickHouse, or the port it wants, is not to be had. */
class StoreTroubleIT {
  private static final ApiDescription DESCRIPTION = ApiDescription.read();

  private static ClickHouseConfig at(int port) {
    return new ClickHouseConfig(URI.create("http://127.0.0.1:" + port), "reader", "", "capacity");
  }

  private static ServerSocket socket(int backlog) throws IOException {
    return new ServerSocket(0, backlog, InetAddress.getLoopbackAddress());
  }

  @Test
  void saysThatClickHouseIsDown() throws IOException {
    int nobody;
    try (ServerSocket closed = socket(1)) {
      nobody = closed.getLocalPort();
    }
    try (TestingClient api =
        TestingClient.start(ApiConfig.of(at(nobody)), InstantSource.system())) {
      for (String path : DESCRIPTION.plainPaths()) {
        boolean reads = !path.equals("/api/v1/me");
        if ((path.startsWith("/api/") && reads) || path.equals("/readyz")) {
          JsonNode problem = api.problem(503, path);

          assertThat(problem.get("type").asText())
              .as(path)
              .isEqualTo("urn:capacity:problem:store-unreachable");
          assertThat(DESCRIPTION.problemDifferences(problem)).as(path).isEmpty();
        }
      }
      assertThat(api.get("/readyz").headers().firstValue("Retry-After")).isPresent();
      assertThat(api.json("/healthz").get("status").asText()).isEqualTo("ok");
    }
  }

  @Test
  void comesBackWithClickHouse() throws IOException {
    TestingDatabase database = TestingDatabase.bare();
    try (TestingClient api =
        TestingClient.start(ApiConfig.of(database.reader()), InstantSource.system())) {
      api.problem(503, "/readyz");
      Migrations.apply(database.writer(), database.reader());

      assertThat(api.json("/readyz").get("status").asText()).isEqualTo("ready");
    }
  }

  @Test
  void aServerThatNeverAnswersIsGivenUpAndHoldsNoOtherRequestForLong() throws Exception {
    try (ServerSocket silent = socket(50)) {
      QueryLimits limits = new QueryLimits(Duration.ofSeconds(1), 1L << 30, 1);
      ApiConfig config = new ApiConfig("127.0.0.1", 0, at(silent.getLocalPort()), limits);
      try (TestingClient api = TestingClient.start(config, InstantSource.system())) {
        CompletableFuture<String> first =
            CompletableFuture.supplyAsync(() -> api.problem(503, "/readyz").get("type").asText());
        // Its connection shows that it has the only slot.
        try (Socket connection = silent.accept()) {
          assertThat(connection.isConnected()).isTrue();
          assertThat(api.problem(503, "/readyz").get("type").asText())
              .isEqualTo("urn:capacity:problem:busy");
          assertThat(first.get(60, TimeUnit.SECONDS))
              .isEqualTo("urn:capacity:problem:store-unreachable");
        }
      }
    }
  }

  @Test
  void aQueryOverItsLimitIsTheQuestionsFaultAndAReaderGetsTheLimitsItMaySet() throws IOException {
    List<String> asked = new CopyOnWriteArrayList<>();
    HttpServer clickHouse =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    clickHouse.createContext(
        "/",
        request -> {
          String parameters = request.getRequestURI().getQuery();
          asked.add(parameters);
          refuse(request, parameters.contains("max_memory_usage") ? 164 : 241);
        });
    clickHouse.start();
    try (TestingClient api =
        TestingClient.start(
            ApiConfig.of(at(clickHouse.getAddress().getPort())), InstantSource.system())) {
      JsonNode problem = api.problem(422, "/api/v1/calls");

      assertThat(problem.get("type").asText()).isEqualTo("urn:capacity:problem:too-costly");
      assertThat(problem.toString()).doesNotContain("secret");
      assertThat(asked.get(0)).contains("max_memory_usage=1073741824", "max_execution_time=10");
      assertThat(asked.get(asked.size() - 1))
          .contains("max_execution_time=10")
          .doesNotContain("max_memory_usage");
    } finally {
      clickHouse.stop(0);
    }
  }

  private static void refuse(HttpExchange request, int code) throws IOException {
    byte[] text = ("Code: " + code + ". DB::Exception: secret").getBytes(UTF_8);
    request.getResponseHeaders().add("X-ClickHouse-Exception-Code", Integer.toString(code));
    request.sendResponseHeaders(500, text.length);
    request.getResponseBody().write(text);
    request.close();
  }

  @Test
  void aWrongPasswordIsRefusedWithoutClickHousesText() {
    ClickHouseConfig right = TestingDatabase.bare().reader();
    ClickHouseConfig wrong =
        new ClickHouseConfig(right.url(), right.user(), "wrong-password", right.database());
    try (TestingClient api = TestingClient.start(ApiConfig.of(wrong), InstantSource.system())) {
      assertThat(api.problem(503, "/readyz").toString())
          .contains("ClickHouse refused with code")
          .doesNotContain("wrong-password")
          .doesNotContain("DB::");
    }
  }

  @Test
  void aPortInUseIsOneSentence() throws IOException {
    try (ServerSocket taken = socket(1)) {
      ApiConfig config =
          new ApiConfig("127.0.0.1", taken.getLocalPort(), at(1), QueryLimits.DEFAULT);

      assertThatThrownBy(() -> TestingClient.start(config, InstantSource.system()))
          .isInstanceOf(ApiStartException.class)
          .hasMessage(
              "The API can't listen on 127.0.0.1:"
                  + taken.getLocalPort()
                  + ": another program uses this port, or it is reserved; give another one");
    }
  }

  @Test
  void closingFreesThePort() {
    ApiConfig first = ApiConfig.of(at(1));
    int port;
    try (TestingClient api = TestingClient.start(first, InstantSource.system())) {
      port = api.port();
      assertThat(api.url()).isEqualTo(URI.create("http://127.0.0.1:" + port + "/"));
    }
    ApiConfig again = new ApiConfig("127.0.0.1", port, at(1), QueryLimits.DEFAULT);
    try (TestingClient api = TestingClient.start(again, InstantSource.system())) {
      assertThat(List.of(api.port())).containsExactly(port);
    }
  }
}
