package org.capacityobservatory.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.capacityobservatory.localstack.ChildProcess;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.capacityobservatory.localstack.LocalKafka;
import org.capacityobservatory.localstack.LocalKafkaConfig;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.capacityobservatory.sql.Migrations;
import org.capacityobservatory.sql.NamedQuery;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The evaluator as processes, on a real Kafka and a real ClickHouse, killed with SIGKILL. Minutes
 * of some minutes ago become complete as the test says so.
 */
class AlarmsProcessIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The first minute that is judged; recent enough that people are told. */
  private static Instant first;

  @TempDir private static Path directory;
  private static LocalKafka kafka;
  private static LocalClickHouse server;
  private static ClickHouseHttp clickHouse;
  private static Jdbi queries;
  private static TestingEndpoint endpoint;
  private static final List<ChildProcess> children = new ArrayList<>();
  private static long revision;

  @BeforeAll
  static void start() throws Exception {
    first = Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofMinutes(6));
    kafka = LocalKafka.start(LocalKafkaConfig.in(directory.resolve("kafka")));
    server = LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("clickhouse")));
    ClickHouseConfig config =
        new ClickHouseConfig(
            server.url(),
            LocalClickHouse.WRITER,
            server.password(LocalClickHouse.WRITER),
            "alarmed");
    clickHouse = new ClickHouseHttp(config, Duration.ofSeconds(30));
    Migrations.apply(clickHouse, config);
    queries = ClickHouse.queries(config, new Properties());
    endpoint = new TestingEndpoint();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(Topics.ALARM_STATE, 1, (short) 1)
                      .configs(Map.of("cleanup.policy", "compact"))))
          .all()
          .get();
    }
    Files.writeString(
        directory.resolve("rules.yaml"),
        """
        groups:
          - name: g
            rules:
              - alert: Refused
                expr: refused_share[1m] by (tier) > 0.5
                for: 2m
                labels: {severity: page}
                annotations: {summary: '{{ $value }}', runbook: none}
        """);
    Files.writeString(
        directory.resolve("receivers.yaml"),
        """
        receivers:
          - {name: hook, type: webhook, url: '%s', allow_private: true}
        """
            .formatted(endpoint.url("/hook")));
  }

  @AfterAll
  static void stop() {
    children.forEach(ChildProcess::close);
    endpoint.close();
    server.close();
    kafka.close();
  }

  @Test
  void firingAndResolvedComeOnceEachThoughEvaluatorsAreKilled() throws IOException {
    ChildProcess killed = evaluator("first");
    minute(0, 9, 10);
    minute(1, 9, 10);
    complete(1);
    // Pending after one minute; the timer is what the next evaluator must know.
    await().untilAsserted(() -> assertThat(states()).containsExactly("pending"));
    killed.kill();

    ChildProcess second = evaluator("second");
    ChildProcess third = evaluator("third");
    complete(2);
    await().untilAsserted(() -> assertThat(told()).containsExactly("firing"));
    await()
        .untilAsserted(() -> assertThat(deliveries()).containsExactly("{\"hook\":\"delivered\"}"));

    // Both: which of them is active is Kafka's choice. What was told survives, and the end comes
    // while nobody evaluates.
    second.kill();
    third.kill();
    minute(2, 1, 10);
    complete(3);
    endpoint.answers(
        TestingEndpoint.status(429, "Retry-After: 1"),
        TestingEndpoint.status(503),
        "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\ncut");
    ChildProcess fourth = evaluator("fourth");
    await().untilAsserted(() -> assertThat(told()).containsExactly("firing", "resolved"));
    await().untilAsserted(() -> assertThat(states()).containsExactly("resolved"));
    await()
        .untilAsserted(() -> assertThat(deliveries()).containsExactly("{\"hook\":\"delivered\"}"));
    // The tries of the resolved are one delivery to the receiver.
    assertThat(ids("resolved")).hasSize(1);
    assertThat(requests("resolved")).isEqualTo(3);

    // Another comes and goes; nobody is told anything again, and silence mutes what begins.
    silence("Refused");
    minute(3, 9, 10);
    minute(4, 9, 10);
    complete(5);
    await().untilAsserted(() -> assertThat(states()).containsExactly("firing"));
    await()
        .untilAsserted(() -> assertThat(deliveries()).containsExactly("{\"hook\":\"silenced\"}"));
    fourth.close();
    assertThat(told()).containsExactly("firing", "resolved");
    assertThat(history()).containsExactly("pending", "firing", "resolved", "pending", "firing");
    assertThat(heartbeat()).isEqualTo("fourth");
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(200));
  }

  private static ChildProcess evaluator(String name) {
    ChildProcess child =
        ChildProcess.builder(name, TestingEvaluatorMain.class)
            .jvmOptions("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m")
            .arguments(
                kafka.bootstrap(),
                server.url().toString(),
                server.password(LocalClickHouse.WRITER),
                directory.resolve("rules.yaml").toString(),
                directory.resolve("receivers.yaml").toString(),
                name)
            .logFile(directory.resolve(name + ".log"))
            .start();
    children.add(child);
    return child;
  }

  private static void minute(int number, int refused, int calls) {
    for (String decision : List.of("shadow-refused", "admitted")) {
      clickHouse.execute(
          """
          INSERT INTO decisions_minute (minute, lines_partition, partial, decision, tier, calls, revision, kafka_topic, kafka_partition, kafka_offset)
          VALUES (toDateTime(%d, 'UTC'), 0, %d, '%s', 'core', %d, 1, 't', 0, 0)
          """
              .formatted(
                  first.plusSeconds(60L * number).getEpochSecond(),
                  number,
                  decision,
                  decision.equals("admitted") ? calls - refused : refused));
    }
  }

  /** The first so many minutes are complete, and the source is alive. */
  private static void complete(int minutes) {
    revision++;
    clickHouse.execute(
        """
        INSERT INTO pipeline_books (source, shipper, written_at, generation, at_end, state, kafka_topic, kafka_partition, kafka_offset)
        VALUES ('s', 'h', now64(3) + INTERVAL 1 HOUR, 1, 1, 'live', 't', 0, %d)
        """
            .formatted(revision));
    clickHouse.execute(
        """
        INSERT INTO minutes_state (lines_partition, complete_until, sources, published_at, revision, kafka_topic, kafka_partition, kafka_offset)
        VALUES (0, fromUnixTimestamp64Milli(toInt64(%d), 'UTC'), 1, now64(3), %d, 't', 0, %d)
        """
            .formatted(first.plusSeconds(60L * minutes).toEpochMilli(), revision, revision));
  }

  private static void silence(String rule) {
    Instant now = Instant.now();
    Silence silence =
        new Silence(
            UUID.randomUUID(),
            Map.of("alertname", rule, "tier", "core"),
            "a test",
            "nobody",
            now.minusSeconds(60),
            now.plusSeconds(3600),
            1);
    Silences.put(clickHouse, silence);
    assertThat(new Silences(queries).since(now)).containsExactly(cut(silence));
  }

  /** As the table keeps it: to the millisecond. */
  private static Silence cut(Silence silence) {
    return new Silence(
        silence.id(),
        silence.matchers(),
        silence.reason(),
        silence.createdBy(),
        silence.startsAt().truncatedTo(ChronoUnit.MILLIS),
        silence.endsAt().truncatedTo(ChronoUnit.MILLIS),
        silence.revision());
  }

  /** What the receiver was told, each delivery once. */
  private static List<String> told() {
    List<String> told = new ArrayList<>();
    Set<String> ids = new TreeSet<>();
    for (TestingEndpoint.Request request : endpoint.requests()) {
      if (ids.add(id(request))) {
        told.add(status(request));
      }
    }
    return told;
  }

  private static Set<String> ids(String status) {
    return endpoint.requests().stream()
        .filter(request -> status(request).equals(status))
        .map(AlarmsProcessIT::id)
        .collect(Collectors.toSet());
  }

  private static long requests(String status) {
    return endpoint.requests().stream().filter(request -> status(request).equals(status)).count();
  }

  private static String id(TestingEndpoint.Request request) {
    return request.headers().getOrDefault("x-capacity-delivery", "");
  }

  private static String status(TestingEndpoint.Request request) {
    try {
      JsonNode body = JSON.readTree(request.body());
      return body.path("status").asText();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> states() {
    return column("alarm-states", "state_text");
  }

  private static List<String> deliveries() {
    return column("alarm-states", "deliveries_json");
  }

  private static List<String> column(String query, String column) {
    return queries.withHandle(
        handle ->
            handle
                .createQuery(NamedQuery.text(query))
                .bind("row_limit", 100)
                .map((row, context) -> row.getString(column))
                .list());
  }

  /** States entered, oldest first. */
  private static List<String> history() {
    List<String> states =
        queries.withHandle(
            handle ->
                handle
                    .createQuery(NamedQuery.text("alarm-history"))
                    .bind("rule_on", 0)
                    .bindList("rule", List.of(""))
                    .bind("from_ms", first.toEpochMilli())
                    .bind("to_ms", first.plusSeconds(3600).toEpochMilli())
                    .bind("after_on", 0)
                    .bind("after_ms", 0)
                    .bind("after_id", "00000000-0000-0000-0000-000000000000")
                    .bind("row_limit", 100)
                    .map((row, context) -> row.getString("to_text"))
                    .list());
    List<String> oldestFirst = new ArrayList<>(states);
    Collections.reverse(oldestFirst);
    return oldestFirst;
  }

  private static @Nullable String heartbeat() {
    return queries.withHandle(
        handle ->
            handle
                .createQuery(NamedQuery.text("alarm-evaluator"))
                .map((row, context) -> row.getString("evaluator_text"))
                .one());
  }
}
