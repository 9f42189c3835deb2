package org.capacityobservatory.log;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds the pieces of lines that the log transport has cut, per stream of one generation.
 *
 * <p>A joined line stands where its first piece starts and has the time of its last one: the
 * limiter writes when a call ends. Its size is bounded as {@link BoundedLine} has it.
 */
final class PieceJoiner {
  /** One line of which pieces have come and the last hasn't. */
  static final class Held {
    private final long position;
    private final long sinceMillis;
    private final BoundedLine line;
    private final @Nullable EntryName name;
    private long timeMillis = Rfc3339.NOT_A_TIME;

    private Held(long position, @Nullable EntryName name, long sinceMillis, int maxLineBytes) {
      this.position = position;
      this.name = name;
      this.sinceMillis = sinceMillis;
      this.line = new BoundedLine(maxLineBytes);
    }

    void append(byte[] bytes, int from, int to, long pieceTimeMillis) {
      line.append(bytes, from, to);
      timeMillis = pieceTimeMillis;
    }

    long position() {
      return position;
    }

    /** What the transport calls the first piece. */
    @Nullable EntryName name() {
      return name;
    }

    long timeMillis() {
      return timeMillis;
    }

    BoundedLine line() {
      return line;
    }
  }

  private final int maxLineBytes;
  private final long timeoutMillis;
  private final Map<String, Held> held = new LinkedHashMap<>();

  PieceJoiner(int maxLineBytes, long timeoutMillis) {
    this.maxLineBytes = maxLineBytes;
    this.timeoutMillis = timeoutMillis;
  }

  @Nullable Held held(String stream) {
    // Nearly always nothing is held: spare the hash.
    return held.isEmpty() ? null : held.get(stream);
  }

  Held begin(String stream, long position, @Nullable EntryName name, long nowMillis) {
    Held begun = new Held(position, name, nowMillis, maxLineBytes);
    held.put(stream, begun);
    return begun;
  }

  void done(String stream) {
    held.remove(stream);
  }

  /** Takes out the lines whose first piece came longer ago than the time to wait. */
  List<Held> takeExpired(long nowMillis) {
    if (held.isEmpty()) {
      return List.of();
    }
    List<Held> expired = new ArrayList<>();
    held.values()
        .removeIf(line -> nowMillis - line.sinceMillis >= timeoutMillis && expired.add(line));
    return expired;
  }

  List<Held> takeAll() {
    List<Held> all = List.copyOf(held.values());
    held.clear();
    return all;
  }

  int size() {
    return held.size();
  }

  Map<String, Long> positions() {
    Map<String, Long> positions = new TreeMap<>();
    held.forEach((stream, line) -> positions.put(stream, line.position));
    return positions;
  }
}
