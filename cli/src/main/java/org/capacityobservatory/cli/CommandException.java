package org.capacityobservatory.cli;

/** A command can't go on; the message is one sentence for a person. Exit code 1. */
final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommandException(String message) {
    super(message);
  }

  CommandException(String message, Throwable cause) {
    super(message, cause);
  }
}
