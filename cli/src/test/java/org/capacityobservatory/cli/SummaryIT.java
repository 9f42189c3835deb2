package org.capacityobservatory.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code capacity summary} on real files, by a real Kafka and a real ClickHouse engine. */
class SummaryIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path SAMPLES = Path.of("..", "samples");

  @TempDir private Path directory;

  /** The tables of samples/README.md, counted there with other tools; UpIT has the third sample. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          shadow  | 1805 | admitted=410 shadow-refused=1395 | api_heavy=1256 tier=59 user=47 \
          api_heavy_task=18 es2_knn=15 | staff=111/80 core=371/310 early_access=431/301 \
          preview=892/704 | 1422 6747 9379 | 786 15331 19363 | 1805 0
          enforce | 5685 | admitted=1805 refused=3880 | api_heavy=2292 api_heavy_task=712 tier=358 \
          es2_knn=356 user=162 | staff=223/112 core=1031/660 early_access=1150/719 \
          preview=3281/2389 | 1079 4766 6344 | 495 948 992 | 5685 0
          """)
  void tellsTheNumbersOfTheSamples(
      String sample,
      long calls,
      String decisions,
      String scopes,
      String tiers,
      String held,
      String queue,
      String lines)
      throws IOException {
    JsonNode summary = summaryOf(files(sample));

    assertThat(summary.get("calls").asLong()).isEqualTo(calls);
    assertThat(counts(summary.get("decisions"))).isEqualTo(sorted(decisions));
    assertThat(counts(summary.get("scopes"))).isEqualTo(sorted(scopes));
    assertThat(tierCounts(summary.get("tiers"))).isEqualTo(sorted(tiers));
    assertThat(percentiles(summary.get("held_ms"))).isEqualTo(held);
    assertThat(percentiles(summary.get("queue_ms"))).isEqualTo(queue);
    assertThat(summary.at("/lines/read") + " " + summary.at("/lines/not_ours")).isEqualTo(lines);
    assertThat(summary.at("/lines/dead").asLong()).isZero();
  }

  @Test
  void countsWhatCannotBeReadAndGoesOn() throws IOException {
    String call = "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"held_ms\":5%s}";
    String cri = "2026-03-01T10:00:00.123Z stdout F ";
    Path log = directory.resolve("bad.log");
    Files.writeString(
        log,
        String.join(
            "\n",
            cri + call.formatted(""),
            cri + "{\"event\":\"ocl_capacity\"}",
            cri + call.formatted(",\"rows\":\"25\""),
            cri + call.formatted(",\"x\":" + "{\"a\":".repeat(10_000)),
            cri + call.formatted(",\"rows\":1,\"rows\":2"),
            cri + "{\"event\":\"ocl_usage\",\"log_dropped\":7}",
            cri + "plain noise",
            cri + call.formatted(",\"log_dropped\":2"),
            cri + call.formatted("").substring(0, 40)));
    Path binary = directory.resolve("binary.log");
    byte[] bytes = new byte[5000];
    new Random(1).nextBytes(bytes);
    Files.write(binary, bytes);
    Path empty = Files.createFile(directory.resolve("empty.log"));
    Path folder = Files.createDirectory(directory.resolve("folder.log"));
    Path bare = directory.resolve("bare.log");
    Files.writeString(
        bare,
        "{\"event\":\"ocl_capacity\",\"decision\":\"refused\",\"tier\":\"core\"}\n".repeat(3));

    JsonNode summary = summaryOf(List.of(log, binary, empty, folder, bare));

    assertThat(counts(summary.get("decisions"))).containsExactly("admitted=3", "refused=3");
    assertThat(summary.get("untimed_calls").asLong()).isEqualTo(3);
    assertThat(summary.get("last_at").asText()).isEqualTo("2026-03-01T10:00:00.123Z");
    assertThat(percentiles(summary.get("held_ms"))).isEqualTo("5 5 5");
    assertThat(summary.get("queue_ms").isNull()).isTrue();
    // Missing decision, depth, key twice, half a line; text for a number costs only its field.
    assertThat(summary.at("/lines/dead").asLong()).isEqualTo(4);
    assertThat(summary.at("/lines/dropped_at_source").asLong()).isEqualTo(9);
    assertThat(tierCounts(summary.get("tiers"))).containsExactly("core=3/3");
    assertThat(summary.get("unread"))
        .anySatisfy(
            file ->
                assertThat(file.get("file").asText()).isEqualTo(folder.toRealPath().toString()));
    assertThat(summary.at("/without_tier/calls").asLong()).isEqualTo(3);
  }

  @Test
  void failsWithOneSentenceWhenKafkaOrClickHouseIsNotThere() throws IOException {
    String file = files("shadow").get(0).toString();
    String nowhere = "127.0.0.1:" + freePort();
    try (TestingCommand noKafka = TestingCommand.start("summary", "--kafka", nowhere, file);
        TestingCommand noClickHouse =
            TestingCommand.start("summary", "--clickhouse", "http://" + nowhere, file)) {
      assertThat(noKafka.exitCode()).isEqualTo(1);
      assertThat(noKafka.stdout()).isEmpty();
      assertThat(noKafka.stderr()).contains("Kafka at " + nowhere + " can't be used");
      assertThat(noClickHouse.exitCode()).isEqualTo(1);
      assertThat(noClickHouse.stdout()).isEmpty();
      assertThat(noClickHouse.stderr())
          .contains("ClickHouse at http://" + nowhere + " can't be reached");
    }
  }

  @ParameterizedTest
  @CsvSource({"KafkaServerMain,Kafka", "ClickHouseServerMain,ClickHouse"})
  void failsWhenAServerDiesUnderIt(String main, String name) throws IOException {
    try (TestingCommand summary =
        TestingCommand.start("summary", files("shadow").get(0).toString())) {
      Awaitility.await()
          .atMost(TestingCommand.CEILING)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> summary.stderr().contains(name + " is ready") || !summary.isAlive());
      List<ProcessHandle> server = summary.descendantsWith(main);
      assertThat(server).hasSize(1);
      server.get(0).destroyForcibly();

      assertThat(summary.exitCode()).isEqualTo(1);
      assertThat(summary.stdout()).isEmpty();
      assertThat(summary.descendants()).isEmpty();
    }
  }

  @Test
  void refusesWrongUsage() {
    try (TestingCommand noFile = TestingCommand.start("summary");
        TestingCommand badFlag = TestingCommand.start("up", "--colour");
        TestingCommand badAddress = TestingCommand.start("topics", "--kafka", "here")) {
      assertThat(noFile.exitCode()).isEqualTo(2);
      assertThat(badFlag.exitCode()).isEqualTo(2);
      assertThat(badFlag.stderr()).contains("--colour");
      assertThat(badAddress.exitCode()).isEqualTo(2);
      assertThat(badAddress.stderr())
          .contains("--kafka 'here': write HOST:PORT")
          .contains("See: capacity topics --help");
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static List<Path> files(String sample) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String name : List.of("api-a.log", "api-b.log")) {
      Path plain = SAMPLES.resolve(sample).resolve(name);
      files.add(Files.exists(plain) ? plain : plain.resolveSibling(name + ".gz"));
    }
    return files;
  }

  private static JsonNode summaryOf(List<Path> files) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("summary", "--format", "json"));
    files.forEach(file -> arguments.add(file.toString()));
    try (TestingCommand summary = TestingCommand.start(arguments.toArray(String[]::new))) {
      assertThat(summary.exitCode()).as(summary::stderr).isZero();
      return JSON.readTree(summary.stdout().getBytes(UTF_8));
    }
  }

  private static List<String> sorted(String words) {
    return List.of(words.split(" ", -1)).stream().sorted().toList();
  }

  private static List<String> counts(JsonNode counts) {
    List<String> words = new ArrayList<>();
    counts.properties().forEach(e -> words.add(e.getKey() + "=" + e.getValue()));
    return words.stream().sorted().toList();
  }

  private static List<String> tierCounts(JsonNode tiers) {
    List<String> words = new ArrayList<>();
    tiers
        .properties()
        .forEach(
            e ->
                words.add(
                    e.getKey()
                        + "="
                        + e.getValue().get("calls")
                        + "/"
                        + e.getValue().get("refused")));
    return words.stream().sorted().toList();
  }

  private static String percentiles(JsonNode latency) {
    return latency.get("p50") + " " + latency.get("p95") + " " + latency.get("p99");
  }
}
