package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class LineEncoderTest {
  /** A line as the limiter wrote it, with every kind of value. */
  private static final String REFUSED =
      "{\"event\":\"ocl_capacity\",\"decision\":\"refused\",\"mode\":\"enforce\",\"enforced\":true,"
          + "\"endpoint\":\"$match\",\"semantic\":true,\"reranker\":false,\"rows\":5,"
          + "\"single_row\":false,\"tier\":\"preview\",\"user_id\":410,\"scope\":\"api_heavy\","
          + "\"full\":[\"api_heavy\",\"tier\"],\"in_flight\":3,\"limit\":3,\"suggested\":1,"
          + "\"retry_after\":5,\"queue_ms\":503,\"error\":\"na\u00efve \\\"x\\\"\",\"task\":\"t\","
          + "\"cid\":\"c1\",\"new_key\":{\"a\":[1,2]}}";

  private static final String CHANGE =
      "{\"event\":\"ocl_capacity_config\",\"version\":7,\"changed_by\":\"staff-a\",\"source\":\"api\","
          + "\"note\":\"loud\",\"changes\":{\"tiers.preview\":[2,1]},\"mode\":\"shadow\"}";

  @Test
  void aLineReadIsWrittenAgainByteForByte() throws Exception {
    assertThat(encoded(LineParser.parse(REFUSED.getBytes(UTF_8)), 0)).isEqualTo(REFUSED);
    assertThat(encoded(LineParser.parse(CHANGE.getBytes(UTF_8)), 0)).isEqualTo(CHANGE);
  }

  @Test
  void droppedLinesAreToldLastAndAddedToTheRecordsOwn() throws Exception {
    CapacityEvent change = LineParser.parse(CHANGE.getBytes(UTF_8));
    String told = encoded(change, 3);
    assertThat(told).isEqualTo(CHANGE.replace("\"shadow\"}", "\"shadow\",\"log_dropped\":3}"));
    assertThat(encoded(LineParser.parse(told.getBytes(UTF_8)), 4)).endsWith(",\"log_dropped\":7}");
  }

  @Property
  void whatIsWrittenIsReadAsAnEqualRecord(
      @ForAll("texts") String text, @ForAll("counts") long count, @ForAll boolean flag)
      throws Exception {
    // "texts" holds half characters, which a line can't: they are kept as their escapes.
    CapacityEvent call = call(LoneSurrogates.escaped(text), count, flag);
    assertThat(LineParser.parse(encoded(call(text, count, flag), 0).getBytes(UTF_8)))
        .isEqualTo(call);
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings().all().ofMaxLength(40);
  }

  @Provide
  Arbitrary<Long> counts() {
    return Arbitraries.longs().between(0, 0xFFFF_FFFFL);
  }

  @Test
  void verbatimTextThatIsNoObjectOnOneLineIsRefused() {
    for (String changes : List.of("", "[1]", "{\"a\":1", "{}{}", "{\"a\":\n1}", "{'a':1}")) {
      ConfigChange change =
          new ConfigChange(1L, null, null, null, null, changes, null, List.of(), "", List.of());
      assertThatIllegalArgumentException().as(changes).isThrownBy(() -> encoded(change, 0));
    }
  }

  @Test
  void textTellsOfDroppedLinesIfItIsAnObject() throws IOException {
    assertThat(text("{\"event\":\"x\"}", 2)).isEqualTo("true {\"event\":\"x\",\"log_dropped\":2}");
    assertThat(text(" { } ", 2)).isEqualTo("true { \"log_dropped\":2}");
    assertThat(text("{\"event\":\"x\"}", 0)).isEqualTo("true {\"event\":\"x\"}");
    assertThat(text("GET / 200", 2)).isEqualTo("false GET / 200");
    assertThat(text("{\"log_dropped\":9}", 2)).isEqualTo("false {\"log_dropped\":9}");
    assertThat(text("{\"a\":1}}", 2)).isEqualTo("false {\"a\":1}}");
    assertThat(text("a\r\nb", 0)).isEqualTo("true a  b");
  }

  private static CapacityCall call(String text, long count, boolean flag) {
    List<String> full = flag ? List.of(text, "tier") : List.of();
    return new CapacityCall(
        text,
        text,
        flag,
        text,
        flag,
        flag,
        count,
        flag,
        text,
        count,
        full,
        text,
        count,
        count,
        count,
        count,
        count,
        count,
        count,
        count,
        count,
        count,
        count,
        count,
        count,
        count,
        flag,
        text,
        text,
        text,
        text,
        text,
        text,
        flag ? count : null,
        List.of(),
        "",
        List.of());
  }

  private static String encoded(CapacityEvent event, long dropped) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LineEncoder.write(event, dropped, out);
    return out.toString(UTF_8);
  }

  private static String text(String text, long dropped) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    boolean tells = LineEncoder.writeText(text, dropped, out);
    return tells + " " + out.toString(UTF_8);
  }
}
