package org.capacityobservatory.log;

/** Why a line was kept aside before anything parsed it. */
public enum QuarantineReason {
  /** It starts as a capacity object and stops before that object's end. */
  UNTERMINATED("unterminated"),
  /** Its first pieces came, its last one didn't, and what came is no whole object. */
  PARTIAL("partial"),
  /** It starts as a capacity object and isn't JSON, or has text after the object. */
  BAD_JSON("bad_json"),
  /** It is a capacity object with bytes that aren't UTF-8. */
  BAD_UTF8("bad_utf8"),
  /** It is longer than the line cap; whether it was ours nobody has looked. */
  TOO_LONG("too_long"),
  /** A capacity object stands inside another line: in text, in a list, in another event. */
  EMBEDDED("embedded"),
  /** A capacity object stands in a Docker record that is broken. */
  BAD_ENVELOPE("bad_envelope");

  private final String wireName;

  QuarantineReason(String wireName) {
    this.wireName = wireName;
  }

  /** The reason as dead letters and metrics write it. */
  public String wireName() {
    return wireName;
  }
}
