package org.capacityobservatory.shipper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShipperConfigTest {
  @Test
  void hasDefaults() {
    ShipperConfig config =
        ShipperConfig.builder().bootstrapServers("k:9092").files(List.of("a")).build();
    assertThat(config)
        .isEqualTo(
            new ShipperConfig(
                "k:9092",
                config.identity(),
                List.of("a"),
                List.of(),
                false,
                "",
                Duration.ofMillis(100),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                1_048_576,
                Duration.ofSeconds(10),
                200_000,
                2_000,
                Duration.ofSeconds(30),
                PrivacyConfig.NONE,
                Map.of()));
    assertThat(config.identity()).isNotBlank();
  }

  @Test
  void takesEveryValue() {
    ShipperConfig config =
        ShipperConfig.builder()
            .bootstrapServers("k:1")
            .identity("i")
            .files(List.of("a", "b"))
            .feeds(List.of(new FeedConfig.Stdin()))
            .once(true)
            .sourcePrefix("h:")
            .pollInterval(Duration.ofMillis(11))
            .heartbeatInterval(Duration.ofMillis(101))
            .pieceTimeout(Duration.ofMillis(12))
            .rotatedQuiet(Duration.ofMillis(13))
            .maxLineBytes(2048)
            .transactionTimeout(Duration.ofSeconds(14))
            .maxBatchRecords(15)
            .maxOpenFiles(17)
            .brokerTimeout(Duration.ofSeconds(16))
            .privacy(new PrivacyConfig(null, Set.of("note")))
            .kafkaProperties(Map.of("security.protocol", "SSL"))
            .build();
    assertThat(config)
        .isEqualTo(
            new ShipperConfig(
                "k:1",
                "i",
                List.of("a", "b"),
                List.of(new FeedConfig.Stdin()),
                true,
                "h:",
                Duration.ofMillis(11),
                Duration.ofMillis(101),
                Duration.ofMillis(12),
                Duration.ofMillis(13),
                2048,
                Duration.ofSeconds(14),
                15,
                17,
                Duration.ofSeconds(16),
                new PrivacyConfig(null, Set.of("note")),
                Map.of("security.protocol", "SSL")));
  }

  @Test
  void namesEveryProblemAtOnce() {
    ShipperConfigException e =
        catchThrowableOfType(
            ShipperConfigException.class,
            () ->
                ShipperConfig.builder()
                    .bootstrapServers(" ")
                    .identity("a|b")
                    .files(List.of())
                    .pollInterval(Duration.ofMillis(1))
                    .heartbeatInterval(Duration.ofHours(1))
                    .pieceTimeout(Duration.ZERO)
                    .rotatedQuiet(Duration.ofMillis(-1))
                    .maxLineBytes(10)
                    .transactionTimeout(Duration.ofSeconds(16))
                    .maxBatchRecords(0)
                    .maxOpenFiles(0)
                    .brokerTimeout(Duration.ZERO)
                    .privacy(new PrivacyConfig(null, Set.of("user_id")))
                    .kafkaProperties(Map.of("acks", "0", "transactional.id", "x", "ssl", "y"))
                    .build());
    assertThat(e.problems())
        .hasSize(15)
        .anyMatch(problem -> problem.contains("transactionTimeout must be between PT5S and PT15S"))
        .anyMatch(problem -> problem.contains("must not set acks"))
        .contains("redact can't take user_id: choose of changed_by, cid, error, note");
    assertThat(e.getMessage()).contains(e.problems());
  }

  @Test
  void namesEveryProblemOfOtherSources() {
    ShipperConfigException e =
        catchThrowableOfType(
            ShipperConfigException.class,
            () ->
                ShipperConfig.builder()
                    .bootstrapServers("k:9092")
                    .feeds(
                        List.of(
                            new FeedConfig.Stdin(),
                            new FeedConfig.Stdin(),
                            new FeedConfig.Journald("", "a b"),
                            new FeedConfig.CloudWatch(
                                "a b",
                                "",
                                URI.create("nowhere"),
                                Instant.ofEpochMilli(-1),
                                Duration.ZERO,
                                Duration.ZERO)))
                    .build());
    assertThat(e.problems())
        .hasSize(9)
        .anyMatch(problem -> problem.contains("one source twice"))
        .anyMatch(problem -> problem.contains("no unit's name: a b"))
        .anyMatch(problem -> problem.contains("cloudwatch.region is no AWS region: ''"));
  }
}
