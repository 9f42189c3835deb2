package org.capacityobservatory.shipper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.capacityobservatory.shipper.TestingLog.append;
import static org.capacityobservatory.shipper.TestingLog.calls;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.capacityobservatory.log.Topics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DryRunIT {
  @TempDir Path folder;

  @Test
  void saysWhatWouldBeReadAndFromWhereAndSendsNothing() throws Exception {
    TestingKafka kafka = TestingKafka.shared();
    Path known = folder.resolve("known.log");
    append(known, calls(1, 3));
    long shipped = Files.size(known);
    ShipperConfig.Builder config = config(kafka.bootstrap(), known.toString());
    // A shipper that runs meanwhile isn't taken over from.
    try (Shipper shipper = shipper(config.build())) {
      shipper.start();
      awaitLines(kafka, 3);
      append(folder.resolve("fresh.log"), "GET / 200\n");
      Files.createDirectory(folder.resolve("folder"));
      DryRun look =
          DryRun.of(
              config
                  .files(
                      List.of(
                          known.toString(),
                          folder + "/fr*.log",
                          folder + "/none-*.log",
                          folder + "/folder"))
                  .build(),
              InstantSource.system());
      assertThat(look.kafkaProblem()).isNull();
      assertThat(look.emptyPatterns()).containsExactly(folder + "/none-*.log");
      assertThat(look.files()).hasSize(3);
      assertThat(look.files().get(0).problem()).startsWith("it is a directory");
      DryRun.Found fresh = look.files().get(1);
      assertThat(fresh.known()).isFalse();
      assertThat(fresh.position()).isZero();
      assertThat(fresh.firstLine()).isEqualTo("not the limiter's, no time of its own");
      DryRun.Found old = look.files().get(2);
      assertThat(old.known()).isTrue();
      assertThat(old.position()).isEqualTo(shipped);
      assertThat(old.firstLine()).isEqualTo("nothing new");

      append(known, calls(4, 5));
      awaitLines(kafka, 5);
      assertThat(shipper.status().state()).isEqualTo(ShipperStatus.State.SHIPPING);
    }
    assertThat(kafka.committed(Topics.BOOKS, folder + "/fresh.log")).isEmpty();
    assertThat(kafka.cids(folder.toString())).hasSize(5);
  }

  @Test
  void withoutKafkaEveryFileLooksNewAndItSaysSo() throws Exception {
    Path log = folder.resolve("app.log");
    append(log, calls(1, 1));
    DryRun look = DryRun.of(config("localhost:1", log.toString()).build(), InstantSource.system());
    assertThat(look.kafkaProblem()).isEqualTo("Kafka at localhost:1 doesn't answer");
    assertThat(look.files()).hasSize(1);
    assertThat(look.files().get(0).firstLine()).startsWith("the limiter's");
  }

  private void awaitLines(TestingKafka kafka, int count) {
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> kafka.cids(folder.toString()).size() == count);
  }

  private ShipperConfig.Builder config(String kafka, String... files) {
    return ShipperConfig.builder()
        .bootstrapServers(kafka)
        .identity(String.valueOf(folder.getFileName()))
        .brokerTimeout(Duration.ofSeconds(20))
        .files(List.of(files));
  }

  private static Shipper shipper(ShipperConfig config) {
    return new Shipper(config, InstantSource.system(), new SimpleMeterRegistry());
  }
}
