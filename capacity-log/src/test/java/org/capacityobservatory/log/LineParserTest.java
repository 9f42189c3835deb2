package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.capacityobservatory.log.LineException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineParserTest {
  @Test
  void readsEveryFieldOfACall() throws LineException {
    CapacityCall call =
        call(
            """
            {"event":"ocl_capacity","decision":"shadow-refused","mode":"shadow","enforced":false,\
            "endpoint":"$match","semantic":true,"reranker":false,"rows":25,"single_row":false,\
            "tier":"core","user_id":1001,"full":["api_heavy","tier"],"scope":"api_heavy",\
            "in_flight":3,"limit":3,"task_in_flight":1,"task_limit":2,"es2_knn_in_flight":2,\
            "es2_knn_limit":4,"tier_in_flight":5,"tier_limit":6,"user_in_flight":7,"user_limit":8,\
            "suggested":9,"retry_after":10,"held_ms":8412,"queue_ms":120,"lease_lost":true,\
            "error":"e","task":"task-a","request_source":"automatch","algorithm_id":"a",\
            "automatch_run_id":"r","cid":"c1","log_dropped":11}\
            """);

    assertThat(call)
        .isEqualTo(
            new CapacityCall(
                "shadow-refused",
                "shadow",
                false,
                "$match",
                true,
                false,
                25L,
                false,
                "core",
                1001L,
                List.of("api_heavy", "tier"),
                "api_heavy",
                3L,
                3L,
                1L,
                2L,
                2L,
                4L,
                5L,
                6L,
                7L,
                8L,
                9L,
                10L,
                8412L,
                120L,
                true,
                "e",
                "task-a",
                "automatch",
                "a",
                "r",
                "c1",
                11L,
                List.of(),
                "",
                List.of()));
  }

  @Test
  void readsAConfigChangeAndKeepsItsChangesVerbatim() throws LineException {
    CapacityEvent event =
        parse(
            """
            {"event":"ocl_capacity_config","version":4,"changed_by":"staff-b","source":"api",\
            "note":"more workers","changes":{"api_heavy.cluster":[4,6],"mode":["shadow","off"]},\
            "mode":"off"}\
            """);

    assertThat(event)
        .isEqualTo(
            new ConfigChange(
                4L,
                "staff-b",
                "api",
                "more workers",
                "off",
                "{\"api_heavy.cluster\":[4,6],\"mode\":[\"shadow\",\"off\"]}",
                null,
                List.of(),
                "",
                List.of()));
  }

  @Test
  void tellsMissingFromNullFromZero() throws LineException {
    CapacityCall missing = call("{\"event\":\"ocl_capacity\",\"decision\":\"refused\"}");
    CapacityCall isNull =
        call("{\"event\":\"ocl_capacity\",\"decision\":\"unavailable\",\"held_ms\":null}");
    CapacityCall zero =
        call("{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"held_ms\":0}");

    assertThat(missing.heldMs()).isNull();
    assertThat(missing.nullKeys()).isEmpty();
    assertThat(isNull.heldMs()).isNull();
    assertThat(isNull.nullKeys()).containsExactly("held_ms");
    assertThat(zero.heldMs()).isZero();
  }

  @Test
  void keepsUnknownKeysAndValuesVerbatim() throws LineException {
    CapacityCall call =
        call(
            """
            {"new":{"a":[1, 2.50,"é"]},"event":"ocl_capacity","decision":"Deferred","tier":"",\
            "scope":"gpu_heavy" , "big" : 1e400,"s":"x\\ny"}\
            """);

    assertThat(call.decision()).isEqualTo("Deferred");
    assertThat(call.tier()).isEmpty();
    assertThat(call.scope()).isEqualTo("gpu_heavy");
    assertThat(call.unknown())
        .isEqualTo("{\"new\":{\"a\":[1, 2.50,\"é\"]},\"big\":1e400,\"s\":\"x\\ny\"}");
  }

  @Test
  void keepsALoneSurrogateAsItsEscape() throws LineException {
    CapacityCall call =
        call(
            """
            {"event":"ocl_capacity","decision":"admitted","algorithm_id":"a\\ud83d",\
            "cid":"\\ud83d\\ude00"}\
            """);

    assertThat(call.algorithmId()).isEqualTo("a\\ud83d");
    assertThat(call.cid()).isEqualTo("😀");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"event":"ocl_capacity"}                                          | MISSING_FIELD
          {"event":"ocl_capacity","decision":null}                          | MISSING_FIELD
          {"decision":"admitted"}                                           | MISSING_FIELD
          {"event":7,"decision":"admitted"}                                 | TYPE_ERROR
          {"event":"ocl_capacity","decision":"admitted","held_ms":-1}       | RANGE_ERROR
          {"event":"ocl_capacity","decision":"admitted","held_ms":1e999999999} | RANGE_ERROR
          {"event":"ocl_capacity","decision":"admitted","held_ms":4294967296}  | RANGE_ERROR
          {"event":"ocl_capacity","decision":"admitted","user_id":99999999999999999999} | RANGE_ERROR
          {"event":"ocl_capacity","decision":"admitted","decision":"refused"}  | DUP_KEY
          {"event":"ocl_capacity","decision":"admitted","x":1,"x":2}        | DUP_KEY
          {"event":"ocl_capacity","decision":"admi                          | BAD_JSON
          {"event":"ocl_capacity","decision":"admitted"} x                  | BAD_JSON
          [{"event":"ocl_capacity","decision":"admitted"}]                  | BAD_JSON
          x                                                                 | BAD_JSON
          {"event":"ocl_usage"}                                             | OTHER_EVENT
          """)
  void refusesWhatCannotBeMeant(String line, Reason reason) {
    assertThat(reasonOf(line.getBytes(UTF_8))).isEqualTo(reason);
  }

  /** The value is kept, its field is unknown, and nothing else of the line is lost. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rows       | "25"
          rows       | 2.5
          held_ms    | {"a":[1, 2]}
          enforced   | 0
          full       | "tier"
          full       | [1,"tier",{"a":[]}]
          full       | ["tier",[]]
          tier       | 7
          cid        | ["é"]
          """)
  void keepsAKnownKeyOfAnotherTypeVerbatim(String key, String value) throws LineException {
    CapacityCall call =
        call(
            "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"%s\":%s,\"task\":\"a\"}"
                .formatted(key, value));

    assertThat(call.typeErrors()).containsExactly(key);
    assertThat(call.unknown()).isEqualTo("{\"%s\":%s}".formatted(key, value));
    assertThat(call.task()).isEqualTo("a");
    assertThat(call.rows()).isNull();
    assertThat(call.heldMs()).isNull();
    assertThat(call.enforced()).isNull();
    assertThat(call.full()).isEmpty();
    assertThat(call.tier()).isNull();
    assertThat(call.cid()).isNull();
  }

  @Test
  void keepsADecisionThatIsNoTextAsNoDecision() throws LineException {
    CapacityCall call = call("{\"event\":\"ocl_capacity\",\"decision\":1,\"new\":true}");

    assertThat(call.decision()).isEmpty();
    assertThat(call.typeErrors()).containsExactly("decision");
    assertThat(call.unknown()).isEqualTo("{\"decision\":1,\"new\":true}");
  }

  @Test
  void keepsAConfigChangeWhoseChangesAreNoObject() throws LineException {
    ConfigChange change =
        (ConfigChange) parse("{\"event\":\"ocl_capacity_config\",\"changes\":[1]}");

    assertThat(change.changes()).isEqualTo("{}");
    assertThat(change.typeErrors()).containsExactly("changes");
    assertThat(change.unknown()).isEqualTo("{\"changes\":[1]}");
  }

  @Test
  void findsTheEventWhereverItStands() throws LineException {
    CapacityCall call =
        call(
            "{\"x\":{\"event\":1},\"decision\":\"admitted\",\"event\":\"ocl_capacity\",\"rows\":2}");

    assertThat(call.rows()).isEqualTo(2);
    assertThat(call.unknown()).isEqualTo("{\"x\":{\"event\":1}}");
    assertThat(
            reasonOf(
                "{\"event\":\"ocl_capacity\",\"decision\":\"a\",\"event\":\"ocl_capacity\"}"
                    .getBytes(UTF_8)))
        .isEqualTo(Reason.DUP_KEY);
  }

  @Test
  void boundsWhatItKeepsOfTheUnknownAndSaysSo() throws LineException {
    String keys =
        IntStream.range(0, 2000)
            .mapToObj(i -> ",\"key-number-%d\":1".formatted(i))
            .collect(Collectors.joining());
    CapacityCall call =
        call(
            "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"big\":\"%s\",\"small\":1%s}"
                .formatted("x".repeat(20_000), keys));

    assertThat(call.unknown())
        .startsWith("{\"big\":\"(left out: 20002 characters)\",\"small\":1,\"key-number-0\":1,")
        .matches(".*,\"\\(left out\\)\":\"\\d+ keys\"}")
        .hasSizeLessThan(LineReader.MAX_UNKNOWN_CHARS + 1000);
  }

  @Test
  void refusesDepthWithoutRecursion() {
    String deep = "{\"event\":\"ocl_capacity\",\"changes\":" + "{\"a\":".repeat(10_000);
    assertThat(reasonOf(deep.getBytes(UTF_8))).isEqualTo(Reason.DEPTH);
    assertThat(reasonOf("[".repeat(2 << 20).getBytes(UTF_8))).isEqualTo(Reason.BAD_JSON);
  }

  @Test
  void refusesBytesThatAreNotUtf8() {
    String start = "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"cid\":\"";
    assertThat(reasonOf((start + "\u00ff\"}").getBytes(ISO_8859_1))).isEqualTo(Reason.BAD_UTF8);
    assertThat(reasonOf((start + "\u00c0\u00af\"}").getBytes(ISO_8859_1)))
        .isEqualTo(Reason.BAD_UTF8);
  }

  @Test
  void refusesAnEmptyLine() {
    assertThat(reasonOf(new byte[0])).isEqualTo(Reason.BAD_JSON);
  }

  private static Reason reasonOf(byte[] line) {
    LineException refused = catchThrowableOfType(LineException.class, () -> LineParser.parse(line));
    assertThat(refused).isNotNull();
    return refused.reason();
  }

  private static CapacityCall call(String line) throws LineException {
    return (CapacityCall) parse(line);
  }

  private static CapacityEvent parse(String line) throws LineException {
    return LineParser.parse(line.getBytes(UTF_8));
  }
}
