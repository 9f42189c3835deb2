package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the API says while ClickHouse, or the port it wants, is not to be had. */
class StoreTroubleIT {
  private static final ApiDescription DESCRIPTION = ApiDescription.read();

  private static ClickHouseConfig at(int port) {
    return new ClickHouseConfig(URI.create("http://127.0.0.1:" + port), "reader", "", "capacity");
  }

  private static ServerSocket socket(int backlog) throws IOException {
    return new ServerSocket(0, backlog, InetAddress.getLoopbackAddress());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/readyz",
        "/api/v1/decisions",
        "/api/v1/latency",
        "/api/v1/calls",
        "/api/v1/config-changes",
        "/api/v1/pipeline"
      })
  void saysThatClickHouseIsDown(String path) throws IOException {
    int nobody;
    try (ServerSocket closed = socket(1)) {
      nobody = closed.getLocalPort();
    }
    try (TestingClient api =
        TestingClient.start(ApiConfig.of(at(nobody)), InstantSource.system())) {
      JsonNode problem = api.problem(503, path);

      assertThat(problem.get("type").asText()).isEqualTo("urn:capacity:problem:store-unreachable");
      assertThat(DESCRIPTION.problemDifferences(problem)).isEmpty();
      assertThat(api.get(path).headers().firstValue("Retry-After")).isPresent();
      assertThat(api.json("/healthz").get("status").asText()).isEqualTo("ok");
    }
  }

  @Test
  void comesBackWithClickHouse() throws IOException {
    TestingDatabase database = TestingDatabase.bare();
    try (TestingClient api =
        TestingClient.start(ApiConfig.of(database.reader()), InstantSource.system())) {
      api.problem(503, "/readyz");
      org.capacityobservatory.sql.Migrations.apply(database.writer(), database.reader());

      assertThat(api.json("/readyz").get("status").asText()).isEqualTo("ready");
    }
  }

  @Test
  void aServerThatNeverAnswersIsGivenUp() throws IOException {
    try (ServerSocket silent = socket(50)) {
      QueryLimits limits = new QueryLimits(Duration.ofSeconds(1), 1L << 30, 2);
      ApiConfig config = new ApiConfig("127.0.0.1", 0, at(silent.getLocalPort()), limits);
      try (TestingClient api = TestingClient.start(config, InstantSource.system())) {
        assertThat(api.problem(503, "/readyz").get("type").asText())
            .isEqualTo("urn:capacity:problem:store-unreachable");
      }
    }
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
