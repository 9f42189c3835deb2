package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Map;
import org.capacityobservatory.log.ResumePoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PositionCodecTest {
  private static final GenerationRecord AT =
      new GenerationRecord(
          "h:/var/log/a|b é.log",
          3,
          new FileId(66306, Long.MAX_VALUE),
          17,
          "ab".repeat(32),
          "/var/log/a.1",
          false,
          100,
          new ResumePoint(
              90,
              Map.of("stdout", 40L, "", 50L),
              Map.of("stderr", 60L),
              new ResumePoint.LongLine(26, "cd".repeat(32))),
          true,
          new Books(9, 4, 1, 2, 2, 90, 7, 1),
          1_796_040_030_000L);

  private static GenerationRecord read(byte[] value) {
    return (GenerationRecord)
        PositionCodec.read(PositionCodec.key("me", AT.source(), 3), value, "positions 0/7");
  }

  @Test
  void readsWhatItWrites() {
    assertThat(read(PositionCodec.value(AT))).isEqualTo(AT);
    byte[] key = PositionCodec.key("me", AT.source(), 3);
    assertThat(PositionCodec.isOf("me", key)).isTrue();
    assertThat(PositionCodec.isOf("m", key)).isFalse();
    assertThat(PositionCodec.isOf("mee", key)).isFalse();
  }

  /** As the first version wrote them. */
  @Test
  void readsTheFirstVersion() {
    String first =
        "{\"v\":1,\"device\":1,\"inode\":2,\"head_length\":3,\"head_sha256\":\"ab\","
            + "\"path\":\"/p\",\"compressed\":false,\"size\":9,\"position\":7,\"held\":{\"\":5},"
            + "\"ended\":false,\"books\":{\"lines_read\":1,\"acknowledged\":1,\"quarantined\":0,"
            + "\"not_ours\":0,\"pending\":0,\"bytes_read\":7,\"dropped_at_source\":0,"
            + "\"future_times\":0}}";
    assertThat(read(first.getBytes(UTF_8)).place())
        .isEqualTo(new ResumePoint(7, Map.of("", 5L), Map.of(), null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "{}", "[]", "null", "{\"v\":1}", "{\"v\":\"1\"}", "\0\0\0\0", "{\"v\":1} x"})
  void refusesWhatItDoesNotUnderstand(String value) {
    ShipperException e =
        catchThrowableOfType(ShipperException.class, () -> read(value.getBytes(UTF_8)));
    assertThat(e.kind()).isEqualTo(ShipperException.Kind.POSITIONS_UNREADABLE);
    assertThat(e.getMessage()).contains("positions 0/7", AT.source());
  }

  @Test
  void refusesEveryCutOfARecord() {
    String whole = new String(PositionCodec.value(AT), UTF_8);
    for (int length = 0; length < whole.length(); length++) {
      byte[] cut = whole.substring(0, length).getBytes(UTF_8);
      assertThat(catchThrowableOfType(ShipperException.class, () -> read(cut))).isNotNull();
    }
  }

  @Test
  void refusesANewerVersionNamingBoth() {
    String newer = new String(PositionCodec.value(AT), UTF_8).replace("\"v\":2", "\"v\":4");
    ShipperException e =
        catchThrowableOfType(ShipperException.class, () -> read(newer.getBytes(UTF_8)));
    assertThat(e.getMessage()).contains("version 4", "versions 1 to 3");
  }

  private static final FeedRecord FEED =
      new FeedRecord(
          "cloudwatch:eu-central-1:/a|b",
          FeedRecord.Kind.CLOUDWATCH,
          1,
          90,
          "1796040030000",
          "",
          false,
          new Books(9, 4, 1, 2, 2, 90, 7, 1),
          null);

  private static PositionRecord readFeed(byte[] value) {
    return PositionCodec.read(PositionCodec.key("me", FEED), value, "positions 0/7");
  }

  @Test
  void readsAFeedsRecordAndRefusesEveryCutOfIt() {
    String whole = new String(PositionCodec.value(FEED), UTF_8);
    assertThat(readFeed(whole.getBytes(UTF_8))).isEqualTo(FEED);
    for (int length = 0; length < whole.length(); length++) {
      byte[] cut = whole.substring(0, length).getBytes(UTF_8);
      assertThat(catchThrowableOfType(ShipperException.class, () -> readFeed(cut))).isNotNull();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"kind\":\"syslog\"",
        "\"resume\":\"soon\"",
        "\"seen\":\"AAAA\"",
        "\"seen\":\"?\""
      })
  void refusesAFeedsRecordThatCantBeGoneOnFrom(String field) {
    String name = field.substring(0, field.indexOf(':'));
    String value =
        new String(PositionCodec.value(FEED), UTF_8)
            .replaceFirst(name + ":\"[^\"]*\"", java.util.regex.Matcher.quoteReplacement(field));
    ShipperException e =
        catchThrowableOfType(ShipperException.class, () -> readFeed(value.getBytes(UTF_8)));
    assertThat(e.kind()).isEqualTo(ShipperException.Kind.POSITIONS_UNREADABLE);
  }
}
