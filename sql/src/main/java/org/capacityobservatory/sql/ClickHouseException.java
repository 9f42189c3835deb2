package org.capacityobservatory.sql;

/** ClickHouse could not be reached, or refused what it was asked; the message is for a person. */
public final class ClickHouseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;

  ClickHouseException(String message) {
    this(message, 0);
  }

  ClickHouseException(String message, int code) {
    super(message);
    this.code = code;
  }

  ClickHouseException(String message, Throwable cause) {
    super(message, cause);
    this.code = 0;
  }

  /**
   * ClickHouse's own number for the error, for example 252 for too many parts.
   *
   * @return the code, or 0 when ClickHouse was not reached or gave none
   */
  public int code() {
    return code;
  }
}
