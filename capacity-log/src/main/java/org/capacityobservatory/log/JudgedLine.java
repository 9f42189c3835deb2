package org.capacityobservatory.log;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One logical line: its bytes without envelope, its place, its time and the verdict on it.
 *
 * <p>A view that its {@link LineAssembler} uses again for the next line.
 */
public final class JudgedLine {
  /** {@link #flag()} of a line taken though its end was never seen. */
  public static final String FLAG_UNTERMINATED = "unterminated";

  private static final byte[] NO_BYTES = {};

  private LineKind kind = LineKind.NOT_OURS;
  private byte[] bytes = NO_BYTES;
  private int from;
  private int to;
  private long position;
  private long timeMillis = Rfc3339.NOT_A_TIME;
  private boolean terminated = true;
  private @Nullable EntryName name;
  private @Nullable QuarantineReason reason;
  private @Nullable String detail;
  private @Nullable RawSample raw;
  private long droppedAtSource;

  JudgedLine() {}

  void place(
      long newPosition, long newTimeMillis, boolean newTerminated, @Nullable EntryName newName) {
    position = newPosition;
    timeMillis = newTimeMillis;
    terminated = newTerminated;
    name = newName;
  }

  /** One that stays as it is when the assembler goes on. */
  public JudgedLine copy() {
    JudgedLine copy = new JudgedLine();
    copy.place(position, timeMillis, terminated, name);
    copy.kind = kind;
    copy.bytes = Arrays.copyOfRange(bytes, from, to);
    copy.to = copy.bytes.length;
    copy.reason = reason;
    copy.detail = detail;
    copy.raw = raw;
    copy.droppedAtSource = droppedAtSource;
    return copy;
  }

  void pass(LineKind newKind, byte[] newBytes, int newFrom, int newTo, long newDropped) {
    kind = newKind;
    bytes = newBytes;
    from = newFrom;
    to = newTo;
    reason = null;
    detail = null;
    raw = null;
    droppedAtSource = newDropped;
  }

  void quarantine(QuarantineReason why, @Nullable String where, RawSample sample, long newDropped) {
    pass(LineKind.QUARANTINED, NO_BYTES, 0, 0, newDropped);
    reason = why;
    detail = where;
    raw = sample;
  }

  /** The verdict. */
  public LineKind kind() {
    return kind;
  }

  /** The array that holds the line from {@link #from} to {@link #to}; empty if kept aside. */
  public byte[] bytes() {
    return bytes;
  }

  /** The index of the line's first byte. */
  public int from() {
    return from;
  }

  /** The index after the line's last byte. */
  public int to() {
    return to;
  }

  /** Where the line, or its first piece with its envelope, starts in the generation, in bytes. */
  public long position() {
    return position;
  }

  /** What the transport calls it (of a joined line: its first piece), or null where it doesn't. */
  public @Nullable EntryName name() {
    return name;
  }

  /** Whether the envelope gives a time. */
  public boolean hasTime() {
    return timeMillis != Rfc3339.NOT_A_TIME;
  }

  /** The envelope's time (of the last piece) in epoch ms; only where {@link #hasTime()}. */
  public long timeMillis() {
    return timeMillis;
  }

  /** {@link #FLAG_UNTERMINATED}, or null for a line that came whole. */
  public @Nullable String flag() {
    return terminated ? null : FLAG_UNTERMINATED;
  }

  /** Why it was kept aside; null unless {@link LineKind#QUARANTINED}. */
  public @Nullable QuarantineReason reason() {
    return reason;
  }

  /** Where in the line the reason lies, in words; may be null. */
  public @Nullable String detail() {
    return detail;
  }

  /** The bounded picture of a line kept aside; null unless {@link LineKind#QUARANTINED}. */
  public @Nullable RawSample raw() {
    return raw;
  }

  /** Lines that the source says it dropped before this one; told by lines not ours. */
  public long droppedAtSource() {
    return droppedAtSource;
  }
}
