package org.capacityobservatory.calibration;

/** A change of the limiter or its clients that is under discussion: a switch of a replay. */
public enum WhatIf {
  /** The single-row reserve also over the task and kNN lanes. */
  RESERVE_EVERYWHERE(
      "reserve_everywhere", "The single-row reserve holds in the task and kNN lanes too"),
  /** A refused attempt costs no daily allowance. */
  REFUSALS_FREE("refusals_free", "A refused attempt costs no daily allowance"),
  /** A run keeps no more calls going than {@code suggested} says. */
  CAP_AT_SUGGESTED("cap_at_suggested", "Runs keep no more calls going than suggested"),
  /** While a tab has refused calls waiting, it sends nothing new. */
  RETRY_FIRST("retry_first", "A refused request retries before its tab sends anything new"),
  /** Single-row calls don't wait for pauses that bulk calls brought on. */
  SINGLE_ROW_IGNORES_BULK_PAUSE(
      "single_row_ignores_bulk_pause", "Single-row calls ignore the pauses of bulk calls"),
  /** {@code retry_after} counts the calls that wait for the lane, not only those in it. */
  RETRY_AFTER_GROWS("retry_after_grows", "retry_after grows with the calls that wait");

  private final String word;
  private final String title;

  WhatIf(String word, String title) {
    this.word = word;
    this.title = title;
  }

  /** The switch's name in JSON. */
  public String word() {
    return word;
  }

  /** The switch in a few words. */
  public String title() {
    return title;
  }
}
