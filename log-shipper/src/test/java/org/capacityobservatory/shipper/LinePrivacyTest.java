package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.capacityobservatory.log.CapacityCall;
import org.capacityobservatory.log.LineParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinePrivacyTest {
  static final UserIdKey KEY =
      UserIdKey.of("0123456789abcdef0123456789abcdef".getBytes(UTF_8), "test");

  private final LinePrivacy both =
      new LinePrivacy(new PrivacyConfig(KEY, Set.of("changed_by", "note")));

  @TempDir Path folder;

  /** The pseudonyms were worked out with Python's hmac. */
  @Test
  void aUserIdBecomesAPseudonymAndAllElseStaysByteForByte() {
    assertThat(rewritten("{ \"event\" : \"ocl_capacity\",\"user_id\": 410 , \"cid\":\"\\u0041é\"}"))
        .isEqualTo(
            "{ \"event\" : \"ocl_capacity\",\"user_id\": 2031269250118680 , \"cid\":\"\\u0041é\"}");
    assertThat(rewritten("{\"user_id\":0}")).isEqualTo("{\"user_id\":162686961219210}");
    assertThat(rewritten("{\"user_id\":9223372036854775807}"))
        .isEqualTo("{\"user_id\":5326595251241317}");
  }

  @Test
  void namesAndNotesAreRedacted() {
    assertThat(
            rewritten("{\"version\":1,\"changed_by\":\"staff \\\"a\\\"\",\"note\":\"x\",\"m\":1}"))
        .isEqualTo("{\"version\":1,\"changed_by\":\"[redacted]\",\"note\":\"[redacted]\",\"m\":1}");
  }

  @Test
  void aKeyIsMeantWhereverItStandsAndHoweverItIsWritten() {
    assertThat(rewritten("{\"new\":[{\"user_id\":410}],\"user\\u005fid\":410,\"user_id\":410}"))
        .doesNotContain("410,")
        .isEqualTo(
            "{\"new\":[{\"user_id\":2031269250118680}],\"user\\u005fid\":2031269250118680,"
                + "\"user_id\":2031269250118680}");
  }

  @Test
  void whatIsNoWholeNumberIsRedactedAndNullStays() {
    for (String value :
        List.of(
            "\"410\"",
            "-410",
            "410.5",
            "41e1",
            "18446744073709551616",
            "true",
            "[4,{}]",
            "{\"a\":4}")) {
      assertThat(rewritten("{\"user_id\":" + value + ",\"z\":1}"))
          .as(value)
          .isEqualTo("{\"user_id\":\"[redacted]\",\"z\":1}");
    }
    String missing = "{\"user_id\":null,\"note\":null,\"users\":410}";
    assertThat(rewritten(missing)).isEqualTo(missing);
  }

  @Test
  void withoutSettingsALineIsItself() {
    LinePrivacy none = new LinePrivacy(PrivacyConfig.NONE);
    assertThat(none.withholdsRawBytes()).isFalse();
    byte[] line = "x{\"user_id\":410}y".getBytes(UTF_8);
    assertThat(new String(none.rewrite(line, 1, 16), UTF_8)).isEqualTo("{\"user_id\":410}");
    assertThat(both.withholdsRawBytes()).isTrue();
  }

  @Test
  void aLineThatWouldGrowTooMuchOrCannotBeWalkedIsWithheldWhole() {
    String withheld = "{\"event\":\"ocl_capacity\",\"withheld\":true}";
    StringBuilder many = new StringBuilder("{\"user_id\":1");
    many.append(",\"user_id\":1".repeat(2_000)).append('}');
    assertThat(rewritten(many.toString())).isEqualTo(withheld);
    assertThat(rewritten("{\"user_id\":410")).isEqualTo(withheld);
    String deep = "{\"a\":" + "[".repeat(5_000) + "]".repeat(5_000) + ",\"user_id\":410}";
    assertThat(rewritten(deep)).endsWith(",\"user_id\":2031269250118680}");
  }

  @Property
  void theParserTakesAPseudonymAndOneUserStaysOneUser(@ForAll("userIds") long userId)
      throws Exception {
    String line = "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"user_id\":%d}";
    CapacityCall call =
        (CapacityCall) LineParser.parse(rewritten(line.formatted(userId)).getBytes(UTF_8));
    assertThat(call.userId()).isBetween(0L, (1L << 53) - 1).isNotEqualTo(userId);
    assertThat(rewritten(line.formatted(userId))).isEqualTo(rewritten(line.formatted(userId)));
  }

  @Provide
  Arbitrary<Long> userIds() {
    return Arbitraries.longs().greaterOrEqual(0);
  }

  @Test
  void aKeyIsLongEnoughAndShowsItselfNowhere() throws Exception {
    Path file = folder.resolve("key");
    Files.writeString(file, "0123456789abcdef0123456789abcdef\n");
    assertThat(UserIdKey.read(file)).isEqualTo(KEY);
    assertThat(KEY.toString()).isEqualTo("key 1fb06d85");
    assertThat(new PrivacyConfig(KEY, Set.of()).toString()).doesNotContain("0123456789");
    Files.writeString(file, "secret-but-short \n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UserIdKey.read(file))
        .withMessage(
            file
                + ": the key has 16 bytes, at least 32 are needed: make one with openssl rand -hex 32");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UserIdKey.read(folder.resolve("absent")))
        .withMessageContaining("absent: the key can't be read: NoSuchFileException");
  }

  private String rewritten(String line) {
    byte[] bytes = line.getBytes(UTF_8);
    return new String(both.rewrite(bytes, 0, bytes.length), UTF_8);
  }
}
