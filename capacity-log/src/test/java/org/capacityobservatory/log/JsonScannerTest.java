package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonScannerTest {
  private static final JsonFactory JACKSON =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(100_000).build())
          .build();

  private static boolean isWhole(byte[] json) {
    int from = JsonScanner.skipSpace(json, 0, json.length);
    int end = from == json.length ? -1 : new JsonScanner().skipValue(json, from, json.length);
    return end >= 0 && JsonScanner.skipSpace(json, end, json.length) == json.length;
  }

  private static boolean isWholeByJackson(byte[] json) {
    try (JsonParser parser = JACKSON.createParser(json)) {
      if (parser.nextToken() == null) {
        return false;
      }
      parser.skipChildren();
      parser.finishToken();
      return parser.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "0",
        "-0",
        "-1.5e+3",
        "\"a\\u00e9\\\"\"",
        "true",
        " null ",
        "[1, {\"a\":[]}]",
        "",
        "{",
        "[",
        "{]",
        "[}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "[1,]",
        "01",
        "1.",
        "-",
        "1e",
        "tru",
        "trux",
        "\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\t\"",
        "[1 2]",
        "{} {}",
        "{a:1}",
        "[[[]]",
        "{\"a\":{\"b\":[1,2,{\"c\":null}]}}",
        "+1",
        "NaN",
        "{\"a\":1}x"
      })
  void agreesWithJackson(String json) {
    byte[] bytes = json.getBytes(UTF_8);
    assertThat(isWhole(bytes)).isEqualTo(isWholeByJackson(bytes));
  }

  @Property
  void agreesWithJacksonOnNearlyJson(@ForAll("nearlyJson") String json) {
    byte[] bytes = json.getBytes(UTF_8);
    assertThat(isWhole(bytes)).as(json).isEqualTo(isWholeByJackson(bytes));
  }

  /** Valid JSON with up to two bytes changed, removed or doubled. */
  @Provide
  Arbitrary<String> nearlyJson() {
    return Arbitraries.randomValue(
        random -> {
          StringBuilder json = new StringBuilder();
          write(json, random, 0);
          for (int k = random.nextInt(3); k > 0 && json.length() > 0; k--) {
            int at = random.nextInt(json.length());
            switch (random.nextInt(3)) {
              case 0 -> json.deleteCharAt(at);
              case 1 -> json.insert(at, json.charAt(random.nextInt(json.length())));
              default -> json.setCharAt(at, "{}[],:\"\\0e-.tn x".charAt(random.nextInt(16)));
            }
          }
          return json.toString();
        });
  }

  private static void write(StringBuilder json, Random random, int depth) {
    switch (random.nextInt(depth > 3 ? 4 : 7)) {
      case 0 -> json.append(random.nextInt(2000) - 1000);
      case 1 -> json.append(random.nextInt(100)).append(".5e").append(random.nextInt(9));
      case 2 -> json.append(random.nextBoolean() ? "true" : "null");
      case 3 -> json.append("\"a\\n\\u00e9").append((char) ('a' + random.nextInt(26))).append('"');
      case 4, 5 -> {
        json.append('{');
        for (int k = random.nextInt(4); k > 0; k--) {
          json.append("\"k").append(k).append("\": ");
          write(json, random, depth + 1);
          json.append(k > 1 ? "," : "");
        }
        json.append('}');
      }
      default -> {
        json.append('[');
        for (int k = random.nextInt(4); k > 0; k--) {
          write(json, random, depth + 1);
          json.append(k > 1 ? " ," : "");
        }
        json.append(']');
      }
    }
  }

  @Test
  void goesDeepWithoutRecursion() {
    String deep = "{\"a\":".repeat(100_000) + "1" + "}".repeat(100_000);
    assertThat(isWhole(deep.getBytes(UTF_8))).isTrue();
    assertThat(isWhole(deep.substring(0, deep.length() - 1).getBytes(UTF_8))).isFalse();
  }
}
