package org.capacityobservatory.api;

import org.jspecify.annotations.Nullable;

/** The API could not start; the message is one sentence for a person. */
public final class ApiStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ApiStartException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
