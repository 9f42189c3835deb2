package org.capacityobservatory.alarms;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Alertmanager, where one is installed: what it takes from us, and what it makes of it. */
class AlertmanagerIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir private Path directory;
  private @Nullable Process process;

  @AfterEach
  void stop() throws InterruptedException {
    if (process != null) {
      process.destroy();
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void alarmsBeginAndEndThere() throws Exception {
    String program = TestingPrograms.onPath("prometheus-alertmanager", "alertmanager");
    assumeThat(program).as("no Alertmanager is installed: this test is skipped").isNotEmpty();
    try (TestingEndpoint behind = new TestingEndpoint()) {
      String url = start(program, behind);
      Files.writeString(
          directory.resolve("receivers.yaml"),
          "receivers: [{name: am, type: alertmanager, url: '" + url + "', allow_private: true}]");
      Receiver receiver =
          Receivers.read(
                  directory.resolve("receivers.yaml"), AlarmRules.shipped(), InstantSource.system())
              .get(0);
      Instant began = Instant.now().minusSeconds(120).truncatedTo(ChronoUnit.SECONDS);
      Transition firing = transition(AlarmState.PENDING, AlarmState.FIRING, began, began);
      receiver.deliver(TestingAlerts.notice(firing));
      await().untilAsserted(() -> assertThat(active(url)).hasSize(1));
      JsonNode alert = active(url).get(0);
      assertThat(alert.get("labels").toString())
          .isEqualTo(
              "{\"alertname\":\"TierWouldBeRefused\",\"severity\":\"ticket\",\"tier\":\"core\"}");
      assertThat(Instant.parse(alert.get("startsAt").asText())).isEqualTo(began);
      // Far from its own resolve_timeout: an evaluator that is down mustn't look like an end.
      assertThat(Instant.parse(alert.get("endsAt").asText()))
          .isAfter(Instant.now().plus(Duration.ofHours(20)));
      assertThat(alert.get("annotations").get("runbook").asText()).startsWith("See which lane");

      // A repeat and a reminder are the same alarm.
      receiver.deliver(TestingAlerts.notice(firing));
      receiver.remind(List.of(firing), Instant.now());
      await().untilAsserted(() -> assertThat(statuses(behind)).containsExactly("firing"));
      assertThat(active(url)).hasSize(1);

      receiver.deliver(
          TestingAlerts.notice(
              transition(AlarmState.FIRING, AlarmState.RESOLVED, began.plusSeconds(60), began)));
      await().untilAsserted(() -> assertThat(active(url)).isEmpty());
      await()
          .untilAsserted(() -> assertThat(statuses(behind)).containsExactly("firing", "resolved"));
      receiver.close();
    }
  }

  private static Transition transition(AlarmState from, AlarmState to, Instant at, Instant began) {
    return new Transition(
        new SeriesKey("TierWouldBeRefused", Labels.of(Map.of("tier", "core"))),
        Map.of("alertname", "TierWouldBeRefused", "severity", "ticket", "tier", "core"),
        from,
        to,
        at,
        began,
        OptionalDouble.of(0.9),
        100,
        "90 %");
  }

  private String start(String program, TestingEndpoint behind) throws IOException {
    Path config = directory.resolve("alertmanager.yml");
    Files.writeString(
        config,
        """
        route:
          receiver: behind
          group_by: [alertname]
          group_wait: 0s
          group_interval: 1s
          repeat_interval: 1h
        receivers:
          - name: behind
            webhook_configs:
              - url: %s
        """
            .formatted(behind.url("/")));
    int port = freePort();
    process =
        new ProcessBuilder(
                program,
                "--config.file=" + config,
                "--storage.path=" + directory.resolve("alertmanager"),
                "--web.listen-address=127.0.0.1:" + port,
                "--cluster.listen-address=")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("alertmanager.log").toFile())
            .start();
    String url = "http://127.0.0.1:" + port;
    await().ignoreExceptions().until(() -> active(url).isEmpty());
    return url;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static JsonNode active(String url) throws IOException, InterruptedException {
    String body =
        HTTP.send(
                HttpRequest.newBuilder(URI.create(url + "/api/v2/alerts?active=true")).build(),
                BodyHandlers.ofString(UTF_8))
            .body();
    return JSON.readTree(body);
  }

  private static List<String> statuses(TestingEndpoint behind) {
    return behind.requests().stream()
        .map(
            request -> {
              try {
                return JSON.readTree(request.body()).path("status").asText();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            })
        .toList();
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(200));
  }
}
