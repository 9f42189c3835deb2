package org.capacityobservatory.shipper;

import java.io.IOException;
import java.nio.file.Path;
import org.capacityobservatory.log.JudgedLine;
import org.capacityobservatory.log.LineAssembler;
import org.capacityobservatory.log.LineSink;
import org.capacityobservatory.log.RawSample;
import org.capacityobservatory.log.ResumePoint;
import org.jspecify.annotations.Nullable;

/**
 * One file of a source, from its first byte to its last: its handle, its place and its books.
 *
 * <p>Its place moves ahead of what is committed; {@link #rewind} takes it back. The handle stays
 * open until the end is committed, so that a file that is renamed or deleted meanwhile is still
 * read to its end.
 */
final class Generation implements LineSink, Origin {
  private final Source source;
  private final long number;
  private final ShipperConfig config;
  private final Outlet outlet;

  /** Made with the first line: most generations known are long through. */
  private @Nullable RecordHeaderMaker headers;

  private FileId id;
  private Head head = Head.EMPTY;
  private int recordedHeadLength;
  private String recordedHeadSha256 = Head.EMPTY.sha256();
  private String path;
  private boolean compressed;
  private long size;
  private boolean ended;
  private @Nullable String problem;

  private @Nullable ByteSource bytes;
  private LineAssembler assembler;

  /** The books as they were when the assembler was made. */
  private Books base = Books.EMPTY;

  private long basePosition;
  private long acknowledged;
  private long quarantined;
  private long notOurs;
  private long dropped;
  private long futureTimes;
  private @Nullable Long clockMillis;

  private boolean changed;
  private boolean attachedOnce;
  private boolean detached;
  private boolean visible;
  private boolean suspect;
  private @Nullable FileStat lastStat;
  private long quietSinceNanos;
  private long onceTarget = -1;
  private long readAtMillis;

  /** A generation that starts at a file just opened. */
  Generation(
      Source source, long number, String path, OpenFile file, ShipperConfig config, Outlet outlet) {
    this.source = source;
    this.number = number;
    this.config = config;
    this.outlet = outlet;
    this.path = path;
    this.id = file.stat().id();
    this.assembler = newAssembler(ResumePoint.START);
    attach(file);
    this.changed = true;
  }

  /** A generation known from its record, without handle. */
  Generation(Source source, GenerationRecord at, ShipperConfig config, Outlet outlet) {
    this.source = source;
    this.number = at.generation();
    this.config = config;
    this.outlet = outlet;
    this.path = at.path();
    this.id = at.id();
    this.compressed = at.compressed();
    this.size = at.size();
    this.recordedHeadLength = at.headLength();
    this.recordedHeadSha256 = at.headSha256();
    this.assembler = newAssembler(at.place());
    restore(at);
  }

  private LineAssembler newAssembler(ResumePoint place) {
    return new LineAssembler(
        config.maxLineBytes(),
        config.pieceTimeout(),
        this,
        this::assemblerBefore,
        place,
        longLineHead(place));
  }

  /** A line's pieces may lie on both sides of a rotation. */
  private @Nullable LineAssembler assemblerBefore() {
    Generation before = source.before(this);
    return before == null || before.isEnded() ? null : before.assembler;
  }

  private byte[] longLineHead(ResumePoint place) {
    ResumePoint.LongLine line = place.longLine();
    ByteSource open = bytes;
    if (line == null || open == null) {
      return new byte[0];
    }
    try {
      return open.at(line.start(), RawSample.MAX_HEAD_BYTES, place.position());
    } catch (IOException e) {
      fail(e);
      return new byte[0];
    }
  }

  private void restore(GenerationRecord at) {
    base = at.books();
    basePosition = at.place().position();
    ended = at.ended();
    clockMillis = at.clockMillis();
    zeroTally();
  }

  private void zeroTally() {
    acknowledged = 0;
    quarantined = 0;
    notOurs = 0;
    dropped = 0;
    futureTimes = 0;
  }

  /** Takes hold of the file that is this generation; reading goes on where it stands. */
  void attach(OpenFile file) {
    closeHandle();
    bytes = file.bytes();
    changed |= !id.equals(file.stat().id());
    id = file.stat().id();
    compressed = file.bytes().isCompressed();
    head = file.head();
    noteHead();
    saw(file.stat());
    detached = false;
    suspect = false;
    attachedOnce = true;
    if (ended && !config.once()) {
      // A run that shipped it once was through with it; one that follows it isn't.
      ended = false;
      changed = true;
    }
    startOver();
    try {
      seek();
    } catch (IOException e) {
      fail(e);
    }
  }

