package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The quick reader against the one that reads all lines. */
class PlainLineReaderTest {
  private static final List<String> FIELDS =
      List.of(
          "'decision':'admitted'",
          "'mode':'shadow'",
          "'enforced':false",
          "'endpoint':'$match'",
          "'semantic':true",
          "'rows':25",
          "'single_row':true",
          "'tier':'core'",
          "'user_id':1001",
          "'full':['api_heavy','tier']",
          "'scope':'api_heavy'",
          "'in_flight':3",
          "'limit':0",
          "'held_ms':4294967295",
          "'queue_ms':120",
          "'task':'api-task-a'",
          "'cid':'c-1'",
          "'error':'a: b, c}'",
          "'log_dropped':123456789012345678");
  private static final String ODD_BYTES = "{}[]\":,\\0123456789.eE+-ntfu \u0000\u00e9abc";

  @Test
  void readsWhatTheLimiterWrites() throws LineException {
    byte[] line = line(FIELDS);

    assertThat(LineParser.plainCall(line)).isNotNull().isEqualTo(LineParser.parseAny(line));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'decision':'a','new':1",
        "'decision':'a','rows':null",
        "'decision':'a','rows':'25'",
        "'decision':'a','rows':2.5",
        "'decision':'a','rows':-1",
        "'decision':'a','rows':025",
        "'decision':'a','rows':4294967296",
        "'decision':'a','user_id':9999999999999999999",
        "'decision':'a','decision':'a'",
        "'decision':'a','cid':'\\u0041'",
        "'decision':'a','cid':'é'",
        "'decision':'a','full':['a',1]",
        "'decision':'a','full':['a'",
        "'decision':'a', 'rows':1",
        "'decision':'a','rows':1}",
        "'decision':'a','rows':",
        "'decision':'a',",
        "'decision':'a','enforced':tru",
        "'rows':1"
      })
  void leavesEverythingElseToTheOther(String fields) throws LineException {
    assertThat(LineParser.plainCall(line(List.of(fields)))).isNull();
  }

  /** Bytes changed, left out or doubled at random: whatever it still reads is read alike. */
  @Property(tries = 3_000)
  void readsNoLineOtherwise(@ForAll long seed) throws LineException {
    Random random = new Random(seed);
    List<String> fields = new ArrayList<>(FIELDS);
    Collections.shuffle(fields, random);
    byte[] line = line(fields.subList(0, 1 + random.nextInt(fields.size())));
    for (int changes = random.nextInt(4); changes > 0; changes--) {
      line = changed(line, random);
    }

    CapacityCall plain = LineParser.plainCall(line);

    if (plain != null) {
      assertThat(plain).isEqualTo(LineParser.parseAny(line));
    }
  }

  private static byte[] changed(byte[] line, Random random) {
    StringBuilder text = new StringBuilder(new String(line, UTF_8));
    int at = 25 + random.nextInt(text.length() - 25);
    char odd = ODD_BYTES.charAt(random.nextInt(ODD_BYTES.length()));
    switch (random.nextInt(3)) {
      case 0 -> text.setCharAt(at, odd);
      case 1 -> text.deleteCharAt(at);
      default -> text.insert(at, odd);
    }
    return text.toString().getBytes(UTF_8);
  }

  private static byte[] line(List<String> fields) {
    return ("{'event':'ocl_capacity'," + String.join(",", fields) + "}")
        .replace('\'', '"')
        .getBytes(UTF_8);
  }
}
