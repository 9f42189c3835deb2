package org.capacityobservatory.log;

/** What a logical line is to this pipeline. */
public enum LineKind {
  /** A whole, well-formed JSON object whose {@code event} is one of the limiter's. */
  OURS,
  /** Noise on the same stream: counted, never an error. */
  NOT_OURS,
  /** A line of the limiter that can't be taken as it stands: kept aside with its reason. */
  QUARANTINED
}
