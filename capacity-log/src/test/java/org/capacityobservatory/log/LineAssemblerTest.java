package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.capacityobservatory.log.LineKind.NOT_OURS;
import static org.capacityobservatory.log.LineKind.OURS;
import static org.capacityobservatory.log.LineKind.QUARANTINED;
import static org.capacityobservatory.log.TestingLines.PIECE_TIMEOUT;
import static org.capacityobservatory.log.TestingLines.assemble;
import static org.capacityobservatory.log.TestingLines.call;
import static org.capacityobservatory.log.TestingLines.docker;
import static org.capacityobservatory.log.TestingLines.escaped;

import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.capacityobservatory.log.TestingLines.Seen;
import org.junit.jupiter.api.Test;

class LineAssemblerTest {
  private static final long T0 = 1_772_359_200_000L; // 2026-03-01T10:00:00Z

  /** C09: pieces of a Docker line, another stream between them. */
  @Test
  void joinsDockerPieces() {
    String call = call(12);
    String first = docker(escaped(call.substring(0, 40)), "stdout", "2026-03-01T10:00:00.001Z");
    List<Seen> seen =
        assemble(
            docker("x\\n", "stdout", "2026-03-01T10:00:00Z")
                + first
                + docker("warning\\n", "stderr", "2026-03-01T10:00:00.0015Z")
                + docker(escaped(call.substring(40) + "\n"), "stdout", "2026-03-01T10:00:00.002Z"));
    assertThat(seen).extracting(Seen::kind).containsExactly(NOT_OURS, NOT_OURS, OURS);
    long firstAt = docker("x\\n", "stdout", "2026-03-01T10:00:00Z").length();
    assertThat(seen.get(2)).isEqualTo(new Seen(OURS, call, firstAt, T0 + 2, null, null, 0));
  }

  /** C09: a text that is itself a Docker record isn't opened again. */
  @Test
  void unwrapsOnce() {
    String inner = docker(escaped("hello\n"), "stdout", "2026-03-01T10:00:00Z").trim();
    List<Seen> seen = assemble(docker(escaped(inner + "\n"), "stdout", "2026-03-01T10:00:00.007Z"));
    assertThat(seen).containsExactly(new Seen(NOT_OURS, inner, 0, T0 + 7, null, null, 0));
  }

  /** C10: CRI pieces of two streams in each other's way. */
  @Test
  void joinsCriPiecesPerStream() {
    String lines =
        """
        2026-03-01T10:00:00.1+01:00 stdout P {"event":"ocl_capacity","decision":"refused",
        2026-03-01T10:00:00.2+01:00 stderr F [c99] warning text
        2026-03-01T10:00:00.3+01:00 stderr P half of an error\s
        2026-03-01T10:00:00.4+01:00 stdout F "tier":"preview","cid":"c13"}
        2026-03-01T10:00:00.5+01:00 stderr F:y and its end
        """;
    List<Seen> seen = assemble(lines);
    assertThat(seen)
        .containsExactly(
            new Seen(NOT_OURS, "[c99] warning text", 83, T0 - 3_600_000 + 200, null, null, 0),
            new Seen(
                OURS,
                "{\"event\":\"ocl_capacity\",\"decision\":\"refused\",\"tier\":\"preview\",\"cid\":\"c13\"}",
                0,
                T0 - 3_600_000 + 400,
                null,
                null,
                0),
            new Seen(
                NOT_OURS,
                "half of an error and its end",
                139,
                T0 - 3_600_000 + 500,
                null,
                null,
                0));
  }

  /** C11: the last piece never comes. */
  @Test
  void waitsThirtySecondsForTheLastPiece() {
    TestingLines lines = new TestingLines();
    LineAssembler assembler = new LineAssembler(1 << 20, PIECE_TIMEOUT, lines);
    byte[] whole = ("2026-03-01T10:00:00Z stdout P " + call(14) + "\n").getBytes(UTF_8);
    byte[] half =
        "2026-03-01T10:00:01Z stderr P {\"event\":\"ocl_capacity\",\"dec\n".getBytes(UTF_8);
    assembler.feed(whole, 0, whole.length, 1_000);
    assembler.feed(half, 0, half.length, 2_000);
    assertThat(assembler.linesHeld()).isEqualTo(2);
    assertThat(assembler.linesBegun()).isEqualTo(2);
    assertThat(assembler.resumePoint().held())
        .isEqualTo(Map.of("stdout", 0L, "stderr", (long) whole.length));

    assembler.expire(30_999);
    assertThat(lines.seen).isEmpty();
    assembler.expire(31_000);
    assertThat(lines.seen)
        .containsExactly(new Seen(OURS, call(14), 0, T0, "unterminated", null, 0));
    assembler.expire(32_000);
    assertThat(lines.seen.get(1).reason()).isEqualTo(QuarantineReason.PARTIAL);
    assertThat(assembler.linesHeld()).isZero();

    byte[] next = ("2026-03-01T10:00:40Z stdout F " + call(15) + "\n").getBytes(UTF_8);
    assembler.feed(next, 0, next.length, 42_000);
    assertThat(lines.seen.get(2).text()).isEqualTo(call(15));
    assertThat(lines.seen.get(2).flag()).isNull();
  }

