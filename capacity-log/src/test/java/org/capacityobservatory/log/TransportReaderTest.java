package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransportReaderTest {
  private static final String CALL =
      "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"cid\":\"c1\"}";

  private final List<String> lines = new ArrayList<>();
  private final List<JudgedLine> judged = new ArrayList<>();
  private final List<String> pieces = new ArrayList<>();

  private final LineSink sink =
      new LineSink() {
        @Override
        public void line(JudgedLine line) {
          JudgedLine copy = line.copy();
          judged.add(copy);
          lines.add(
              copy.kind()
                  + " "
                  + new String(copy.bytes(), copy.from(), copy.to() - copy.from(), UTF_8));
        }

        @Override
        public void piece(long linePosition, @org.jspecify.annotations.Nullable EntryName name) {
          pieces.add(linePosition + " " + (name == null ? "-" : name.name()));
        }
      };

  private final LineAssembler assembler = new LineAssembler(100_000, Duration.ofSeconds(30), sink);

  private JudgedLine only(String text) {
    byte[] bytes = (text + "\n").getBytes(UTF_8);
    assembler.feed(bytes, 0, bytes.length, 0);
    assertThat(judged).hasSize(1);
    return judged.get(0);
  }

  private static String quoted(String text) {
    return new String(JsonStringEncoder.getInstance().quoteAsString(text));
  }

  private static String journal(String fields) {
    return "{\"_TRANSPORT\":\"stdout\",\"__CURSOR\":\"s=1;i=2\",\"__REALTIME_TIMESTAMP\":"
        + "\"1796032094830426\","
        + fields
        + ",\"_PID\":\"7\",\"CODE\":null,\"_X\":[\"a\",[1]]}";
  }

  private static final EntryName CURSOR = new EntryName("journald", "s=1;i=2");

  @Test
  void takesAJournalEntry() {
    JudgedLine line = only(journal("\"MESSAGE\":\"" + quoted(CALL) + "\""));
    assertThat(lines).containsExactly("OURS " + CALL);
    assertThat(line.timeMillis()).isEqualTo(1_796_032_094_830L);
    assertThat(line.name()).isEqualTo(CURSOR);
    // sha256 of "\0journald\0s=1;i=2", its first 16 bytes: made by sha256sum.
    assertThat(EventId.named(CURSOR)).hasToString("a25bf84f-878e-5b2c-7a4a-5f822b2b7566");
  }

  @Test
  void takesAMessageOfBytes() {
    StringBuilder bytes = new StringBuilder();
    for (byte b : (CALL + "\n").getBytes(UTF_8)) {
      bytes.append(bytes.isEmpty() ? "" : ",").append(b & 0xff);
    }
    only(journal("\"MESSAGE\":[" + bytes + "]"));
    assertThat(lines).containsExactly("OURS " + CALL);
  }

  @Test
  void bytesThatAreNotUtf8StayAsTheyAre() {
    JudgedLine line = only(journal("\"MESSAGE\":[97,255,98]"));
    assertThat(line.bytes()).containsExactly('a', 0xff, 'b');
    assertThat(line.kind()).isEqualTo(LineKind.NOT_OURS);
  }

  @Test
  void severalMessagesStandUnderEachOther() {
    only(journal("\"MESSAGE\":[\"a\",[98,99],null]"));
    assertThat(lines).containsExactly("NOT_OURS a\nbc");
  }

  @Test
  void aMessageLeftOutForItsLengthIsKeptAsideWithTheRemedy() {
    JudgedLine line = only(journal("\"MESSAGE\":null"));
    assertThat(line.reason()).isEqualTo(QuarantineReason.BAD_ENVELOPE);
    assertThat(line.detail()).contains("--all");
    assertThat(line.name()).isEqualTo(CURSOR);
  }

  @Test
  void anEntryWithoutMessageIsNoise() {
    only(journal("\"PRIORITY\":\"6\""));
    assertThat(lines).containsExactly("NOT_OURS ");
  }

  @Test
  void joinsWhatJournaldHasCutPerStream() {
    String cut = "\"_STREAM_ID\":\"a\",\"_LINE_BREAK\":\"line-max\",";
    String text =
        journal(cut + "\"MESSAGE\":\"" + quoted(CALL.substring(0, 20)) + "\"")
            + "\n"
            + journal("\"_STREAM_ID\":\"b\",\"MESSAGE\":\"between\"")
            + "\n"
            + journal("\"_STREAM_ID\":\"a\",\"MESSAGE\":\"" + quoted(CALL.substring(20)) + "\"")
                .replace("i=2", "i=3");
    byte[] bytes = (text + "\n").getBytes(UTF_8);
    assembler.feed(bytes, 0, bytes.length, 0);
    assertThat(lines).containsExactly("NOT_OURS between", "OURS " + CALL);
    assertThat(judged.get(1).name()).isEqualTo(CURSOR);
    assertThat(judged.get(1).position()).isZero();
    assertThat(pieces).containsExactly("0 s=1;i=2", "0 s=1;i=3");
  }

  @Test
  void joinsWhatDockersJournaldDriverHasCut() {
    String partial = "\"CONTAINER_PARTIAL_ID\":\"p\",\"CONTAINER_PARTIAL_MESSAGE\":\"true\",";
    String text =
        journal(partial + "\"MESSAGE\":\"" + quoted(CALL.substring(0, 20)) + "\"")
            + "\n"
            + journal(
                "\"CONTAINER_PARTIAL_ID\":\"p\",\"CONTAINER_PARTIAL_LAST\":\"true\",\"MESSAGE\":\""
                    + quoted(CALL.substring(20))
                    + "\"");
    byte[] bytes = (text + "\n").getBytes(UTF_8);
    assembler.feed(bytes, 0, bytes.length, 0);
    assertThat(lines).containsExactly("OURS " + CALL);
  }

  @Test
  void takesACloudWatchEventOfASubscription() {
    JudgedLine line =
        only("{\"id\":\"3\",\"timestamp\":1790000000123,\"message\":\"" + quoted(CALL) + "\\n\"}");
    assertThat(lines).containsExactly("OURS " + CALL);
    assertThat(line.timeMillis()).isEqualTo(1_790_000_000_123L);
    assertThat(line.name()).isEqualTo(new EntryName("cloudwatch", "3"));
    assertThat(EventId.named(new EntryName("cloudwatch", "3")))
        .hasToString("9cc89bdc-5204-e942-3d9a-1ec941ec8daa");
  }

  @Test
  void takesACloudWatchEventWithoutName() {
    JudgedLine line =
        only(
            "{\"timestamp\":1790000000123,\"message\":\""
                + quoted(CALL)
                + "\",\"ingestionTime\":1790000000999}");
    assertThat(line.kind()).isEqualTo(LineKind.OURS);
    assertThat(line.name()).isNull();
  }

  @Test
  void anEnvelopeInTheMessageIsTakenOffTooAndItsTimeCounts() {
    JudgedLine line =
        only(
            "{\"eventId\":\"3\",\"logStreamName\":\"s\",\"timestamp\":1790000000123,\"message\":\""
                + quoted("2026-11-30T09:48:14.830Z stdout F " + CALL)
                + "\"}");
    assertThat(lines).containsExactly("OURS " + CALL);
    assertThat(line.timeMillis()).isEqualTo(1_796_032_094_830L);
    judged.clear();
    only(
        journal(
            "\"MESSAGE\":\""
                + quoted("{\"log\":\"" + quoted(CALL) + "\\n\",\"time\":\"2026-11-30T09:48:14Z\"}")
                + "\""));
    assertThat(lines).endsWith("OURS " + CALL);
    assertThat(judged.get(0).timeMillis()).isEqualTo(1_796_032_094_000L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-30T09:48:14.830Z ",
        "2026-11-30T09:48:14.830000+00:00 api/api/0123 ",
        "2026-11-30T09:48:15Z 2026-11-30T10:48:14.830426781+01:00 stderr F ",
        "2026-11-30T09:48:15Z a-stream 2026-11-30T09:48:14.830Z stdout F "
      })
  void takesExportedLines(String start) {
    JudgedLine line = only(start + CALL);
    assertThat(lines).containsExactly("OURS " + CALL);
    assertThat(line.timeMillis()).isEqualTo(1_796_032_094_830L);
    assertThat(line.name()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"_X\":\"1\",\"MESSAGE\":\"x\"}",
        "{\"__REALTIME_TIMESTAMP\":\"soon\",\"MESSAGE\":\"x\"}",
        "{\"__REALTIME_TIMESTAMP\":\"1\",\"MESSAGE\":\"x\"",
        "{\"__REALTIME_TIMESTAMP\":\"1\",\"MESSAGE\":\"x\"} y",
        "{\"id\":\"1\",\"timestamp\":\"1\",\"message\":\"x\"}",
        "{\"id\":\"1\",\"timestamp\":1,\"message\":\"x\",\"level\":\"info\"}",
        "{\"timestamp\":1,\"message\":\"x\"}",
        "{\"id\":\"1\",\"message\":\"x\"}",
        "2026-11-30T09:48:14Z some words",
        "2026-11-30T09:48:14Z two words {\"a\":1}",
        "2026-11-30T09:48:14Z ",
        "2026-11-30 {\"a\":1}"
      })
  void whatMerelyLooksSimilarIsBare(String line) {
    JudgedLine bare = only(line);
    assertThat(lines).containsExactly("NOT_OURS " + line);
    assertThat(bare.hasTime()).isFalse();
    assertThat(bare.name()).isNull();
  }

  @Test
  void aCutEntryWithALineOfOursShows() {
    String whole = journal("\"MESSAGE\":\"" + quoted(CALL) + "\"");
    JudgedLine line = only(whole.substring(0, whole.length() - 5));
    assertThat(line.kind()).isEqualTo(LineKind.QUARANTINED);
  }
}
