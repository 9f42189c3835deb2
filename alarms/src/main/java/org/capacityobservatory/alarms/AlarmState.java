package org.capacityobservatory.alarms;

/** Where a series of a rule stands. */
public enum AlarmState {
  /** The condition doesn't hold. */
  INACTIVE("inactive"),
  /** The condition holds, but not yet for long enough. */
  PENDING("pending"),
  /** The alarm is on. */
  FIRING("firing"),
  /** It was on, and evidence says that it is over. */
  RESOLVED("resolved"),
  /** Pending or firing, and nothing says whether the condition still holds. */
  NO_DATA("no-data");

  private final String word;

  AlarmState(String word) {
    this.word = word;
  }

  /** As it is stored and shown. */
  public String word() {
    return word;
  }

  /**
   * The state of a word.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static AlarmState of(String word) {
    for (AlarmState state : values()) {
      if (state.word.equals(word)) {
        return state;
      }
    }
    throw new IllegalArgumentException("There is no state '" + word + "'");
  }
}
