package org.capacityobservatory.shipper;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.capacityobservatory.log.EntryName;
import org.jspecify.annotations.Nullable;

/**
 * Which entries of a journal are shipped. A journal has an order, so one cursor tells it; but for
 * entries that follow the first piece of a line whose last piece hasn't come: the next run reads
 * from that piece on, and passes over those that are shipped.
 */
final class JournalLedger implements Ledger {
  /** So many entries may come between a line's first piece and its last. */
  static final int MAX_ENTRIES = 10_000;

  private static final class Entry {
    private final EntryName name;
    private boolean done;

    Entry(EntryName name, boolean done) {
      this.name = name;
      this.done = done;
    }
  }

  /** Shipped by an earlier run, and not met again yet. */
  private final Set<Long> seenBefore;

  /** From the first entry on that isn't done. */
  private final Deque<Entry> entries = new ArrayDeque<>();

  private final Map<EntryName, Entry> begun = new HashMap<>();
  private String resume;
  private @Nullable String newest;

  JournalLedger(@Nullable FeedRecord at) {
    this.seenBefore = at == null ? new HashSet<>() : EntryHashes.decoded(at.seen());
    this.resume = at == null ? "" : at.resume();
  }

  @Override
  public boolean knows(EntryName name) {
    return !seenBefore.isEmpty() && seenBefore.contains(EntryHashes.of(name));
  }

  @Override
  public void began(EntryName name) {
    newest = name.name();
    Entry entry = new Entry(name, false);
    entries.add(entry);
    begun.put(name, entry);
  }

  @Override
  public void done(EntryName name) {
    Entry entry = begun.remove(name);
    if (entry == null) {
      newest = name.name();
      entries.add(new Entry(name, true));
    } else {
      entry.done = true;
    }
    if (!seenBefore.isEmpty()) {
      seenBefore.remove(EntryHashes.of(name));
    }
    for (Entry first = entries.peek(); first != null && first.done; first = entries.peek()) {
      resume = first.name.name();
      entries.remove();
    }
  }

  @Override
  public boolean isFull() {
    return entries.size() >= MAX_ENTRIES;
  }

  @Override
  public String resume() {
    return resume;
  }

  @Override
  public String seen() {
    List<Long> seen = new ArrayList<>(seenBefore);
    for (Entry entry : entries) {
      if (entry.done) {
        seen.add(EntryHashes.of(entry.name));
      }
    }
    return EntryHashes.encoded(seen);
  }

  /** The cursor of the last entry taken in this run, or where this run went on; empty for none. */
  String newest() {
    return newest == null ? resume : newest;
  }
}
