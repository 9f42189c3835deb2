package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeReaderTest {
  private static final String TIME = "2026-11-30T09:48:14.830426781Z";
  private static final long TIME_MILLIS = 1_796_032_094_830L;

  private final EnvelopeReader reader = new EnvelopeReader();

  private String read(String line) {
    return read(line.getBytes(UTF_8));
  }

  private String read(byte[] line) {
    reader.read(line, 0, line.length);
    return new String(
        reader.payload(), reader.payloadFrom(), reader.payloadTo() - reader.payloadFrom(), UTF_8);
  }

  @Test
  void takesDockerRecords() {
    String line =
        "{\"log\":\"{\\\"a\\\":\\\"\\u003c\\u00e9\\ud83d\\ude00\\\"}\\n\",\"stream\":\"stderr\",\"time\":\""
            + TIME
            + "\"}";
    assertThat(read(line)).isEqualTo("{\"a\":\"<é😀\"}");
    assertThat(reader.stream()).isEqualTo("stderr");
    assertThat(reader.timeMillis()).isEqualTo(TIME_MILLIS);
    assertThat(reader.isPiece()).isFalse();
  }

  @Test
  void takesDockerRecordsWithKeysInAnyOrderAndAttributes() {
    String line =
        "{\"time\":\""
            + TIME
            + "\", \"attrs\":{\"tag\":\"api\"}, \"stream\":\"stdout\", \"log\":\"x\\n\"} ";
    assertThat(read(line)).isEqualTo("x");
    assertThat(reader.timeMillis()).isEqualTo(TIME_MILLIS);
  }

  @Test
  void aDockerRecordWithoutFinalLfIsAPiece() {
    assertThat(read("{\"log\":\"half\",\"stream\":\"stdout\",\"time\":\"" + TIME + "\"}"))
        .isEqualTo("half");
    assertThat(reader.isPiece()).isTrue();
  }

  @Test
  void aLoneEscapedSurrogateStaysEscaped() {
    String record =
        "{\"log\":\"a\\ud83dz\\ude00\\n\",\"stream\":\"stdout\",\"time\":\"" + TIME + "\"}";
    assertThat(read(record)).isEqualTo("a\\ud83dz\\ude00");
    // The usual case: the application escaped it, and Docker escaped the backslash.
    String twice = "{\"log\":\"a\\\\ud83dz\\n\",\"stream\":\"stdout\",\"time\":\"" + TIME + "\"}";
    assertThat(read(twice)).isEqualTo("a\\ud83dz");
  }

  @Test
  void bytesThatAreNotUtf8StayAsTheyAre() {
    byte[] line =
        ("{\"log\":\"#@\\n\",\"stream\":\"stdout\",\"time\":\"" + TIME + "\"}").getBytes(UTF_8);
    line[8] = (byte) 0xff;
    line[9] = (byte) 0xc0;
    reader.read(line, 0, line.length);
    assertThat(reader.payload()).startsWith(0xff, 0xc0);
    assertThat(reader.payloadTo()).isEqualTo(2);
  }

  @Property
  void decodesWhatJacksonEncodes(@ForAll String text) {
    // Java strings may hold lone surrogates, which UTF-8 can't: they aren't meant here.
    String clean = new String(text.getBytes(UTF_8), UTF_8);
    String log = new String(JsonStringEncoder.getInstance().quoteAsString(clean + "\n"));
    assertThat(read("{\"log\":\"" + log + "\",\"time\":\"" + TIME + "\"}")).isEqualTo(clean);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"log\":\"x\\n\",\"stream\":\"stdout\",\"time\":\"yesterday\"}",
        "{\"log\":\"x\\n\",\"stream\":\"stdout\"}",
        "{\"log\":\"x\\n\",\"stream\":1,\"time\":\"2026-11-30T09:48:14Z\"}",
        "{\"log\":\"x\\n\",\"level\":\"info\",\"time\":\"2026-11-30T09:48:14Z\"}",
        "{\"log\":\"x\\n\",\"time\":\"2026-11-30T09:48:14Z\"} x",
        "{\"log\":\"x\\n\",\"time\":\"2026-11-30T09:48",
        "{\"log\":\"x\\q\",\"time\":\"2026-11-30T09:48:14Z\"}",
        "{\"log\":\"x"
      })
  void aBrokenDockerRecordStaysBareAndIsNamed(String line) {
    assertThat(read(line)).isEqualTo(line);
    assertThat(reader.isBroken()).isTrue();
    assertThat(reader.timeMillis()).isEqualTo(Rfc3339.NOT_A_TIME);
    assertThat(new String(reader.salvaged(), UTF_8)).startsWith("x");
  }

  @Test
  void takesCriLines() {
    assertThat(read("2026-11-30T10:48:14.830426781+01:00 stdout F {\"a\": 1} b"))
        .isEqualTo("{\"a\": 1} b");
    assertThat(reader.stream()).isEqualTo("stdout");
    assertThat(reader.timeMillis()).isEqualTo(TIME_MILLIS);
    assertThat(reader.isPiece()).isFalse();
    assertThat(read("2026-11-30T09:48:14Z stderr P:x part")).isEqualTo("part");
    assertThat(reader.isPiece()).isTrue();
    assertThat(reader.stream()).isEqualTo("stderr");
    assertThat(read("2026-11-30T09:48:14Z stdout F ")).isEmpty();
    assertThat(read("2026-11-30T09:48:14Z stdout F")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{\"event\":\"ocl_capacity\"}",
        "2026-13-30T09:48:14Z stdout F x",
        "2026-11-30T09:48:14Z stdin F x",
        "2026-11-30T09:48:14Z stdout X x",
        "2026-11-30T09:48:14Z stdout FP x",
        "2026-11-30T09:48:14Z stdout  x",
        "2026-11-30T09:48:14Z stdout",
        "{\"stream\":\"stdout\",\"time\":\"2026-11-30T09:48:14Z\"}",
        "10.0.0.1 - - x"
      })
  void whatMerelyLooksSimilarIsBare(String line) {
    assertThat(read(line)).isEqualTo(line);
    assertThat(reader.isBroken()).isFalse();
    assertThat(reader.isPiece()).isFalse();
    assertThat(reader.stream()).isEmpty();
    assertThat(reader.timeMillis()).isEqualTo(Rfc3339.NOT_A_TIME);
  }
}
