package org.capacityobservatory.log.sink;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of many putting threads and one taking thread, which counts what it refuses and
 * hands that count to the next line that it takes in.
 *
 * <p>Putting is lock-free: one compare-and-set claims the next index, a store publishes the line
 * there. Indexes only grow; a slot is an index modulo the array's length.
 *
 * <pre>
 *   released ≤ claimed ≤ released + capacity
 *   slots[released, claimed): queued, being put (still null) or being written
 *   sign bit of claimed: closed, so that after closing no claim can succeed and the last index is known
 *   refused ≥ handed: lines refused, and how many of these a later line carries
 * </pre>
 *
 * <p>The design is that of JCTools' array queues (claim by compare-and-set against a cached limit).
 * It stands here because a library in other people's services should bring no dependency for it,
 * and because closing and the count of refusals must be one with the claim to be exact.
 */
final class LineRing {
  /** What became of a line. */
  enum Offer {
    ACCEPTED,
    FULL,
    CLOSED
  }

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
  private static final AtomicLongFieldUpdater<LineRing> REFUSED =
      AtomicLongFieldUpdater.newUpdater(LineRing.class, "refused");
  private static final AtomicLongFieldUpdater<LineRing> HANDED =
      AtomicLongFieldUpdater.newUpdater(LineRing.class, "handed");
  private static final long INDEX = Long.MAX_VALUE;

  private final @Nullable Object[] slots;
  private final long[] refusedBefore;
  private final int mask;
  private final int capacity;

  private final PaddedLong claimed = new PaddedLong();

  /** Claims below this index surely find room; a hint that spares reading {@link #released}. */
  private final PaddedLong limit = new PaddedLong();

  private final PaddedLong released = new PaddedLong();

  // Beside what never changes, since every put reads them and, while nothing is lost, none writes.
  private volatile long refused;
  private volatile long handed;
  private volatile boolean takerAsleep;

  LineRing(int capacity) {
    int length = capacity == 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
    this.capacity = capacity;
    slots = new Object[length];
    refusedBefore = new long[length];
    mask = length - 1;
    limit.set(capacity);
  }

  /** Puts a line at the end, or refuses it; any thread. */
  Offer offer(Object line) {
    long knownLimit = limit.get();
    long index;
    do {
      index = claimed.get();
      if (index < 0) {
        return Offer.CLOSED;
      }
      if (index >= knownLimit) {
        // Read after the claims: full by this is full at the moment when the claims were read.
        knownLimit = released.get() + capacity;
        if (index >= knownLimit) {
          refuse();
          return Offer.FULL;
        }
        limit.lazySet(knownLimit);
      }
    } while (!claimed.compareAndSet(index, index + 1));

    int slot = (int) index & mask;
    long untold = takeRefused();
    if (untold > 0) {
      refusedBefore[slot] = untold;
    }
    // Not a mere release: the taking thread's word that it sleeps must be read after this.
    SLOT.setVolatile(slots, slot, line);
    return Offer.ACCEPTED;
  }

  void refuse() {
    REFUSED.incrementAndGet(this);
  }

  /** How many were refused since the last that somebody took; to each taker its own. */
  long takeRefused() {
    // In this order, so that what is refused is never read as less than what is handed on.
    long alreadyHanded = handed;
    long allRefused = refused;
    boolean ours =
        allRefused != alreadyHanded && HANDED.compareAndSet(this, alreadyHanded, allRefused);
    return ours ? allRefused - alreadyHanded : 0;
  }

  /** The n-th line from the oldest; null if it isn't there yet. Only the taking thread. */
  @Nullable Object peek(int n) {
    return n >= capacity ? null : SLOT.getAcquire(slots, (int) (released.get() + n) & mask);
  }

  /** Lines refused that the n-th line from the oldest is to tell of. Only the taking thread. */
  long refusedBefore(int n) {
    return refusedBefore[(int) (released.get() + n) & mask];
  }

  /** Makes room for as many lines as were taken from the oldest on. Only the taking thread. */
  void release(int taken) {
    long first = released.get();
    for (long index = first; index < first + taken; index++) {
      refusedBefore[(int) index & mask] = 0;
      slots[(int) index & mask] = null;
    }
    // Publishes the slots' emptiness along with it.
    released.lazySet(first + taken);
  }

  /** From now on every line is refused. */
  void close() {
    claimed.getAndUpdate(index -> index | ~INDEX);
  }

  /** Whether it is open and holds nothing. */
  boolean isIdle() {
    return claimed.get() == released.get();
  }

  /** Whether it is closed and all that it ever took in was released. */
  boolean isFinished() {
    long index = claimed.get();
    return index < 0 && (index & INDEX) == released.get();
  }

  /** Whether the taking thread sleeps until it is woken; to be asked after a line was taken in. */
  boolean isTakerAsleep() {
    return takerAsleep;
  }

  void setTakerAsleep(boolean asleep) {
    takerAsleep = asleep;
  }

  long accepted() {
    return claimed.get() & INDEX;
  }

  long refused() {
    return refused;
  }

  /** Lines queued, being put or being taken. */
  long size() {
    long gone = released.get();
    return accepted() - gone;
  }

  /** A counter with room beside it, so that two of them never share a cache line. */
  private static final class PaddedLong extends AtomicLong {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("unused")
    long p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
  }
}
