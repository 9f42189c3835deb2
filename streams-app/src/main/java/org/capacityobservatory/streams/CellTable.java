package org.capacityobservatory.streams;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The open cells of one table: folds lines in, publishes what changed, closes whole minutes.
 *
 * <p>The store has every fold at each commit; which cells still wait to be published does not
 * survive a restart, so after one all of them are published again. That is harmless: a row with the
 * same revision replaces itself.
 *
 * <p>A closed cell that is touched again opens as a new partial, so no published count ever
 * shrinks, and nothing is too late to be counted.
 */
final class CellTable<K, T> {
  private final ValueStore<CellKey<K>, Cell<T>> store;
  private final Supplier<T> fresh;
  private final RowWriter<K, T> writer;
  private final NavigableMap<Long, Map<K, Open<K, T>>> minutes = new TreeMap<>();
  private final List<Open<K, T>> unpublished = new ArrayList<>();
  // Most lines come in the minute of the line before.
  private long lastMinute;
  private @Nullable Map<K, Open<K, T>> lastCells;

  /** Writes one revision of a cell as rows of its table. */
  interface RowWriter<K, T> {
    void rows(CellKey<K> key, Cell<T> cell, boolean closed, RowSink out);
  }

  /** Takes one row. */
  interface RowSink {
    void row(byte[] json);
  }

  /** A cell that takes lines, until its minute is closed. */
  static final class Open<K, T> {
    private final CellKey<K> key;
    private final Cell<T> cell;
    private boolean unpublished;
    private boolean closed;

    private Open(CellKey<K> key, Cell<T> cell) {
      this.key = key;
      this.cell = cell;
    }
  }

  CellTable(ValueStore<CellKey<K>, Cell<T>> store, Supplier<T> fresh, RowWriter<K, T> writer) {
    this.store = store;
    this.fresh = fresh;
    this.writer = writer;
    store.load(
        (key, cell) -> {
          Open<K, T> open = new Open<>(key, cell);
          cellsOf(key.minuteMillis()).put(key.key(), open);
          toBePublished(open);
        });
  }

  /**
   * The tally of a cell, for one line to be added to.
   *
   * @param offset where the line stands in its partition
   */
  T at(long minuteMillis, K key, long offset) {
    return fold(open(minuteMillis, key, offset), offset);
  }

  /**
   * A cell, for those who add many lines to it: it is this table's until its minute is closed.
   *
   * @param offset where the line stands for which it is opened, if it isn't open
   */
  Open<K, T> open(long minuteMillis, K key, long offset) {
    Map<K, Open<K, T>> cells = cellsOf(minuteMillis);
    Open<K, T> open = cells.get(key);
    if (open == null) {
      open = new Open<>(new CellKey<>(minuteMillis, key), new Cell<>(offset, offset, fresh.get()));
      cells.put(key, open);
    }
    return open;
  }

  /** The tally of an open cell, for one line to be added to. */
  T fold(Open<K, T> open, long offset) {
    open.cell.foldedAt(offset);
    store.changed(open.key, open.cell);
    toBePublished(open);
    return open.cell.tally();
  }

  /** Hands out rows for each cell that changed since the last time. */
  void publishChanged(RowSink out) {
    for (Open<K, T> open : unpublished) {
      open.unpublished = false;
      if (!open.closed) {
        writer.rows(open.key, open.cell, false, out);
      }
    }
    unpublished.clear();
  }

  /** Closes all minutes that start before an instant, with last rows for each cell. */
  void closeBefore(long instantMillis, RowSink out) {
    Map<Long, Map<K, Open<K, T>>> past = minutes.headMap(instantMillis, false);
    for (Map<K, Open<K, T>> cells : past.values()) {
      for (Open<K, T> open : cells.values()) {
        open.closed = true;
        writer.rows(open.key, open.cell, true, out);
        store.delete(open.key, open.cell);
      }
    }
    past.clear();
    lastCells = null;
  }

  /** Drops all minutes that start before an instant, unpublished as they may be. */
  void forgetBefore(long instantMillis) {
    minutes.headMap(instantMillis, false).clear();
    lastCells = null;
  }

  private Map<K, Open<K, T>> cellsOf(long minuteMillis) {
    Map<K, Open<K, T>> cells = lastCells;
    if (cells == null || minuteMillis != lastMinute) {
      cells = minutes.computeIfAbsent(minuteMillis, m -> new HashMap<>());
      lastMinute = minuteMillis;
      lastCells = cells;
    }
    return cells;
  }

  private void toBePublished(Open<K, T> open) {
    if (!open.unpublished) {
      open.unpublished = true;
      unpublished.add(open);
    }
  }
}
