package org.capacityobservatory.localstack;

import java.util.Objects;

/**
 * A server or a child process that could not be started, or that refused to start. The message is
 * one sentence for a person: what is wrong, where, and what mends it.
 */
public final class LocalStackException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong. */
  public LocalStackException(String message) {
    super(message);
  }

  /** Says what is wrong and what it came from. */
  public LocalStackException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }
}
