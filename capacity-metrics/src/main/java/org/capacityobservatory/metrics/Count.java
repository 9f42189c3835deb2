package org.capacityobservatory.metrics;

/** A count that only grows. Not safe for several threads. */
public final class Count {
  private long n;

  /** Zero. */
  public Count() {
    this(0);
  }

  /** A count as it was stored. */
  public Count(long n) {
    this.n = n;
  }

  /** Adds, at least 0. */
  public void add(long more) {
    n += more;
  }

  /** How many. */
  public long n() {
    return n;
  }
}
