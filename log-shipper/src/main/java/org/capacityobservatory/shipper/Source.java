package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where lines come from, by the path at which it was first met; its files are generations. */
final class Source implements Input {
  private final String name;
  private final byte[] nameText;
  private final String path;

  /** In the order of their numbers. */
  private final List<Generation> generations = new ArrayList<>();

  /** Positions in the transaction that isn't committed yet. */
  private final Map<Generation, GenerationRecord> inHand = new HashMap<>();

  /** Whether this run has anything to do with it; positions may know many more sources. */
  private boolean active;

  private @Nullable String problem;

  Source(String name, String path) {
    this.name = name;
    this.nameText = name.getBytes(UTF_8);
    this.path = path;
  }

  String name() {
    return name;
  }

  byte[] nameText() {
    return nameText;
  }

  /** The path it was first met at. */
  String path() {
    return path;
  }

  List<Generation> generations() {
    return generations;
  }

  @Nullable Generation latest() {
    return generations.isEmpty() ? null : generations.get(generations.size() - 1);
  }

  @Nullable Generation before(Generation generation) {
    int index = generations.indexOf(generation);
    // A new one isn't in the list before it is whole.
    return index < 0 ? latest() : index == 0 ? null : generations.get(index - 1);
  }

  long nextNumber() {
    Generation latest = latest();
    return latest == null ? 1 : latest.number() + 1;
  }

  boolean isActive() {
    return active;
  }

  void activate() {
    active = true;
  }

  void fail(String sentence) {
    active = true;
    problem = sentence;
  }

  void clearProblem() {
    problem = null;
  }

  /**
   * Reads one buffer from the oldest generation that has anything left, so that lines keep the
   * order of the files; and lets go of pieces waited for too long.
   *
   * @return whether there may be more to read at once. A writer that goes on writing isn't waited
   *     for: else a transaction would stay open for as long as it may
   */
  @Override
  public boolean read(byte[] buffer, long nowMillis, long nowNanos) {
    for (Generation generation : generations) {
      int count = generation.read(buffer, nowMillis, nowNanos);
      if (count > 0) {
        return count == buffer.length || generation.isCompressed() || generation != latest();
      }
      generation.expire(nowMillis);
    }
    return false;
  }

  @Override
  public void writePositions(Consumer<PositionRecord> out) {
    inHand.clear();
    for (Generation generation : generations) {
      if (generation.isChanged()) {
        GenerationRecord at = generation.record();
        out.accept(at);
        inHand.put(generation, at);
      }
    }
  }

  @Override
  public void written() {
    inHand.forEach(Generation::written);
    inHand.clear();
  }

  @Override
  public SourceStatus status() {
    Books books = Books.EMPTY;
    Long clockMillis = null;
    long behindBytes = 0;
    boolean atEnd = true;
    boolean ended = !generations.isEmpty();
    for (Generation generation : generations) {
      books = books.plus(generation.books());
      behindBytes += generation.behindBytes();
      atEnd &= generation.isAtEnd();
      ended &= generation.isEnded();
      Long its = generation.clockMillis();
      if (its != null && (clockMillis == null || its > clockMillis)) {
        clockMillis = its;
      }
    }
    Generation latest = latest();
    String trouble = problem;
    boolean failed = problem != null;
    for (Generation generation : generations) {
      String its = generation.problem();
      if (its != null) {
        trouble = its;
        // What was lost with a file long gone doesn't make the present one unreadable.
        failed |= generation == latest && !generation.isEnded();
      }
    }
    return new SourceStatus(
        name,
        latest == null ? 0 : latest.number(),
        failed
            ? SourceStatus.State.FAILED
            : ended ? SourceStatus.State.ENDED : SourceStatus.State.LIVE,
        latest == null ? path : latest.path(),
        latest == null ? 0 : latest.position(),
        latest == null ? 0 : latest.size(),
        behindBytes,
        atEnd,
        books,
        clockMillis,
        trouble);
  }
}
