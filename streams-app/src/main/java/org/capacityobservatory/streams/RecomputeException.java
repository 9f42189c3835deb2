package org.capacityobservatory.streams;

/** Minutes that can't be made anew; nothing was changed. The message says which can be. */
public final class RecomputeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RecomputeException(String message) {
    super(message);
  }
}