  /** Drops what is buffered, which is going to be read again, and keeps place and books. */
  private void startOver() {
    Books now = books();
    ResumePoint place = assembler.resumePoint();
    assembler = newAssembler(place);
    base = now;
    basePosition = place.position();
    zeroTally();
  }

  private void seek() throws IOException {
    ByteSource open = bytes;
    if (open != null) {
      open.seek(assembler.resumePoint().readFrom());
    }
  }

  private void noteHead() {
    if (head.length() != recordedHeadLength) {
      changed = true;
    }
    recordedHeadLength = head.length();
    recordedHeadSha256 = head.sha256();
  }

  /** The file is another one now; what was read of it before stays this generation's. */
  void detach() {
    detached = true;
    visible = false;
    closeHandle();
  }

  void closeHandle() {
    ByteSource open = bytes;
    bytes = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // It was only read: nothing can be lost by this.
        problem = "closing the file failed: " + e.getMessage();
      }
    }
  }

  /** Whether a file can be this one: its head begins as known, and it is not shorter than read. */
  boolean agreesWith(OpenFile file) {
    return file.head().beginsWith(recordedHeadLength, recordedHeadSha256)
        && file.bytes().isCompressed() == compressed
        && (compressed || file.stat().size() >= position());
  }

  /** Whether a file begins like this one: a copy of it does, maybe a compressed one. */
  boolean isBeginningOf(OpenFile file) {
    return recordedHeadLength > 0 && file.head().beginsWith(recordedHeadLength, recordedHeadSha256);
  }

  boolean hasWholeHead() {
    return recordedHeadLength == Head.MAX_BYTES;
  }

  /**
   * Whether nothing was ever taken of it and little but an inode speaks for it: the file may as
   * well be met anew, and found to be a copy.
   */
  boolean isNothing() {
    return bytes == null && position() == 0 && (ended || recordedHeadLength == 0);
  }

  int headLength() {
    return recordedHeadLength;
  }

  /**
   * Whether a copy has all that was read of this one, so that reading can go on in it. Of a file
   * with less than a head that was read to its end, only one of the same length can be a copy.
   */
  boolean reaches(OpenFile copy) {
    try {
      if (ended && !hasWholeHead()) {
        return copy.bytes().at(position(), 1, position() + 1).length == 0;
      }
      return copy.bytes().isCompressed() || copy.stat().size() >= position();
    } catch (IOException e) {
      return copy.bytes().isCompressed() && hasWholeHead();
    }
  }

  /**
   * Bytes of its file, by its handle or, without one, by its path; none where that leads elsewhere.
   *
   * @throws IOException if they can't be read
   */
  byte[] at(long from, int max, long end) throws IOException {
    ByteSource open = bytes;
    if (open != null) {
      return open.isCompressed() ? new byte[0] : open.at(from, max, end);
    }
    OpenFile file = OpenFile.open(Path.of(path));
    try (ByteSource its = file.bytes()) {
      return file.stat().id().equals(id) && !its.isCompressed()
          ? its.at(from, max, end)
          : new byte[0];
    }
  }

  /** Notes what the file system says; true where something on disk has changed. */
  boolean saw(FileStat stat) {
    boolean same =
        lastStat != null
            && lastStat.size() == stat.size()
            && lastStat.changed().equals(stat.changed());
    lastStat = stat;
    size = stat.size();
    return !same;
  }

  /** Whether the file is as it was when it was last looked at. */
  boolean isUnchanged(FileStat stat) {
    return stat.equals(lastStat);
  }

  /**
   * Whether the open file is still what was read: not shorter, and with the same head. Where the
   * head was short, takes up what it has grown by.
   */
  boolean stillAgrees() {
    ByteSource open = bytes;
    if (open == null) {
      return true;
    }
    try {
      if (!compressed && open.diskSize() < open.diskPosition()) {
        return false;
      }
      Head now = new Head(open.head(Head.MAX_BYTES));
      if (!now.beginsWith(head)) {
        return false;
      }
      if (now.length() > head.length()) {
        head = now;
        noteHead();
      }
      return true;
    } catch (IOException e) {
      fail(e);
      return true;
    }
  }

  /**
   * Reads the next bytes, if there are any, and gives out their lines.
   *
   * @return bytes read
   */
  int read(byte[] buffer, long nowMillis, long nowNanos) {
    ByteSource open = bytes;
    if (open == null || suspect || onceDone()) {
      return 0;
    }
    try {
      if (!compressed && open.isAtEnd() && open.diskSize() == open.diskPosition()) {
        return 0;
      }
      if (!compressed && !stillAgrees()) {
        suspect = true;
        return 0;
      }
      if (position() == 0 && refused()) {
        return 0;
      }
      int count = open.read(buffer);
      if (count > 0) {
        problem = null;
        ended = false;
        changed = true;
        quietSinceNanos = nowNanos;
        readAtMillis = nowMillis;
        size = Math.max(size, open.diskPosition());
        assembler.feed(buffer, 0, count, nowMillis);
      }
      return count;
    } catch (IOException e) {
      fail(e);
      return 0;
    }
  }

  private boolean refused() {
    if (head.looksBinary()) {
      problem = "it is no text: more than one in ten of its first bytes are control characters";
    } else {
      return false;
    }
    return true;
  }

  private void fail(IOException e) {
    String message = e.getMessage();
    problem = "it can't be read: " + (message == null ? e.getClass().getSimpleName() : message);
  }

  /** Gives out lines whose last piece hasn't come in time. */
  void expire(long nowMillis) {
    if (assembler.linesHeld() > 0) {
      readAtMillis = nowMillis;
      int before = assembler.linesHeld();
      assembler.expire(nowMillis);
      changed |= assembler.linesHeld() != before;
    }
  }

  /** Nothing more will come: tries what stands without its end. */
  void finish(long nowMillis) {
    if (ended) {
      return;
    }
    readAtMillis = nowMillis;
    assembler.finish();
    if (!attachedOnce || assembler.linesHeld() > 0) {
      lose();
    }
    ended = true;
    changed = true;
  }

  /**
   * The file is gone and wasn't being read: says what is lost by that. Pieces that were to be read
   * again stay pending in the books, since nobody knows them any more.
   *
   * @return at least so many bytes
   */
  long lose() {
    long lost = compressed ? 0 : Math.max(0, size - position());
    if (lost > 0) {
      problem =
          "its file is gone before it was read to its end: at least %d bytes are lost"
              .formatted(lost);
    } else if (assembler.linesHeld() > 0) {
      problem = "its file is gone, and with it the first pieces of a line that never ended";
    }
    ended = true;
    changed = true;
    return lost;
  }

  @Override
  public void line(JudgedLine line) {
    // Its last piece may have been read by the generation behind this one.
    changed = true;
    if (EventTime.isTold(line)) {
      noteTime(line.timeMillis());
    }
    switch (line.kind()) {
      case OURS -> {
        acknowledged++;
        outlet.line(this, line, readAtMillis);
      }
      case QUARANTINED -> {
        quarantined++;
        dropped += line.droppedAtSource();
        outlet.deadLetter(this, line, readAtMillis);
      }
      case NOT_OURS -> {
        notOurs++;
        dropped += line.droppedAtSource();
      }
    }
  }

  private void noteTime(long timeMillis) {
    if (timeMillis > readAtMillis + EventTime.FUTURE_MILLIS) {
      futureTimes++;
    } else if (clockMillis == null || timeMillis > clockMillis) {
      clockMillis = timeMillis;
    }
  }

  /**
   * Goes back to what is committed; with no record, to the start.
   *
   * @param at the record on the positions topic, or null where there is none
   */
  void rewind(@Nullable GenerationRecord at) {
    if (at == null) {
      assembler = newAssembler(ResumePoint.START);
      base = Books.EMPTY;
      basePosition = 0;
      ended = false;
      clockMillis = null;
      zeroTally();
    } else {
      assembler = newAssembler(at.place());
      restore(at);
    }
    changed = true;
    try {
      // Also where pieces were held: they are read again.
      ByteSource open = bytes;
      if (open != null) {
        open.seek(assembler.resumePoint().readFrom());
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  Books books() {
    long position = position();
    return new Books(
        base.linesRead() + assembler.linesBegun(),
        base.acknowledged() + acknowledged,
        base.quarantined() + quarantined,
        base.notOurs() + notOurs,
        assembler.linesHeld(),
        base.bytesRead() + (position - basePosition),
        base.droppedAtSource() + dropped,
        base.futureTimes() + futureTimes);
  }

  GenerationRecord record() {
    return new GenerationRecord(
        source.name(),
        number,
        id,
        recordedHeadLength,
        recordedHeadSha256,
        path,
        compressed,
        size,
        assembler.resumePoint(),
        ended,
        books(),
        clockMillis);
  }

  /** This is in Kafka now; what a look at the disk has found since then isn't. */
  void written(GenerationRecord at) {
    changed = !record().equals(at);
  }

  /** Whether nothing can come of it any more that anybody waits for. */
  boolean isForgettable() {
    return ended && !visible && !detached && bytes == null && assembler.linesHeld() == 0;
  }

  /** Takes over the books of a generation that is forgotten; a source's sum stays the same. */
  void absorb(Books books) {
    base = base.plus(books);
    changed = true;
  }

  boolean isChanged() {
    return changed;
  }

  long position() {
    return assembler.position();
  }

  /** Bytes on disk that no line has been made of. */
  long behindBytes() {
    ByteSource open = bytes;
    if (open == null) {
      return 0;
    }
    return compressed ? Math.max(0, size - open.diskPosition()) : Math.max(0, size - position());
  }

  /** Whether all there is has been read, though a line may lack its end. */
  boolean isAtEnd() {
    ByteSource open = bytes;
    if (open == null) {
      return true;
    }
    try {
      return open.isAtEnd();
    } catch (IOException e) {
      fail(e);
      return true;
    }
  }

  /** Fixes what "present end" means for shipping once. */
  void aimAt(long target) {
    onceTarget = target;
  }

  private boolean onceDone() {
    return onceTarget >= 0 && !compressed && position() >= onceTarget && assembler.linesHeld() == 0;
  }

  /** Whether shipping once is through with it; where its end was reached, tries what is left. */
  boolean completeOnce(long nowMillis) {
    if (detached && !ended) {
      return false;
    }
    if (bytes == null || problem != null) {
      return true;
    }
    if (isAtEnd()) {
      finish(nowMillis);
      return true;
    }
    return onceDone();
  }

  Source source() {
    return source;
  }

  @Override
  public String sourceName() {
    return source.name();
  }

  @Override
  public byte[] nameText() {
    return source.nameText();
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public RecordHeaderMaker headers() {
    RecordHeaderMaker maker = headers;
    if (maker == null) {
      maker = new RecordHeaderMaker(source.name(), source.nameText(), number);
      headers = maker;
    }
    return maker;
  }

  FileId id() {
    return id;
  }

  String path() {
    return path;
  }

  void foundAt(String newPath) {
    changed |= !path.equals(newPath);
    path = newPath;
    visible = true;
  }

  long size() {
    return size;
  }

  @Nullable Long clockMillis() {
    return clockMillis;
  }

  @Nullable String problem() {
    return problem;
  }

  void problem(String sentence) {
    problem = sentence;
  }

  boolean isCompressed() {
    return compressed;
  }

  /** Whether its handle can be closed for another file's: its path leads back to it. */
  boolean isIdle() {
    return hasHandle() && visible && !changed && !suspect && isRead() && assembler.linesHeld() == 0;
  }

  /** Whether nothing that was on disk at the last look is left to read. */
  boolean isRead() {
    ByteSource open = bytes;
    return compressed ? open == null ? ended || attachedOnce : isAtEnd() : position() >= size;
  }

  long quietSinceNanos() {
    return quietSinceNanos;
  }

  boolean hasHandle() {
    return bytes != null;
  }

  boolean isEnded() {
    return ended;
  }

  boolean isDetached() {
    return detached;
  }

  boolean isVisible() {
    return visible;
  }

  void hide() {
    visible = false;
  }

  boolean isSuspect() {
    return suspect;
  }

  boolean isQuiet(long nowNanos) {
    return nowNanos - quietSinceNanos >= config.rotatedQuiet().toNanos();
  }

  void quietFrom(long nowNanos) {
    quietSinceNanos = nowNanos;
  }
}
