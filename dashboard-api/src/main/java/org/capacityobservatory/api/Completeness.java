package org.capacityobservatory.api;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Until when the numbers are complete.
 *
 * <p>Two things must both have happened. What was read must be in Kafka: the books say until when,
 * source by source. And Streams must have folded it in, and the writer stored it: {@code
 * minutes_state} says until when, partition by partition. Its row is published behind the rows of
 * minutes that it speaks of, in one partition of the metrics, and stored behind them; so it needs
 * no counting, however many calls there are.
 */
final class Completeness {
  /** A source that is younger may have lines that Streams has not come to yet. */
  private static final Duration YOUNG = Duration.ofDays(1);

  private static final Duration FIRST_LOOK = Duration.ofHours(1);
  private static final int LOOKS_WIDER = 8;

  private final Store store;

  Completeness(Store store) {
    this.store = store;
  }

  /**
   * What is complete.
   *
   * @param until every call that ended before is in the minutes; null when nothing is known
   * @param occupancyUntil and all occupancy of the minutes before
   * @param closedUntil minutes before are past their grace
   * @param futureTimes lines whose time lay ahead of their reading
   * @param lateLines lines that came after their minute was closed; they count all the same
   */
  record State(
      @Nullable Instant until,
      @Nullable Instant occupancyUntil,
      @Nullable Instant closedUntil,
      long futureTimes,
      long lateLines,
      List<Books> books) {}

  /** What {@code minutes_state} says over all partitions. */
  private record Folded(
      long partitions,
      @Nullable Instant until,
      @Nullable Instant occupancyUntil,
      @Nullable Instant closedUntil,
      long futureTimes,
      long lateLines) {}

  @Nullable Instant until(Instant now) {
    return read(now).until();
  }

  State read(Instant now) {
    List<Books> books = store.standing("books-newest", (row, context) -> Books.of(row));
    Folded folded = folded();
    boolean unknown = folded.partitions() == 0 || anyNotCome(books, now);
    Instant read = unknown ? null : Books.readUntil(books);
    return new State(
        least(read, folded.until()),
        least(read, folded.occupancyUntil()),
        unknown ? null : folded.closedUntil(),
        folded.futureTimes(),
        folded.lateLines(),
        books);
  }

  private Folded folded() {
    return store
        .standing(
            "minutes-complete",
            (row, context) ->
                new Folded(
                    row.getLong("partitions"),
                    Rows.time(row, "complete_ms"),
                    Rows.time(row, "occupancy_complete_ms"),
                    Rows.time(row, "closed_ms"),
                    row.getLong("future"),
                    row.getLong("late")))
        .get(0);
  }

  /**
   * Whether some new source has lines in Kafka and none that came through: its partition may be one
   * that {@code minutes_state} doesn't know yet.
   */
  private boolean anyNotCome(List<Books> books, Instant now) {
    List<String> young =
        books.stream()
            .filter(b -> b.acknowledged() > 0 && b.firstWrittenAt().isAfter(now.minus(YOUNG)))
            .map(Books::source)
            .toList();
    if (young.isEmpty()) {
      return false;
    }
    List<String> come =
        store.list(
            "sources-with-rows",
            Map.of(),
            Map.of("sources", young),
            (row, context) -> row.getString("source_text"));
    return !come.containsAll(young);
  }

  /** The earlier of two times; null when either is unknown. */
  private static @Nullable Instant least(@Nullable Instant a, @Nullable Instant b) {
    if (a == null || b == null) {
      return null;
    }
    return a.isBefore(b) ? a : b;
  }

  /**
   * Until when the stored calls are complete too: their rows come by partitions of their own, so
   * they are held against the minutes. The last hour is looked at, and more where all of it lacks.
   */
  @Nullable Instant callsUntil(@Nullable Instant until, @Nullable Period data) {
    if (until == null || data == null) {
      return until;
    }
    Instant end = until.truncatedTo(ChronoUnit.MINUTES);
    if (end.isAfter(data.to())) {
      end = data.to();
    }
    Duration look = FIRST_LOOK;
    while (true) {
      Instant start = end.minus(look);
      boolean all = !start.isAfter(data.from());
      start = all ? data.from() : start;
      if (!start.isBefore(end)) {
        return until;
      }
      Instant differs = firstDifference(new Period(start, end));
      if (differs == null) {
        return until;
      }
      if (all || differs.isAfter(start)) {
        return differs;
      }
      look = look.multipliedBy(LOOKS_WIDER);
    }
  }

  private @Nullable Instant firstDifference(Period period) {
    // A list can't hold null: the row's own time is read, and dropped when there is none.
    List<Instant> found =
        store
            .list(
                "calls-differ-from-minutes",
                Map.of("from_ms", period.fromMs(), "to_ms", period.toMs()),
                (row, context) -> java.util.Optional.ofNullable(Rows.time(row, "first_ms")))
            .stream()
            .flatMap(java.util.Optional::stream)
            .toList();
    return found.isEmpty() ? null : found.get(0);
  }
}
