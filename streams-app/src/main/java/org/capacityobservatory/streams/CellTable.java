package org.capacityobservatory.streams;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The open cells of one table: folds calls in, publishes what changed, closes what rests.
 *
 * <p>The store holds every fold at each commit; which cells still wait to be published does not
 * survive a restart, so after one all of them are published again. That is harmless: a row with the
 * same revision replaces itself.
 *
 * <p>A closed cell that is touched again opens as a new partial, so no published count ever
 * shrinks, and a backfill is never late.
 */
final class CellTable<K, T> {
  private final KeyValueStore<CellKey<K>, Cell<T>> store;
  private final RowWriter<K, T> rows;
  private final Set<CellKey<K>> changed = new LinkedHashSet<>();
  private final Map<CellKey<K>, Long> touchedAtMillis = new HashMap<>();

  /** Writes one revision of a cell as a row of its table. */
  interface RowWriter<K, T> {
    byte[] row(CellKey<K> key, Cell<T> cell, boolean closed);
  }

  CellTable(KeyValueStore<CellKey<K>, Cell<T>> store, RowWriter<K, T> rows, long nowMillis) {
    this.store = store;
    this.rows = rows;
    try (KeyValueIterator<CellKey<K>, Cell<T>> restored = store.all()) {
      restored.forEachRemaining(
          entry -> {
            changed.add(entry.key);
            touchedAtMillis.put(entry.key, nowMillis);
          });
    }
  }

  /**
   * Folds one line into a cell.
   *
   * @param fresh an empty tally, used when the cell isn't open
   * @param fold adds the line to a tally
   */
  void fold(CellKey<K> key, long offset, T fresh, UnaryOperator<T> fold, long nowMillis) {
    Cell<T> cell = store.get(key);
    long partial = cell == null ? offset : cell.partial();
    T tally = cell == null ? fresh : cell.tally();
    store.put(key, new Cell<>(partial, offset, fold.apply(tally)));
    changed.add(key);
    touchedAtMillis.put(key, nowMillis);
  }

  /** Hands out a row for each cell that changed since the last time. */
  void publishChanged(BiConsumer<CellKey<K>, byte[]> out) {
    for (CellKey<K> key : changed) {
      Cell<T> cell = store.get(key);
      if (cell != null) {
        out.accept(key, rows.row(key, cell, false));
      }
    }
    changed.clear();
  }

  /** Closes the cells that nothing was folded into since an instant, with a last row for each. */
  void closeUntouchedSince(long sinceMillis, BiConsumer<CellKey<K>, byte[]> out) {
    Iterator<Map.Entry<CellKey<K>, Long>> touched = touchedAtMillis.entrySet().iterator();
    while (touched.hasNext()) {
      Map.Entry<CellKey<K>, Long> entry = touched.next();
      if (entry.getValue() < sinceMillis) {
        Cell<T> cell = store.delete(entry.getKey());
        if (cell != null) {
          out.accept(entry.getKey(), rows.row(entry.getKey(), cell, true));
        }
        changed.remove(entry.getKey());
        touched.remove();
      }
    }
  }
}
