package org.capacityobservatory.shipper;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.capacityobservatory.log.EntryName;
import org.jspecify.annotations.Nullable;

/**
 * Which events of a log group are shipped. Events become visible out of order, some seconds after
 * their time: so each sweep asks again for the last stretch of time, and events of that stretch
 * that are shipped are remembered by the hashes of their ids.
 *
 * <p>All events before {@link #fromMillis} are taken for shipped. It moves when a sweep is
 * complete, to the overlap before that sweep's start, though not past the newest event met: where
 * nothing comes for long, what comes late is still taken.
 */
final class CloudWatchLedger implements Ledger {
  /**
   * So many events are remembered; where a stretch has more, it gets shorter. Events of one sweep
   * come in the order of their times, so what is dropped is behind.
   */
  static final int MAX_EVENTS = 40_000;

  private static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;

  /** Hash of the id → time, of all that were given out and whose time isn't before the start. */
  private final Map<Long, Long> given;

  /** Those of them that are pieces of lines not whole yet. */
  private final Map<Long, Long> undone = new HashMap<>();

  private long fromMillis;
  private long newestMillis;
  private @Nullable String encoded;

  CloudWatchLedger(@Nullable FeedRecord at, long sinceMillis) {
    FeedRecord begun = at == null || at.resume().isEmpty() ? null : at;
    this.fromMillis = begun == null ? sinceMillis : Long.parseLong(begun.resume());
    this.given = begun == null ? new HashMap<>() : decoded(begun.seen());
    this.newestMillis = given.isEmpty() ? Long.MIN_VALUE : Collections.max(given.values());
  }

  /** Takes note of an event before it is given out; false where it has been given out before. */
  boolean gives(EntryName name, long timeMillis) {
    long hash = EntryHashes.of(name);
    if (given.putIfAbsent(hash, timeMillis) != null) {
      return false;
    }
    undone.put(hash, timeMillis);
    newestMillis = Math.max(newestMillis, timeMillis);
    encoded = null;
    if (given.size() > MAX_EVENTS) {
      long[] times = given.values().stream().mapToLong(Long::longValue).sorted().toArray();
      moveTo(times[times.length / 2]);
    }
    return true;
  }

  /**
   * All that was visible when a sweep began has been given out.
   *
   * @param beganMillis when it began
   */
  void sweepDone(long beganMillis, Duration overlap) {
    long settled = beganMillis - overlap.toMillis();
    moveTo(newestMillis == Long.MIN_VALUE ? settled : Math.min(settled, newestMillis));
  }

  private void moveTo(long millis) {
    long firstUndone = undone.isEmpty() ? millis : Collections.min(undone.values());
    long to = Math.min(millis, firstUndone);
    if (to > fromMillis) {
      fromMillis = to;
      given.values().removeIf(time -> time < to);
      encoded = null;
    }
  }

  /** The earliest time to ask for. */
  long fromMillis() {
    return fromMillis;
  }

  /** The tap passes over what was shipped: it knows before it gives. */
  @Override
  public boolean knows(EntryName name) {
    return false;
  }

  @Override
  public void began(EntryName name) {
    // It is undone from the moment it is given.
  }

  @Override
  public void done(EntryName name) {
    if (undone.remove(EntryHashes.of(name)) != null) {
      encoded = null;
    }
  }

  @Override
  public boolean isFull() {
    return given.size() >= MAX_EVENTS && !undone.isEmpty();
  }

  @Override
  public String resume() {
    return Long.toString(fromMillis);
  }

  /**
   * The newest time, 8 bytes; then in the order of the hashes: the hash, 8 bytes, and the ms from
   * its time to the newest, 4 bytes. A time further back than those can tell is taken for later
   * than it was, so that it isn't forgotten too early.
   */
  @Override
  public String seen() {
    String known = encoded;
    if (known == null) {
      Map<Long, Long> done = new TreeMap<>(given);
      done.keySet().removeAll(undone.keySet());
      ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + done.size() * ENTRY_BYTES);
      bytes.putLong(newestMillis);
      done.forEach(
          (hash, time) ->
              bytes.putLong(hash).putInt((int) Math.min(Integer.MAX_VALUE, newestMillis - time)));
      known = done.isEmpty() ? "" : Base64.getEncoder().encodeToString(bytes.array());
      encoded = known;
    }
    return known;
  }

  /**
   * Reads {@link #seen} again: hashes with their times.
   *
   * @throws IllegalArgumentException if it isn't that
   */
  static Map<Long, Long> decoded(String seen) {
    ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(seen));
    Map<Long, Long> times = new HashMap<>();
    if (!bytes.hasRemaining()) {
      return times;
    }
    if (bytes.remaining() % ENTRY_BYTES != Long.BYTES) {
      throw new IllegalArgumentException("its field seen is cut");
    }
    long newest = bytes.getLong();
    while (bytes.hasRemaining()) {
      times.put(bytes.getLong(), newest - bytes.getInt());
    }
    return times;
  }
}