  @Test
  void heldNoiseIsNoiseAtTheEnd() {
    assertThat(assemble("2026-03-01T10:00:00Z stderr P half of an error\n"))
        .containsExactly(new Seen(NOT_OURS, "half of an error", 0, T0, "unterminated", null, 0));
  }

  @Test
  void aLineWithoutLfIsTriedAtTheEnd() {
    assertThat(assemble(call(1) + "\n" + call(2)))
        .extracting(Seen::kind, Seen::flag)
        .containsExactly(tuple(OURS, null), tuple(OURS, "unterminated"));
    Seen half = assemble("x\n" + call(3).substring(0, 50)).get(1);
    assertThat(half.reason()).isEqualTo(QuarantineReason.UNTERMINATED);
    assertThat(half.text()).isEqualTo(call(3).substring(0, 50));
    assertThat(half.position()).isEqualTo(2);
    String record = docker(escaped(call(3) + "\n"), "stdout", "2026-03-01T10:00:00Z");
    assertThat(assemble(record.substring(0, 90)).get(0).reason())
        .isEqualTo(QuarantineReason.UNTERMINATED);
    assertThat(assemble(record.substring(0, 90) + "\n").get(0).reason())
        .isEqualTo(QuarantineReason.BAD_ENVELOPE);
  }

  @Test
  void carriageReturnsMarksAndNulsAreNoPartOfALine() {
    String text =
        "\u00ef\u00bb\u00bf"
            + call(1)
            + "\r\n" // byte order mark, CR LF
            + "\0\0\0"
            + call(2)
            + "\n" // the hole of a truncated file
            + docker(escaped(call(3) + "\r\n"), "stdout", "2026-03-01T10:00:00Z")
            + "a\0b\n"
            + "\0\0";
    List<Seen> seen = assemble(text.getBytes(ISO_8859_1));
    assertThat(seen).extracting(Seen::text).containsExactly(call(1), call(2), call(3), "a\0b");
    assertThat(seen).extracting(Seen::position).startsWith(0L, (long) call(1).length() + 8);
  }

  /** C07: bytes, not characters: nothing drifts and nothing is replaced. */
  @Test
  void countsBytes() {
    byte[] noise = {'[', 'c', '7', ']', (byte) 0xf0, (byte) 0x9f, (byte) 0x98, (byte) 0x80, '\n'};
    byte[] lone = {(byte) 0xff, '\n', (byte) 0xc0, (byte) 0xaf, '\n'};
    byte[] call = (call(8) + "\n").getBytes(UTF_8);
    TestingLines lines = new TestingLines();
    LineAssembler assembler = new LineAssembler(1 << 20, PIECE_TIMEOUT, lines);
    assembler.feed(noise, 0, 6, 0);
    assembler.feed(noise, 6, noise.length, 0);
    assembler.feed(lone, 0, lone.length, 0);
    assembler.feed(call, 0, call.length, 0);
    assertThat(lines.kinds()).containsExactly(NOT_OURS, NOT_OURS, NOT_OURS, OURS);
    assertThat(lines.seen.get(3).position()).isEqualTo(14);
    assertThat(lines.seen.get(3).text()).isEqualTo(call(8));
    assertThat(lines.seen.get(0).text()).isEqualTo("[c7]\ud83d\ude00");
  }

