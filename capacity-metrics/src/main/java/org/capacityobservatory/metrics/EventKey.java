package org.capacityobservatory.metrics;

/**
 * What rare things are counted by, per minute.
 *
 * @param kind one of {@link Kind}
 * @param value which of its kind, for example the lanes that were full together; empty where the
 *     kind has but one
 */
public record EventKey(Kind kind, String value) {
  /** What is counted. */
  public enum Kind {
    /** Calls by the set of lanes that were full, for example {@code api_heavy+tier}. */
    FULL_SET("full_set"),
    /** Calls by the kind of error that the limiter hit. */
    ERROR("error"),
    /** Calls whose leases expired while they ran. */
    LEASE_LOST("lease_lost"),
    /** Calls that were held for longer than the limiter renews a lease. */
    HELD_TOO_LONG("held_too_long"),
    /** Lines that the API's own sink dropped. */
    LOG_DROPPED("log_dropped"),
    /** Lines by known key whose value was of another type. */
    TYPE_ERROR("type_error");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** The kind's name in tables and answers. */
    public String word() {
      return word;
    }
  }
}
