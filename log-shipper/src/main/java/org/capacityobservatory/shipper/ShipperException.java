package org.capacityobservatory.shipper;

import org.jspecify.annotations.Nullable;

/** Why the shipper can't start or go on, in one sentence that names the place and the remedy. */
public final class ShipperException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kind of failure, for exit codes. */
  public enum Kind {
    /** No broker answered in time at the start. */
    BROKER_UNREACHABLE,
    /** A topic doesn't exist. */
    TOPIC_MISSING,
    /** A topic's settings would lose or refuse records. */
    TOPIC_WRONG,
    /** Another shipper with the same identity has taken over. */
    FENCED,
    /** The broker refuses these credentials or rights. */
    NOT_ALLOWED,
    /** The positions topic holds what this version can't read, or has lost what it held. */
    POSITIONS_UNREADABLE,
    /** A source can't be read on this host, or not now where it is to be shipped once. */
    SOURCE_UNREADABLE,
    /** Anything else: a fault of this program or of the machine. */
    INTERNAL
  }

  private final Kind kind;

  ShipperException(Kind kind, String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
    this.kind = kind;
  }

  ShipperException(Kind kind, String sentence) {
    this(kind, sentence, null);
  }

  /** The kind of failure. */
  public Kind kind() {
    return kind;
  }
}