  /** C06: half a line is nothing until its LF comes. */
  @Test
  void positionStaysAtTheHalfLine() {
    TestingLines lines = new TestingLines();
    LineAssembler assembler = new LineAssembler(1 << 20, PIECE_TIMEOUT, lines);
    byte[] bytes = ("x".repeat(4089) + "\n" + call(5) + "\n" + call(6) + "\n").getBytes(UTF_8);
    assembler.feed(bytes, 0, 4096, 0);
    assertThat(assembler.position()).isEqualTo(4090);
    assertThat(lines.seen).hasSize(1);
    assembler.feed(bytes, 4096, bytes.length, 0);
    assertThat(assembler.position()).isEqualTo(bytes.length);
    assertThat(lines.seen.subList(1, 3)).extracting(Seen::text).containsExactly(call(5), call(6));
  }

  /** C14: an endless line costs no memory, and is one letter with its length and hash. */
  @Test
  void keepsOnlyAPictureOfALineOverTheCap() throws Exception {
    List<RawSample> samples = new ArrayList<>();
    List<LineKind> kinds = new ArrayList<>();
    LineAssembler assembler =
        new LineAssembler(
            10_000,
            PIECE_TIMEOUT,
            line -> {
              kinds.add(line.kind());
              RawSample raw = line.raw();
              if (raw != null) {
                assertThat(line.reason()).isEqualTo(QuarantineReason.TOO_LONG);
                samples.add(raw);
              }
            });
    byte[] chunk = "x".repeat(7_000).getBytes(UTF_8);
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (int k = 0; k < 1_000; k++) {
      assembler.feed(chunk, 0, chunk.length, 0);
      digest.update(chunk);
    }
    byte[] rest = ("\n" + call(16) + "\n").getBytes(UTF_8);
    assembler.feed(rest, 0, rest.length, 0);
    assertThat(kinds).containsExactly(QUARANTINED, OURS);
    assertThat(samples.get(0).length()).isEqualTo(7_000_000);
    assertThat(samples.get(0).head()).hasSize(4096).containsOnly('x');
    assertThat(samples.get(0).sha256()).isEqualTo(HexFormat.of().formatHex(digest.digest()));
    assertThat(assembler.position()).isEqualTo(7_000_000 + rest.length);
  }

  @Test
  void theCapHoldsForJoinedPiecesAndToTheByte() {
    for (int size : new int[] {99, 100, 101, 300, 5000}) {
      TestingLines plain = new TestingLines();
      LineAssembler assembler = new LineAssembler(100, PIECE_TIMEOUT, plain);
      byte[] line = ("y".repeat(size) + "\n").getBytes(UTF_8);
      assembler.feed(line, 0, line.length, 0);
      assertThat(plain.kinds()).containsExactly(size > 100 ? QUARANTINED : NOT_OURS);

      TestingLines joined = new TestingLines();
      LineAssembler joining = new LineAssembler(100, PIECE_TIMEOUT, joined);
      StringBuilder pieces = new StringBuilder();
      for (int k = 0; k < size; k += 50) {
        pieces
            .append("2026-03-01T10:00:00Z stdout ")
            .append(k + 50 >= size ? "F " : "P ")
            .append("z".repeat(Math.min(50, size - k)))
            .append('\n');
      }
      byte[] bytes = pieces.toString().getBytes(UTF_8);
      joining.feed(bytes, 0, bytes.length, 0);
      assertThat(joined.kinds()).containsExactly(size > 100 ? QUARANTINED : NOT_OURS);
      assertThat(joined.seen.get(0).text()).isEqualTo("z".repeat(Math.min(size, 4096)));
    }
  }

  /** Lines of every kind and envelope, some in pieces, some broken. */
  private static byte[] randomLog(Random random) {
    StringBuilder text = new StringBuilder();
    for (int n = 0; n < 30; n++) {
      String line = random.nextInt(3) == 0 ? "noise é " + n : call(n);
      int stream = random.nextInt(2);
      String name = stream == 0 ? "stdout" : "stderr";
      String time = "2026-03-01T10:00:00.%03dZ".formatted(n);
      switch (random.nextInt(9)) {
        case 0 -> text.append(line).append("\r\n");
        case 1 -> text.append(docker(escaped(line + "\n"), name, time));
        case 2 ->
            text.append(time).append(' ').append(name).append(" F ").append(line).append('\n');
        case 3 -> text.append(docker(escaped(line.substring(0, 7)), name, time));
        case 4 ->
            text.append(time).append(' ').append(name).append(" P ").append(line).append('\n');
        case 5 -> text.append("\0\0").append(line, 0, 6).append('\n');
        case 6 -> text.append("z".repeat(400)).append('\n');
        case 7 -> text.append("[").append(line).append("] more\n");
        default -> text.append('\n');
      }
    }
    return text.append(call(99), 0, random.nextInt(60)).toString().getBytes(UTF_8);
  }

