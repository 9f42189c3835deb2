package org.capacityobservatory.cli;

/** A command was given something that can't be meant. Exit code 2. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
