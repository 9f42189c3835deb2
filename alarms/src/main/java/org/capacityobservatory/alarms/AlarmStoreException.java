package org.capacityobservatory.alarms;

import org.jspecify.annotations.Nullable;

/** The evaluator's state can't be read or changed. */
public final class AlarmStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A failure, said as a sentence. */
  public AlarmStoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
