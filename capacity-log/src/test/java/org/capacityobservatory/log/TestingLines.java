package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what an assembler gives out, and makes lines to feed it with. */
final class TestingLines implements LineSink {
  static final Duration PIECE_TIMEOUT = Duration.ofSeconds(30);

  record Seen(
      LineKind kind,
      String text,
      long position,
      @Nullable Long timeMillis,
      @Nullable String flag,
      @Nullable QuarantineReason reason,
      long dropped) {}

  final List<Seen> seen = new ArrayList<>();

  @Override
  public void line(JudgedLine line) {
    RawSample raw = line.raw();
    seen.add(
        new Seen(
            line.kind(),
            raw == null
                ? new String(line.bytes(), line.from(), line.to() - line.from(), UTF_8)
                : new String(raw.head(), UTF_8),
            line.position(),
            line.hasTime() ? line.timeMillis() : null,
            line.flag(),
            line.reason(),
            line.droppedAtSource()));
  }

  List<LineKind> kinds() {
    return seen.stream().map(Seen::kind).toList();
  }

  static List<Seen> assemble(byte[] bytes) {
    TestingLines lines = new TestingLines();
    LineAssembler assembler = new LineAssembler(1 << 20, PIECE_TIMEOUT, lines);
    assembler.feed(bytes, 0, bytes.length, 0);
    assembler.finish();
    return lines.seen;
  }

  static List<Seen> assemble(String text) {
    return assemble(text.getBytes(UTF_8));
  }

  /** A short valid line of the limiter, without LF. */
  static String call(int n) {
    return "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"mode\":\"shadow\","
        + "\"endpoint\":\"$match\",\"tier\":\"core\",\"held_ms\":840,\"task\":\"t1\",\"cid\":\"c"
        + n
        + "\"}";
  }

  static String docker(String escapedLog, String stream, String time) {
    return "{\"log\":\""
        + escapedLog
        + "\",\"stream\":\""
        + stream
        + "\",\"time\":\""
        + time
        + "\"}\n";
  }

  static String escaped(String text) {
    return text.replace("\\", "\\\\")
        .replace("\"", "\\\"")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }
}