  private static LineAssembler assembler(TestingLines lines) {
    return new LineAssembler(350, PIECE_TIMEOUT, lines);
  }

  @Property(tries = 300)
  void cuttingAnywhereGivesTheSameLines(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] log = randomLog(random);
    TestingLines whole = new TestingLines();
    LineAssembler atOnce = assembler(whole);
    atOnce.feed(log, 0, log.length, 0);
    atOnce.finish();

    TestingLines cut = new TestingLines();
    LineAssembler inParts = assembler(cut);
    int from = 0;
    while (from < log.length) {
      int to = Math.min(log.length, from + 1 + random.nextInt(200));
      inParts.feed(log, from, to, 0);
      from = to;
    }
    assertThat(inParts.linesBegun()).isEqualTo(cut.seen.size() + inParts.linesHeld());
    inParts.finish();
    assertThat(cut.seen).isEqualTo(whole.seen);
    assertThat(inParts.linesBegun()).isEqualTo(cut.seen.size());
    assertThat(inParts.position()).isEqualTo(atOnce.position());
  }

  @Property(tries = 300)
  void stoppingAnywhereAndGoingOnGivesTheSameLines(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] log = randomLog(random);
    TestingLines whole = new TestingLines();
    LineAssembler atOnce = assembler(whole);
    atOnce.feed(log, 0, log.length, 0);
    atOnce.finish();

    TestingLines resumed = new TestingLines();
    ResumePoint place = ResumePoint.START;
    long begun = 0;
    for (int stop = 0; stop < 5; stop++) {
      LineAssembler next = resumed(log, resumed, place);
      int at = (int) place.position();
      next.feed(log, (int) place.readFrom(), at + random.nextInt(log.length - at + 1), 0);
      place = next.resumePoint();
      assertThat(place.position()).isEqualTo(next.position());
      begun += next.linesBegun();
    }
    LineAssembler last = resumed(log, resumed, place);
    last.feed(log, (int) place.readFrom(), log.length, 0);
    last.finish();
    assertThat(resumed.seen).isEqualTo(whole.seen);
    assertThat(begun + last.linesBegun()).isEqualTo(whole.seen.size());
  }

  private static LineAssembler resumed(byte[] log, TestingLines lines, ResumePoint place) {
    ResumePoint.LongLine line = place.longLine();
    byte[] head =
        line == null
            ? new byte[0]
            : Arrays.copyOfRange(
                log,
                (int) line.start(),
                (int) Math.min(place.position(), line.start() + RawSample.MAX_HEAD_BYTES));
    return new LineAssembler(350, PIECE_TIMEOUT, lines, () -> null, place, head);
  }

  /** A restart inside a line over the cap doesn't begin it again, and hashes all of it. */
  @Test
  void goesOnInsideALineOverTheCap() throws Exception {
    byte[] log = ("y\n" + "x".repeat(10_000) + "\n" + call(16) + "\n").getBytes(UTF_8);
    List<RawSample> samples = new ArrayList<>();
    LineSink sink =
        line -> {
          RawSample raw = line.raw();
          if (raw != null) {
            samples.add(raw);
          }
        };
    LineAssembler first = new LineAssembler(1000, PIECE_TIMEOUT, sink);
    first.feed(log, 0, 9_000, 0);
    ResumePoint place = first.resumePoint();
    // 8,998 bytes of the line are taken; 140 blocks of 64 bytes are whole.
    assertThat(place.position()).isEqualTo(2 + 8_960);
    byte[] head = Arrays.copyOfRange(log, 2, 2 + 4096);
    LineAssembler second = new LineAssembler(1000, PIECE_TIMEOUT, sink, () -> null, place, head);
    second.feed(log, (int) place.readFrom(), log.length, 0);
    assertThat(samples).hasSize(1);
    assertThat(samples.get(0).length()).isEqualTo(10_000);
    assertThat(samples.get(0).head()).isEqualTo(head);
    assertThat(samples.get(0).sha256())
        .isEqualTo(
            HexFormat.of()
                .formatHex(
                    MessageDigest.getInstance("SHA-256")
                        .digest("x".repeat(10_000).getBytes(UTF_8))));
    assertThat(second.position()).isEqualTo(log.length);
  }
}
