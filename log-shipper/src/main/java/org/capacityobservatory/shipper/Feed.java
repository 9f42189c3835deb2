package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.capacityobservatory.log.EntryName;
import org.capacityobservatory.log.JudgedLine;
import org.capacityobservatory.log.LineAssembler;
import org.capacityobservatory.log.LineKind;
import org.capacityobservatory.log.LineSink;
import org.capacityobservatory.log.ResumePoint;
import org.jspecify.annotations.Nullable;

/**
 * A source that is no file: its place, its books, and its lines that aren't committed.
 *
 * <p>A file goes back to what is committed when a transaction is lost. Here that isn't possible, or
 * dear: so the lines of the transaction in hand are kept until it is committed, and sent again if
 * it is lost. A transaction's bounds are the bounds of that memory.
 */
final class Feed implements Input, Origin, LineSink, AutoCloseable {
  private record Outgoing(JudgedLine line, long readAtMillis) {}

  private final String name;
  private final byte[] nameText;
  private final String path;
  private final FeedRecord.Kind kind;
  private final long run;
  private final RecordHeaderMaker headers;
  private final Tap tap;
  private final Ledger ledger;
  private final Outlet outlet;
  private final LineAssembler assembler;

  /** What earlier runs have shipped. */
  private final Books base;

  private final long basePosition;

  /** Lines that a run before this one left in pieces, which nobody can read again. */
  private final long leftInPieces;

  /** Lines of the transaction in hand. */
  private final List<Outgoing> outgoing = new ArrayList<>();

  private int sent;

  /** Names of pieces taken, by the place of the line that they belong to. */
  private final Map<Long, List<EntryName>> pieces = new HashMap<>();

  private @Nullable FeedRecord committed;
  private @Nullable FeedRecord inHand;
  private long acknowledged;
  private long quarantined;
  private long notOurs;
  private long dropped;
  private long futureTimes;
  private long repeats;
  private @Nullable Long clockMillis;
  private boolean ended;
  private long readAtMillis;
  private long fedTo;

  /**
   * A feed that goes on where the last run stopped.
   *
   * @param path what to call it for people
   * @param at what is committed of it, or null before its first run
   * @param startMillis when this run began
   */
  Feed(
      String name,
      String path,
      FeedRecord.Kind kind,
      Tap tap,
      Ledger ledger,
      @Nullable FeedRecord at,
      long startMillis,
      ShipperConfig config,
      Outlet outlet) {
    this.name = name;
    this.nameText = name.getBytes(UTF_8);
    this.path = path;
    this.kind = kind;
    this.tap = tap;
    this.ledger = ledger;
    this.outlet = outlet;
    this.committed = at;
    boolean isPipe = kind == FeedRecord.Kind.STDIN;
    // A run's number is its start, so that no two runs share one even if positions were lost.
    this.run = isPipe ? Math.max(at == null ? 1 : at.run() + 1, startMillis) : 1;
    this.headers = new RecordHeaderMaker(name, nameText, run);
    Books before = at == null ? Books.EMPTY : at.books();
    this.leftInPieces = isPipe ? before.pending() : 0;
    // Elsewhere the pieces are read again, and their lines begin again.
    this.base = before.withoutPending(before.pending() - leftInPieces);
    this.basePosition = isPipe || at == null ? 0 : at.position();
    this.clockMillis = at == null ? null : at.clockMillis();
    this.fedTo = basePosition;
    this.assembler =
        new LineAssembler(
            config.maxLineBytes(),
            config.pieceTimeout(),
            this,
            () -> null,
            new ResumePoint(basePosition, Map.of(), Map.of(), null),
            new byte[0]);
  }

  @Override
  public boolean read(byte[] buffer, long nowMillis, long nowNanos) {
    boolean more = false;
    if (!ended) {
      readAtMillis = nowMillis;
      Tap.Chunk chunk = tap.poll(nowMillis, nowNanos);
      if (chunk != null) {
        take(chunk, nowMillis);
        more = true;
      } else if (tap.isOver()) {
        assembler.finish();
        ended = true;
      } else {
        assembler.expire(nowMillis);
      }
    }
    return send() || more;
  }

  private void take(Tap.Chunk chunk, long nowMillis) {
    if (ledger.isFull()) {
      assembler.expire(Long.MAX_VALUE);
    }
    assembler.feed(chunk.bytes(), 0, chunk.bytes().length, nowMillis);
    fedTo += chunk.bytes().length;
    EntryName entry = chunk.name();
    if (entry != null && pieces.values().stream().noneMatch(names -> names.contains(entry))) {
      // Also an entry of which the line tells no name, such as one that is too long.
      ledger.done(entry);
    }
  }

