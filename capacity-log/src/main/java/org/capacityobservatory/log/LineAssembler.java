package org.capacityobservatory.log;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes logical lines out of the bytes of one generation of a source: cuts them at LF, takes the
 * envelope off, joins pieces, and says of each line whether it is ours.
 *
 * <p>However the bytes are cut into calls of {@link #feed}, the lines are the same; and a new
 * assembler made from its {@link #resumePoint()} goes on where this one stands. The rules for odd
 * bytes: one CR before the LF, a byte order mark at a line's start and NULs before a line's first
 * other byte are no part of the line; a position counts every byte. Not safe for several threads.
 */
public final class LineAssembler {
  private static final byte[] BOM = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final EnvelopeReader envelope = new EnvelopeReader();
  private final LineJudge judge = new LineJudge();
  private final JudgedLine judged = new JudgedLine();
  private final LineSplitter splitter;
  private final PieceJoiner joiner;
  private final LineSink sink;

  /** Lines before its position are read again only for what they are pieces of. */
  private final ResumePoint resume;

  private final Earlier earlier;

  /** Per stream, where the first piece in here of an earlier generation's line starts. */
  private final Map<String, Long> continued = new TreeMap<>();

  private long nowMillis;
  private long begun;

  /** Tells who reads the generation before, in which a line may have begun. */
  @FunctionalInterface
  public interface Earlier {
    /** The assembler of the generation before; null where there is none, or it is finished. */
    @Nullable LineAssembler assembler();
  }

  /**
   * An assembler for a generation from its start.
   *
   * @param maxLineBytes longest line, and longest sum of pieces, that is kept whole; at least 1
   * @param pieceTimeout how long the last piece is waited for
   * @param sink takes the lines
   */
  public LineAssembler(int maxLineBytes, Duration pieceTimeout, LineSink sink) {
    this(maxLineBytes, pieceTimeout, sink, () -> null, ResumePoint.START, new byte[0]);
  }

  /**
   * An assembler that goes on where another one stood.
   *
   * @param earlier who reads the generation before; a line begun there is given to its sink
   * @param resume that one's {@link #resumePoint()}; {@link #feed} must then begin at its {@link
   *     ResumePoint#readFrom()}
   * @param longLineHead the first bytes of the resume point's long line, at most {@link
   *     RawSample#MAX_HEAD_BYTES}; none where there is no such line, or they are not known
   */
  public LineAssembler(
      int maxLineBytes,
      Duration pieceTimeout,
      LineSink sink,
      Earlier earlier,
      ResumePoint resume,
      byte[] longLineHead) {
    if (maxLineBytes < 1) {
      throw new IllegalArgumentException("maxLineBytes must be at least 1: " + maxLineBytes);
    }
    this.sink = sink;
    this.joiner = new PieceJoiner(maxLineBytes, pieceTimeout.toMillis());
    this.earlier = earlier;
    this.resume = resume;
    this.splitter =
        new LineSplitter(
            maxLineBytes,
            resume.readFrom(),
            new LineSplitter.Sink() {
              @Override
              public void line(byte[] b, int from, int to, long at, boolean terminated) {
                physicalLine(b, from, to, at, terminated);
              }

              @Override
              public void tooLong(RawSample sample, long at) {
                tooLongLine(sample, at);
              }
            });
    ResumePoint.LongLine longLine = resume.longLine();
    if (longLine != null) {
      splitter.resume(longLine, longLineHead);
    }
  }

  /**
   * Takes the generation's next bytes.
   *
   * @param readAtMillis when they were read, epoch ms: from then on the last piece is waited for
   */
  public void feed(byte[] bytes, int from, int to, long readAtMillis) {
    nowMillis = readAtMillis;
    splitter.feed(bytes, from, to);
  }

  /** Gives out the lines whose last piece has not come in time. */
  public void expire(long atMillis) {
    if (isRereading()) {
      return;
    }
    for (PieceJoiner.Held line : joiner.takeExpired(atMillis)) {
      giveHeld(line, false);
    }
  }

  /**
   * The generation ends here: gives out the line without LF, then the lines still in pieces. Does
   * nothing while pieces are to be fed again: {@link #linesHeld()} tells.
   */
  public void finish() {
    if (isRereading()) {
      return;
    }
    splitter.finish();
    for (PieceJoiner.Held line : joiner.takeAll()) {
      giveHeld(line, false);
    }
  }

  /**
   * The position of the first byte not yet taken: a line's start, or the end of what was fed, or a
   * place inside a line over the cap.
   */
  public long position() {
    // With pieces to be read again, the long line is read again with them.
    return Math.max(
        resume.position(),
        joiner.size() == 0 && continued.isEmpty()
            ? splitter.resumablePosition()
            : splitter.position());
  }

  /** Where this stands. */
  public ResumePoint resumePoint() {
    if (isRereading()) {
      return resume;
    }
    continued.keySet().removeIf(stream -> earlierHolder(stream) == null);
    long position = position();
    return new ResumePoint(
        position,
        joiner.positions(),
        continued,
        position > splitter.position() ? splitter.longLine() : null);
  }

  /** Logical lines begun since this assembler was made; those it resumed aren't among them. */
  public long linesBegun() {
    return begun;
  }

  /** Logical lines begun and not yet given out. */
  public int linesHeld() {
    return isRereading() ? resume.held().size() : joiner.size();
  }

  /** Whether pieces held when it was resumed have not all been fed again yet. */
  private boolean isRereading() {
    return splitter.resumablePosition() < resume.position();
  }

  private void physicalLine(byte[] b, int lineFrom, int lineTo, long at, boolean terminated) {
    int from = skipBom(b, lineFrom, lineTo);
    int to = stripCr(b, from, lineTo);
    envelope.read(b, from, to);
    if (at < resume.position() && !isWantedAgain(envelope.stream(), at)) {
      return;
    }
    if (envelope.lacksText()) {
      begun++;
      judged.place(at, envelope.timeMillis(), terminated, envelope.name());
      judged.quarantine(
          QuarantineReason.BAD_ENVELOPE,
          "journald left its MESSAGE out, as it does over 4096 bytes: export with --all",
          RawSample.of(b, from, to),
          0);
      sink.line(judged);
      return;
    }
    if (envelope.isBroken()) {
      begun++;
      judged.place(at, Rfc3339.NOT_A_TIME, terminated, null);
      giveBroken(b, from, to, terminated);
      return;
    }
    PieceJoiner.Held held = joiner.held(envelope.stream());
    LineAssembler holder = held == null ? earlierHolder(envelope.stream()) : null;
    if (holder != null) {
      holder.goOn(this, at, terminated);
      return;
    }
    if (held == null && !envelope.isPiece()) {
      begun++;
      judged.place(at, envelope.timeMillis(), terminated, envelope.name());
      give(
          envelope.payload(),
          envelope.payloadFrom(),
          stripCr(envelope.payload(), envelope.payloadFrom(), envelope.payloadTo()),
          QuarantineReason.UNTERMINATED);
      return;
    }
    join(held, at, terminated);
  }

  private void join(PieceJoiner.@Nullable Held begunEarlier, long at, boolean terminated) {
    PieceJoiner.Held held = begunEarlier;
    String stream = envelope.stream();
    if (held == null) {
      held = joiner.begin(stream, at, envelope.name(), nowMillis);
      if (at >= resume.position() || !resume.held().containsKey(stream)) {
        begun++;
      }
    }
    held.append(
        envelope.payload(), envelope.payloadFrom(), envelope.payloadTo(), envelope.timeMillis());
    sink.piece(held.position(), envelope.name());
    if (!envelope.isPiece()) {
      joiner.done(stream);
      giveHeld(held, terminated);
    }
  }

  /** Takes a piece that a later generation has read of a line that began here. */
  private void goOn(LineAssembler later, long at, boolean terminated) {
    EnvelopeReader its = later.envelope;
    String stream = its.stream();
    PieceJoiner.Held held = joiner.held(stream);
    if (held == null) {
      throw new IllegalStateException("No line of stream " + stream + " is held");
    }
    held.append(its.payload(), its.payloadFrom(), its.payloadTo(), its.timeMillis());
    if (its.isPiece()) {
      later.continued.putIfAbsent(stream, at);
    } else {
      later.continued.remove(stream);
      joiner.done(stream);
      giveHeld(held, terminated);
    }
  }

  /** The nearest earlier generation that holds an unfinished line of a stream. */
  private @Nullable LineAssembler earlierHolder(String stream) {
    LineAssembler one = earlier.assembler();
    while (one != null && one.joiner.held(stream) == null) {
      one = one.earlier.assembler();
    }
    return one;
  }

  private boolean isWantedAgain(String stream, long at) {
    Long start = resume.held().get(stream);
    if (start == null) {
      start = resume.continued().get(stream);
    }
    return start != null && at >= start;
  }

  private void tooLongLine(RawSample sample, long at) {
    ResumePoint.LongLine longLine = resume.longLine();
    if (at < resume.position() && (longLine == null || at != longLine.start())) {
      return;
    }
    begun++;
    judged.place(at, Rfc3339.NOT_A_TIME, true, null);
    quarantineTooLong(sample);
  }

  private void giveHeld(PieceJoiner.Held held, boolean whole) {
    judged.place(held.position(), held.timeMillis(), whole, held.name());
    BoundedLine line = held.line();
    if (line.isTooLong()) {
      quarantineTooLong(line.sample());
    } else {
      give(line.array(), 0, stripCr(line.array(), 0, line.size()), QuarantineReason.PARTIAL);
    }
  }

  private void quarantineTooLong(RawSample sample) {
    judged.quarantine(
        QuarantineReason.TOO_LONG, "the line has " + sample.length() + " bytes", sample, 0);
    sink.line(judged);
  }

  /** Judges and gives out one line; {@code cutReason} is what a cut line without its end is. */
  private void give(byte[] b, int from, int to, QuarantineReason cutReason) {
    LineKind kind = judge.judge(b, from, to);
    QuarantineReason reason = judge.reason();
    if (kind == LineKind.QUARANTINED && reason != null) {
      boolean cut = reason == QuarantineReason.UNTERMINATED && judged.flag() != null;
      judged.quarantine(
          cut ? cutReason : reason,
          judge.detail(),
          RawSample.of(b, from, to),
          judge.droppedAtSource());
    } else {
      judged.pass(kind, b, from, to, judge.droppedAtSource());
    }
    sink.line(judged);
  }

  /** A broken Docker record: kept aside where a line of ours is in it, else a bare line. */
  private void giveBroken(byte[] b, int from, int to, boolean terminated) {
    byte[] inner = envelope.salvaged();
    if (judge.judge(inner, 0, stripLf(inner)) == LineKind.NOT_OURS) {
      give(b, from, to, QuarantineReason.UNTERMINATED);
      return;
    }
    judged.quarantine(
        terminated ? QuarantineReason.BAD_ENVELOPE : QuarantineReason.UNTERMINATED,
        "a Docker record that is not whole",
        RawSample.of(b, from, to),
        0);
    sink.line(judged);
  }

  private static int skipBom(byte[] b, int from, int to) {
    boolean bom =
        to - from >= BOM.length
            && b[from] == BOM[0]
            && b[from + 1] == BOM[1]
            && b[from + 2] == BOM[2];
    return bom ? from + BOM.length : from;
  }

  private static int stripCr(byte[] b, int from, int to) {
    return to > from && b[to - 1] == '\r' ? to - 1 : to;
  }

  private static int stripLf(byte[] b) {
    return b.length > 0 && b[b.length - 1] == '\n' ? b.length - 1 : b.length;
  }
}
