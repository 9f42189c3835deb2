package org.capacityobservatory.alarms;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All that the evaluator must not forget: how far it has judged, where each series stands, what is
 * still to be told (the outbox), and what of the history isn't stored yet. Changes are staged and
 * committed all at once.
 *
 * <p>Not safe for use by several threads.
 */
final class Book {
  private static final String CLOCK = "clock/";
  private static final String SERIES = "series/";
  private static final String NOTICE = "notice/";
  private static final String HISTORY = "history/";

  private final AlarmStore store;
  private final Map<Metric.Clock, Instant> judgedUntil = new EnumMap<>(Metric.Clock.class);
  private final Map<SeriesKey, Standing> standings = new HashMap<>();
  private final Map<UUID, Notice> notices = new LinkedHashMap<>();
  private final Map<UUID, HistoryRow> history = new LinkedHashMap<>();
  private final Map<UUID, Long> storedRevisions = new HashMap<>();

  /** Written as JSON only when committed: what changes often within a round is written once. */
  private final Map<String, Supplier<Optional<String>>> staged = new LinkedHashMap<>();

  private Book(AlarmStore store) {
    this.store = store;
  }

  /** Reads what was committed last. */
  static Book load(AlarmStore store) {
    Book book = new Book(store);
    store.load().forEach(book::read);
    List<Notice> inOrder = new ArrayList<>(book.notices.values());
    inOrder.sort(
        Comparator.comparing(Notice::createdAt).thenComparing(n -> n.alerts().get(0).at()));
    book.notices.clear();
    inOrder.forEach(notice -> book.notices.put(notice.id(), notice));
    return book;
  }

  private void read(String key, String value) {
    if (key.startsWith(CLOCK)) {
      for (Metric.Clock clock : Metric.Clock.values()) {
        if (key.equals(CLOCK + clock.word())) {
          judgedUntil.put(clock, Instant.ofEpochMilli(Long.parseLong(value)));
        }
      }
    } else if (key.startsWith(SERIES)) {
      standings.put(BookCodec.seriesOf(value), BookCodec.standing(value));
    } else if (key.startsWith(NOTICE)) {
      Notice notice = BookCodec.notice(value);
      notices.put(notice.id(), notice);
    } else if (key.startsWith(HISTORY)) {
      HistoryRow row = BookCodec.history(value);
      history.put(row.transition().id(), row);
    }
  }

  /** The end of the newest minute judged; null before the first. */
  @Nullable Instant judgedUntil(Metric.Clock clock) {
    return judgedUntil.get(clock);
  }

  void judged(Metric.Clock clock, Instant until) {
    judgedUntil.put(clock, until);
    stage(CLOCK + clock.word(), () -> Long.toString(until.toEpochMilli()));
  }

  Map<SeriesKey, Standing> standings() {
    return standings;
  }

  Standing standing(SeriesKey series) {
    return standings.getOrDefault(series, Standing.NEW);
  }

  void put(SeriesKey series, Standing standing) {
    String key = SERIES + series.rule() + series.labels();
    if (standing.isForgotten()) {
      if (standings.remove(series) != null) {
        unstage(key);
      }
    } else if (!standing.equals(standings.put(series, standing))) {
      stage(key, () -> BookCodec.standing(series, standing));
    }
  }

  /** The oldest notice of a receiver that isn't decided; null when there is none. */
  @Nullable Notice next(String receiver) {
    for (Notice notice : notices.values()) {
      if (notice.receiver().equals(receiver)) {
        return notice;
      }
    }
    return null;
  }

  int noticesWaiting() {
    return notices.size();
  }

  void send(Notice notice) {
    notices.put(notice.id(), notice);
    stage(NOTICE + notice.id(), () -> BookCodec.notice(notice));
  }

  /** Takes a notice out, and says in the history what became of it. */
  void decided(Notice notice, String delivery, Instant now) {
    notices.remove(notice.id());
    unstage(NOTICE + notice.id());
    notice.alerts().forEach(alert -> delivery(alert, notice.receiver(), delivery, now));
  }

  /** Keeps a transition for the history. */
  void keep(Transition transition, Instant now) {
    keep(new HistoryRow(transition, now, Map.of(), now.toEpochMilli()));
  }

  /** Says in the history what became of telling a receiver of a transition. */
  void delivery(Transition transition, String receiver, String delivery, Instant now) {
    HistoryRow known = history.get(transition.id());
    // A row that was stored whole and forgotten is written again, above what it said before.
    HistoryRow row =
        known == null ? new HistoryRow(transition, now, Map.of(), now.toEpochMilli()) : known;
    keep(row.with(receiver, delivery));
  }

  private void keep(HistoryRow row) {
    UUID id = row.transition().id();
    history.put(id, row);
    stage(HISTORY + id, () -> BookCodec.history(row));
  }

  /** Rows of the history that aren't stored as they are now. */
  List<HistoryRow> unstored() {
    return history.values().stream()
        .filter(row -> storedRevisions.getOrDefault(row.transition().id(), -1L) < row.revision())
        .toList();
  }

  /** Rows have been stored: those that won't change any more are forgotten. */
  void stored(List<HistoryRow> rows) {
    for (HistoryRow row : rows) {
      UUID id = row.transition().id();
      HistoryRow now = history.get(id);
      if (now == null || now.revision() != row.revision()) {
        continue;
      }
      if (row.isFinal()) {
        history.remove(id);
        storedRevisions.remove(id);
        unstage(HISTORY + id);
      } else {
        storedRevisions.put(id, row.revision());
      }
    }
  }

  private void stage(String key, Supplier<String> entry) {
    staged.put(key, () -> Optional.of(entry.get()));
  }

  private void unstage(String key) {
    staged.put(key, Optional::empty);
  }

  /** Commits what was staged, all at once; does nothing when nothing was. */
  void commit() {
    if (!staged.isEmpty()) {
      Map<String, Optional<String>> changes = new HashMap<>();
      staged.forEach((key, entry) -> changes.put(key, entry.get()));
      store.commit(changes);
      staged.clear();
    }
  }
}
