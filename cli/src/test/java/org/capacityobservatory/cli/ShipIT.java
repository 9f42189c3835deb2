package org.capacityobservatory.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.capacityobservatory.localstack.LocalKafka;
import org.capacityobservatory.localstack.LocalKafkaConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code capacity ship} as a process of its own, by a config file, with its metrics. */
class ShipIT {
  private static final String LINE = "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\"}\n";

  @TempDir Path folder;

  @Test
  void shipsByAConfigFileAndItsBooksBalanceOnMetrics() throws Exception {
    Path log = folder.resolve("app.log");
    Files.writeString(log, LINE + "GET / 200\n" + "text " + LINE + LINE);
    try (LocalKafka kafka = LocalKafka.start(LocalKafkaConfig.in(folder.resolve("kafka")))) {
      assertThat(exitCode("topics", "--kafka", kafka.bootstrap())).isZero();
      int port = freePort();
      Path config =
          Files.write(
              folder.resolve("ship.properties"),
              List.of(
                  "kafka = " + kafka.bootstrap(),
                  "id = ship-it",
                  "files = " + log + "," + folder + "/none-*.log",
                  "metrics-port = " + port));
      try (TestingCommand ship = TestingCommand.start("ship", "--config", config.toString())) {
        await().atMost(TestingCommand.CEILING).until(() -> figure(port, "acknowledged_total") == 2);
        Files.writeString(log, LINE, StandardOpenOption.APPEND);
        await().atMost(TestingCommand.CEILING).until(() -> figure(port, "acknowledged_total") == 3);
        assertThat(figure(port, "lines_read_total")).isEqualTo(5);
        assertThat(figure(port, "quarantined_total")).isEqualTo(1);
        assertThat(figure(port, "not_ours_total")).isEqualTo(1);
        assertThat(figure(port, "pending")).isZero();
        assertThat(ship.stderr()).contains("no file matches " + folder + "/none-*.log");
      }
      try (TestingCommand look =
          TestingCommand.start("ship", "--dry-run", "--config", config.toString())) {
        assertThat(look.exitCode()).isEqualTo(1);
        assertThat(look.stdout())
            .contains(
                log + ": plain, known, generation 1, " + Files.size(log) + " bytes, from byte ")
            .contains("no file matches " + folder + "/none-*.log")
            .contains("dry run: nothing was sent");
      }
    }
  }

  @Test
  void configPrintSaysWhatIsWrongAndShowsNoSecret() throws Exception {
    Path key = Files.writeString(folder.resolve("key"), "a-secret-that-is-far-too-short");
    Path client = Files.writeString(folder.resolve("client"), "ssl.key.password=hunter2\n");
    try (TestingCommand print =
        TestingCommand.start(
            "ship",
            "config",
            "print",
            "--kafka",
            "k:1",
            "--redact",
            "user_id",
            "--user-id-key-file",
            key.toString(),
            "--kafka-config",
            client.toString(),
            "a.log")) {
      assertThat(print.exitCode()).isEqualTo(2);
      assertThat(print.stdout()).contains("ssl.key.password = ********").contains("flag");
      assertThat(print.stderr())
          .contains(key + ": the key has 30 bytes, at least 32 are needed")
          .contains("redact can't take user_id");
      assertThat(print.stdout() + print.stderr()).doesNotContain("hunter2", "a-secret-that");
    }
  }

  private static int exitCode(String... arguments) {
    try (TestingCommand command = TestingCommand.start(arguments)) {
      return command.exitCode();
    }
  }

  /** A figure of the one source; -1 while it isn't there. */
  private static long figure(int port, String name) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
    String body;
    try {
      body = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    } catch (IOException e) {
      return -1;
    }
    Matcher figure =
        Pattern.compile("(?m)^capacity_ship_" + name + "\\{source=\"[^\"]*app.log\"} (\\S+)$")
            .matcher(body);
    return figure.find() ? (long) Double.parseDouble(figure.group(1)) : -1;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
