package org.capacityobservatory.streams.writer;

/** Why the writer can't go on without a person; the message says what to do. */
public final class WriterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  WriterException(String message) {
    super(message);
  }

  WriterException(String message, Throwable cause) {
    super(message, cause);
  }
}
