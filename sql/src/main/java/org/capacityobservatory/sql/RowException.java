package org.capacityobservatory.sql;

/**
 * A row can't be stored in its table as it is: it isn't JSON, or a value doesn't fit its column.
 */
public final class RowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RowException(String problem) {
    super(problem);
  }
}
