package org.capacityobservatory.log;

/** A line can't be read as a capacity event; it belongs among the dead letters. */
public final class LineException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why a line can't be read; {@link #word} is what is stored. */
  public enum Reason {
    /** Not one whole JSON object. */
    BAD_JSON("bad_json"),
    /** Bytes that are not UTF-8. */
    BAD_UTF8("bad_utf8"),
    /** Nested deeper than {@link LineParser#MAX_DEPTH}. */
    DEPTH("depth"),
    /** One key twice: which of the two counts isn't for us to choose. */
    DUP_KEY("dup_key"),
    /** An {@code event} that is no text. */
    TYPE_ERROR("type_error"),
    /** A number outside what the field can hold. */
    RANGE_ERROR("range_error"),
    /** {@code event} or {@code decision} is missing or null. */
    MISSING_FIELD("missing_field"),
    /** A whole JSON object, but of another event. */
    OTHER_EVENT("other_event");

    private final String word;

    Reason(String word) {
      this.word = word;
    }

    /** The reason as it is stored and counted. */
    public String word() {
      return word;
    }
  }

  private final Reason reason;

  LineException(Reason reason, String detail) {
    // It is an answer, not a fault of the program: a stack trace would cost more than the parsing.
    super(detail, null, false, false);
    this.reason = reason;
  }

  /** Why the line can't be read; the message names the key and what was found there. */
  public Reason reason() {
    return reason;
  }
}
