package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;
import static org.capacityobservatory.shipper.TestingKafka.header;
import static org.capacityobservatory.shipper.TestingLog.call;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.capacityobservatory.log.EntryName;
import org.capacityobservatory.log.EventId;
import org.capacityobservatory.log.LineHeaders;
import org.capacityobservatory.log.Topics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The AWS SDK against an endpoint that speaks the service's protocol, and a real broker. */
class CloudWatchIT {
  private static final Duration WAIT = Duration.ofSeconds(60);
  private static final List<String> CREDENTIALS = List.of("aws.accessKeyId", "aws.secretAccessKey");

  private static TestingKafka kafka;

  @TempDir Path folder;
  private TestingCloudWatch service;

  @BeforeAll
  static void startKafka() throws Exception {
    CREDENTIALS.forEach(name -> System.setProperty(name, "test"));
    kafka = TestingKafka.shared();
  }

  @AfterAll
  static void forgetCredentials() {
    CREDENTIALS.forEach(System::clearProperty);
  }

  @BeforeEach
  void startService() throws Exception {
    service = new TestingCloudWatch();
  }

  @AfterEach
  void stopService() {
    service.close();
  }

  private String prefix() {
    return folder + "/";
  }

  private ShipperConfig.Builder config() {
    return ShipperConfig.builder()
        .bootstrapServers(kafka.bootstrap())
        .identity(folder.getFileName().toString())
        .sourcePrefix(prefix())
        .pollInterval(Duration.ofMillis(10))
        .feeds(
            List.of(
                new FeedConfig.CloudWatch(
                    "api",
                    "eu-central-1",
                    service.endpoint(),
                    Instant.EPOCH,
                    Duration.ofMinutes(5),
                    Duration.ofMillis(20))));
  }

  private Shipper shipper(ShipperConfig config) {
    return new Shipper(config, InstantSource.system(), new SimpleMeterRegistry());
  }

  private void show(int from, int to) {
    for (int n = from; n <= to; n++) {
      service.show(TestingCloudWatch.idOf(n), System.currentTimeMillis(), call(n));
    }
  }

  private static List<Integer> numbers(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().toList();
  }

  private long acknowledged(Shipper shipper) {
    return shipper.status().sources().stream().mapToLong(s -> s.books().acknowledged()).sum();
  }

  @Test
  void followsALogGroupThroughThrottlingRepeatsLateEventsAndRestarts() throws Exception {
    service.repeating = true;
    show(1, 10);
    service.show(TestingCloudWatch.idOf(0), System.currentTimeMillis(), "noise");
    service.refuse(2, 400, "ThrottlingException", "Rate exceeded");
    try (Shipper shipper = shipper(config().build())) {
      shipper.start();
      await().atMost(WAIT).until(() -> acknowledged(shipper) == 10);
      service.refuse(1, 500, "InternalFailure", "try again");
      service.show(TestingCloudWatch.idOf(11), System.currentTimeMillis() - 60_000, call(11));
      await().atMost(WAIT).until(() -> acknowledged(shipper) == 11);
    }
    assertThat(service.refused).hasValue(3);
    show(12, 15);
    try (Shipper shipper = shipper(config().build())) {
      shipper.start();
      await().atMost(WAIT).until(() -> acknowledged(shipper) == 15);
      service.refuse(1, 400, "InvalidParameterException", "The specified nextToken is invalid.");
      show(16, 20);
      await().atMost(WAIT).until(() -> acknowledged(shipper) == 20);
      assertThat(shipper.status().sources().get(0).books().notOurs()).isEqualTo(1);
    }
    assertThat(kafka.cids(prefix()).stream().sorted().toList()).isEqualTo(numbers(1, 20));
    ConsumerRecord<byte[], byte[]> one =
        kafka.committed(Topics.LINES, prefix()).stream()
            .filter(r -> TestingShipping.cid(new String(r.value(), UTF_8)) == 11)
            .findFirst()
            .orElseThrow();
    assertThat(new String(one.key(), UTF_8)).isEqualTo(prefix() + "cloudwatch:eu-central-1:api");
    assertThat(header(one, LineHeaders.EVENT_ID))
        .isEqualTo(
            EventId.named(new EntryName(EntryName.CLOUDWATCH, TestingCloudWatch.idOf(11)))
                .toString());
    assertThat(header(one, LineHeaders.TIME_SOURCE)).isEqualTo("envelope");
    assertThat(kafka.committed(Topics.BOOKS, prefix())).isNotEmpty();
  }

  /** A kill between pages, and within: the endpoint gives three events at a time. */
  @Test
  void everyEventIsShippedOnceHoweverOftenTheShipperIsKilled() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    service.pageSize = 40;
    int shown = 0;
    for (int kill = 0; kill < 3; kill++) {
      show(shown + 1, shown + 700);
      shown += 700;
      Process shipper =
          TestingFeedMain.start(
              kafka.bootstrap(),
              folder.getFileName().toString(),
              prefix(),
              "cloudwatch",
              service.endpoint().toString());
      Thread.sleep(random.nextInt(100));
      shipper.destroyForcibly().waitFor();
    }
    try (Shipper shipper = shipper(config().once(true).build())) {
      shipper.start();
      assertThat(shipper.awaitDone(WAIT).state()).isEqualTo(ShipperStatus.State.DONE);
      assertThat(acknowledged(shipper)).isEqualTo(shown);
    }
    assertThat(kafka.cids(prefix()).stream().sorted().toList())
        .as("seed %d", seed)
        .isEqualTo(numbers(1, shown));
  }

  @Test
  void aGroupThatIsNotThereIsNamed() {
    service.refuse(1, 400, "ResourceNotFoundException", "The specified log group does not exist.");
    ShipperException e =
        catchThrowableOfType(
            ShipperException.class, () -> shipper(config().once(true).build()).run());
    assertThat(e.kind()).isEqualTo(ShipperException.Kind.SOURCE_UNREADABLE);
    assertThat(e.getMessage())
        .isEqualTo(
            "log group api in eu-central-1 can't be read: ResourceNotFoundException: The specified"
                + " log group does not exist.");
  }
}
