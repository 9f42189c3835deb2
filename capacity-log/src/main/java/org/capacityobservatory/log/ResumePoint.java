package org.capacityobservatory.log;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a {@link LineAssembler} stands, so that another one can go on there.
 *
 * @param position the first byte not taken: a line's start, or, inside a line over the cap, the
 *     place come to
 * @param held per stream, where the first piece of its unfinished line starts
 * @param continued per stream, where the first of the pieces starts that go on a line begun in an
 *     earlier generation
 * @param longLine the line over the cap in which the position lies, or null
 */
public record ResumePoint(
    long position,
    Map<String, Long> held,
    Map<String, Long> continued,
    @Nullable LongLine longLine) {

  /** A generation's start. */
  public static final ResumePoint START = new ResumePoint(0, Map.of(), Map.of(), null);

  /** Makes the maps immutable. */
  public ResumePoint {
    held = Map.copyOf(held);
    continued = Map.copyOf(continued);
  }

  /** Where reading must begin to go on from here: at the first piece of a line without an end. */
  public long readFrom() {
    long from = position;
    for (long piece : held.values()) {
      from = Math.min(from, piece);
    }
    for (long piece : continued.values()) {
      from = Math.min(from, piece);
    }
    return from;
  }

  /**
   * A line over the cap that has no end yet.
   *
   * @param start where it starts
   * @param sha256State the state of SHA-256 over its bytes up to the position, in hex
   */
  public record LongLine(long start, String sha256State) {}
}
