package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.capacityobservatory.shipper.TestingLog.append;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.capacityobservatory.log.Topics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a line looks like, what leaves the host doesn't hold what must not leave it. */
class PrivacyIT {
  private static final String USER = "987654321012";
  private static final String NAME = "ms-somebody";

  /** Every way for a line to be ours or to be set aside. */
  private static final List<String> LINES =
      List.of(
          "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"user_id\":" + USER + "}",
          "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"user_id\":\"" + USER + "\"}",
          "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"x\":{\"user_id\":" + USER + "}}",
          "{\"event\":\"ocl_capacity_config\",\"changed_by\":\""
              + NAME
              + "\",\"note\":\""
              + NAME
              + "\"}",
          "{\"event\":\"ocl_capacity\",\"user_id\":" + USER + ",\"decision\":\"adm",
          "{\"event\":\"ocl_capacity\",\"user_id\":" + USER + "} tail",
          "text {\"event\":\"ocl_capacity\",\"user_id\":" + USER + "}",
          "[{\"event\":\"ocl_capacity_config\",\"changed_by\":\"" + NAME + "\"}]",
          "{\"event\":\"ocl_capacity\",\"user_id\":"
              + USER
              + ",\"x\":\""
              + "y".repeat(3_000)
              + "\"}",
          "{\"log\":\"{\\\"event\\\":\\\"ocl_capacity\\\",\\\"user_id\\\":"
              + USER
              + "}\\n\",\"stre");

  @TempDir Path folder;

  @Test
  void nothingThatLeavesHoldsAUserOrAName() throws Exception {
    List<String> left =
        shipped("private", new PrivacyConfig(LinePrivacyTest.KEY, Set.of("changed_by", "note")));
    assertThat(left).noneMatch(text -> text.contains(USER)).noneMatch(text -> text.contains(NAME));
    // The known pseudonym of that user, worked out apart: calls of one user stay together.
    assertThat(left).anyMatch(text -> text.contains("\"user_id\":3023157934827643}"));
  }

  /** Shows that the test above can fail: without settings everything is there. */
  @Test
  void withoutSettingsEverythingLeavesAsItWasWritten() throws Exception {
    List<String> left = shipped("open", PrivacyConfig.NONE);
    assertThat(left.stream().filter(text -> text.contains(USER))).hasSize(8);
    assertThat(left.stream().filter(text -> text.contains(NAME))).hasSize(2);
  }

  /** Everything on every topic, key, value and headers, and dead letters' bytes decoded too. */
  private List<String> shipped(String name, PrivacyConfig privacy) throws Exception {
    TestingKafka kafka = TestingKafka.shared();
    Path log = folder.resolve(name + ".log");
    append(log, String.join("\n", LINES) + "\n");
    ShipperConfig config =
        ShipperConfig.builder()
            .bootstrapServers(kafka.bootstrap())
            .identity(folder.getFileName() + name)
            .files(List.of(log.toString()))
            .maxLineBytes(2_048)
            .privacy(privacy)
            .once(true)
            .build();
    try (Shipper shipper = new Shipper(config, InstantSource.system(), new SimpleMeterRegistry())) {
      shipper.start();
      assertThat(shipper.awaitDone(Duration.ofSeconds(60)).state())
          .isEqualTo(ShipperStatus.State.DONE);
    }
    List<String> left = new ArrayList<>();
    for (String topic : List.of(Topics.LINES, Topics.DEAD_LETTERS, Topics.BOOKS)) {
      kafka.committed(topic, log.toString()).forEach(record -> left.add(text(record)));
    }
    kafka.committed(Topics.POSITIONS, config.identity()).forEach(record -> left.add(text(record)));
    assertThat(left).hasSizeGreaterThanOrEqualTo(LINES.size() + 2);
    return left;
  }

  private static String text(ConsumerRecord<byte[], byte[]> record) {
    StringBuilder text = new StringBuilder(new String(record.key(), ISO_8859_1));
    String value = new String(record.value(), ISO_8859_1);
    text.append(' ').append(value);
    Matcher raw = Pattern.compile("\"raw_base64\":\"([^\"]*)\"").matcher(value);
    if (raw.find()) {
      text.append(' ').append(new String(Base64.getDecoder().decode(raw.group(1)), ISO_8859_1));
    }
    record.headers().forEach(h -> text.append(' ').append(new String(h.value(), ISO_8859_1)));
    return text.toString();
  }
}
