package org.capacityobservatory.log;

import org.jspecify.annotations.Nullable;

/**
 * Cuts a byte stream into physical lines at LF, however the bytes arrive, in constant memory.
 *
 * <p>NULs before a line's first other byte are no part of it: they are the hole that a truncated
 * file has when its writer doesn't append.
 */
final class LineSplitter {
  /** Takes the lines; views are valid during the call only. */
  interface Sink {
    void line(byte[] bytes, int from, int to, long position, boolean terminated);

    void tooLong(RawSample sample, long position);
  }

  private final BoundedLine carry;
  private final int maxLineBytes;
  private final Sink sink;

  /** Where the next byte to be fed stands. */
  private long next;

  /** Where the unfinished line begins, or {@link #next}. */
  private long lineStart;

  private boolean started;

  LineSplitter(int maxLineBytes, long position, Sink sink) {
    this.carry = new BoundedLine(maxLineBytes);
    this.maxLineBytes = maxLineBytes;
    this.next = position;
    this.lineStart = position;
    this.sink = sink;
  }

  void feed(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to) {
      if (!started) {
        int text = skipNuls(bytes, i, to);
        next += text - i;
        i = text;
        if (i == to) {
          return;
        }
        started = true;
        lineStart = next;
      }
      int end = Bytes.indexOf(bytes, i, to, (byte) '\n');
      if (end < 0) {
        carry.append(bytes, i, to);
        next += to - i;
        return;
      }
      long start = lineStart;
      next += end + 1 - i;
      // The position moves first: a sink that asks for it sees this line as taken.
      lineStart = next;
      started = false;
      give(bytes, i, end, start);
      i = end + 1;
    }
  }

  private void give(byte[] bytes, int from, int to, long start) {
    if (carry.length() == 0 && to - from <= maxLineBytes) {
      sink.line(bytes, from, to, start, true);
      return;
    }
    carry.append(bytes, from, to);
    giveCarry(start, true);
  }

  private void giveCarry(long start, boolean terminated) {
    if (carry.isTooLong()) {
      sink.tooLong(carry.sample(), start);
    } else {
      sink.line(carry.array(), 0, carry.size(), start, terminated);
    }
    carry.clear();
  }

  /** The stream ends here: what stands without LF is given as an unterminated line. */
  void finish() {
    long start = lineStart;
    boolean any = started;
    lineStart = next;
    started = false;
    if (any) {
      giveCarry(start, false);
    }
  }

  /**
   * Goes on inside a line over the cap, at the position it was made with.
   *
   * @param head the line's first bytes; none where they are not known
   */
  void resume(ResumePoint.LongLine line, byte[] head) {
    carry.resume(head, next - line.start(), line.sha256State());
    lineStart = line.start();
    started = true;
  }

  /** The position of the first byte that no line given so far covers. */
  long position() {
    return lineStart;
  }

  /** The same, but for a line over the cap: then the place inside it that can be gone on from. */
  long resumablePosition() {
    return lineStart + carry.resumableLength();
  }

  /** The line over the cap in hand, or null. */
  ResumePoint.@Nullable LongLine longLine() {
    String state = carry.sha256State();
    return state == null ? null : new ResumePoint.LongLine(lineStart, state);
  }

  private static int skipNuls(byte[] b, int from, int to) {
    int i = from;
    while (i < to && b[i] == 0) {
      i++;
    }
    return i;
  }
}