  /**
   * Gives out what hasn't been. Nothing is sent from within the assembler: a send that fails there
   * would lose what stands behind it.
   */
  private boolean send() {
    boolean any = sent < outgoing.size();
    while (sent < outgoing.size()) {
      Outgoing next = outgoing.get(sent);
      if (next.line().kind() == LineKind.OURS) {
        outlet.line(this, next.line(), next.readAtMillis());
      } else {
        outlet.deadLetter(this, next.line(), next.readAtMillis());
      }
      sent++;
    }
    return any;
  }

  @Override
  public void piece(long linePosition, @Nullable EntryName entry) {
    if (entry != null) {
      pieces.computeIfAbsent(linePosition, absent -> new ArrayList<>()).add(entry);
      ledger.began(entry);
    }
  }

  @Override
  public void line(JudgedLine line) {
    List<EntryName> names = pieces.remove(line.position());
    EntryName first = line.name();
    boolean repeat = first != null && ledger.knows(first);
    if (names != null) {
      names.forEach(ledger::done);
    } else if (first != null) {
      ledger.done(first);
    }
    if (repeat) {
      repeats++;
    } else {
      book(line);
    }
  }

  private void book(JudgedLine line) {
    if (EventTime.isTold(line)) {
      noteTime(line.timeMillis());
    }
    switch (line.kind()) {
      case OURS -> acknowledged++;
      case QUARANTINED -> {
        quarantined++;
        dropped += line.droppedAtSource();
      }
      case NOT_OURS -> {
        notOurs++;
        dropped += line.droppedAtSource();
        return;
      }
    }
    outgoing.add(new Outgoing(line.copy(), readAtMillis));
  }

  private void noteTime(long timeMillis) {
    if (timeMillis > readAtMillis + EventTime.FUTURE_MILLIS) {
      futureTimes++;
    } else if (clockMillis == null || timeMillis > clockMillis) {
      clockMillis = timeMillis;
    }
  }

  private Books books() {
    return new Books(
        base.linesRead() + assembler.linesBegun() - repeats,
        base.acknowledged() + acknowledged,
        base.quarantined() + quarantined,
        base.notOurs() + notOurs,
        assembler.linesHeld() + leftInPieces,
        base.bytesRead() + (assembler.position() - basePosition),
        base.droppedAtSource() + dropped,
        base.futureTimes() + futureTimes);
  }

  private FeedRecord record() {
    return new FeedRecord(
        name,
        kind,
        run,
        assembler.position(),
        ledger.resume(),
        ledger.seen(),
        ended,
        books(),
        clockMillis);
  }

  @Override
  public void writePositions(Consumer<PositionRecord> out) {
    FeedRecord now = record();
    inHand = now;
    if (!now.equals(committed)) {
      out.accept(now);
    }
  }

  @Override
  public void written() {
    committed = inHand;
    // What is read from now on belongs to a transaction whose end isn't written yet.
    inHand = null;
    outgoing.clear();
    sent = 0;
  }

  /**
   * A transaction was lost, or seemed so.
   *
   * @param at what is committed of this feed
   */
  void rewind(@Nullable FeedRecord at) {
    if (at != null && at.equals(inHand)) {
      written();
    } else {
      sent = 0;
    }
  }

  /** Takes in what has been read already, and ends there: what was read can't be read again. */
  void stop() {
    if (kind == FeedRecord.Kind.STDIN) {
      tap.stop();
    }
  }

  /** Whether it ends by itself when nothing more comes. */
  boolean endsByItself() {
    return kind == FeedRecord.Kind.STDIN;
  }

  boolean isEnded() {
    return ended;
  }

  /** Lines taken from a stream that can't be read again, and not known to stand in Kafka. */
  long unacknowledged() {
    if (kind != FeedRecord.Kind.STDIN) {
      return 0;
    }
    long known = committed == null ? 0 : committed.books().linesRead();
    boolean unfinished = !ended && assembler.position() < fedTo;
    return books().linesRead() - known + tap.linesOnHand() + (unfinished ? 1 : 0);
  }

  @Override
  public SourceStatus status() {
    String problem = tap.problem();
    return new SourceStatus(
        name,
        run,
        problem != null
            ? SourceStatus.State.FAILED
            : ended ? SourceStatus.State.ENDED : SourceStatus.State.LIVE,
        path,
        assembler.position(),
        assembler.position(),
        0,
        ended || tap.isAtEnd(),
        books(),
        clockMillis,
        problem);
  }

  @Override
  public String sourceName() {
    return name;
  }

  @Override
  public byte[] nameText() {
    return nameText;
  }

  @Override
  public long number() {
    return run;
  }

  @Override
  public RecordHeaderMaker headers() {
    return headers;
  }

  @Override
  public void close() {
    tap.close();
  }
}
