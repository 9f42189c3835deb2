package org.capacityobservatory.streams;

/** The job can't start, and its message says why and what helps. */
public final class StreamsStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StreamsStartException(String message) {
    super(message);
  }

  StreamsStartException(String message, Throwable cause) {
    super(message, cause);
  }
}
