package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineJudgeTest {
  private final LineJudge judge = new LineJudge();

  /** Each char of the text is one byte, so that tests can write bytes that aren't UTF-8. */
  private LineKind judge(String bytes) {
    byte[] line = ("##" + bytes + "##").getBytes(ISO_8859_1);
    return judge.judge(line, 2, line.length - 2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"event\":\"ocl_capacity\"}",
        "{\"event\":\"ocl_capacity_config\",\"version\":1}",
        " { \"event\" : \"ocl_capacity\" } ",
        "{\"tier\":\"core\",\"full\":[{}],\"event\":\"ocl_capacity\"}",
        "{\"\\u0065vent\":\"ocl\\u005fcapacity\"}",
        "{\"event\":\"ocl_capacity\",\"decision\":7,\"decision\":8}",
        "{\"event\":\"ocl_capacity\",\"algorithm_id\":\"\\ud83d\"}",
        "{\"event\":\"ocl_capacity\",\"task\":\"\u00c3\u00a9\"}",
      })
  void ours(String line) {
    assertThat(judge(line)).isEqualTo(LineKind.OURS);
    assertThat(judge.reason()).isNull();
  }

  @Test
  void depthIsNotAskedHere() {
    String deep = "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000);
    assertThat(judge("{\"event\":\"ocl_capacity\",\"changes\":" + deep + "}"))
        .isEqualTo(LineKind.OURS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{\"",
        "}",
        "{\"a\":",
        "[c7] search term \u00f0\u009f\u0098\u0080",
        "\u00ff",
        "10.0.0.98 - - [30/Nov/2026:09:48:08 +0000] \"POST /concepts/$match/ HTTP/1.1\" 200",
        "match row took 0.989 s",
        "{\"event\":\"ocl_usage\",\"action\":\"match\"}",
        "{\"event\":\"ocl_capacity2\"}",
        "{\"event\":\"OCL_CAPACITY\"}",
        "{\"event\":[\"ocl_capacity\"]}",
        "{\"event\":null}",
        "{\"event\":\"ocl_usage\"",
        "grep ocl_capacity app.log",
        "searched for \"ocl_capacity\" {}",
        "\"event\":\"ocl_capacity\"",
        "{\"myevent\":\"ocl_capacity\"}",
      })
  void notOurs(String line) {
    assertThat(judge(line)).isEqualTo(LineKind.NOT_OURS);
    assertThat(judge.droppedAtSource()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{\"e ~ UNTERMINATED",
        "{\"event\":\"ocl_cap ~ UNTERMINATED",
        "{\"event\" : \"ocl_cap ~ UNTERMINATED",
        "{\"event\":\"ocl_capacity ~ UNTERMINATED",
        "{\"event\":\"ocl_capacity\" ~ UNTERMINATED",
        "{\"event\":\"ocl_capacity\",\"held_ms\":84 ~ UNTERMINATED",
        "{\"event\":\"ocl_capacity\",\"full\":[\"user\" ~ UNTERMINATED",
        "{\"event\":\"ocl_capacity\",\"held_ms\":abc} ~ BAD_JSON",
        "{\"event\":\"ocl_capacity\",\"held_ms\":NaN} ~ BAD_JSON",
        "{\"event\":\"ocl_capacity\",} ~ BAD_JSON",
        "{\"event\":\"ocl_capacity\"}} ~ BAD_JSON",
        "{\"event\":\"ocl_capacity\"}{\"event\":\"ocl_capacity\"} ~ BAD_JSON",
        "{\"event\":\"ocl_capacity\"} ES Search ~ BAD_JSON",
        "{\"a\":tru,\"event\":\"ocl_capacity\"} ~ BAD_JSON",
        "{\"event\":\"ocl_capacity\",\"task\":\"\u00ff\"} ~ BAD_UTF8",
        "{\"event\":\"ocl_capacity\",\"task\":\"\u00c0\u00af\"} ~ BAD_UTF8",
        "{\"event\":\"ocl_capacity\",\"task\":\"\u00ed\u00a0\u0080\"} ~ BAD_UTF8",
        "[{\"event\":\"ocl_capacity\",\"decision\":\"admitted\"}] ES Search ~ EMBEDDED",
        "INFO {\"event\":\"ocl_capacity\",\"decision\":\"admitted\"} ~ EMBEDDED",
        "INFO {\"event\": \"ocl_capacity_config\"} ~ EMBEDDED",
        "INFO {\"tier\":\"core\",\"event\":\"ocl_capacity ~ EMBEDDED",
        "{\"event\":\"audit\",\"of\":{\"event\":\"ocl_capacity\"}} ~ EMBEDDED",
        "{\"event\":\"x\",\"event\":\"ocl_capacity\"} ~ EMBEDDED",
        "{\"message\":\"{\\\"event\\\":\\\"ocl_capacity\\\"}\"} ~ EMBEDDED",
      })
  void keptAside(String line, QuarantineReason reason) {
    assertThat(judge(line)).isEqualTo(LineKind.QUARANTINED);
    assertThat(judge.reason()).isEqualTo(reason);
    assertThat(judge.detail()).isNotBlank();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{\"event\":\"ocl_usage\",\"log_dropped\":7} ~ 7",
        "{\"log_dropped\":12,\"a\":1} ~ 12",
        "{\"a\":1,\"log_dropped\":0} ~ 0",
        "{\"a\":1,\"log_dropped\":-3} ~ 0",
        "{\"a\":1,\"log_dropped\":1.5} ~ 0",
        "{\"a\":1,\"log_dropped\":\"4\"} ~ 0",
        "{\"a\":{\"log_dropped\":4}} ~ 0",
        "{\"log_dropped\":4,\"a\":x} ~ 0",
        "{\"log_dropped\":4 ~ 0",
        "log_dropped\":4 ~ 0",
      })
  void countsWhatTheSourceDropped(String line, long dropped) {
    assertThat(judge(line)).isEqualTo(LineKind.NOT_OURS);
    assertThat(judge.droppedAtSource()).isEqualTo(dropped);
  }

  @Test
  void whatOursDroppedIsItsOwnRowsToTell() {
    assertThat(judge("{\"event\":\"ocl_capacity\",\"log_dropped\":9}")).isEqualTo(LineKind.OURS);
    assertThat(judge.droppedAtSource()).isZero();
  }
}
