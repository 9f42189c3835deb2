package org.capacityobservatory.api;

import java.util.List;
import java.util.Locale;

/** What a caller may do; each role may do what those before it may. */
public enum Role {
  /** Sees all numbers and rows without personal data. */
  VIEWER,
  /** Sees personal data too, starts calibrations, keeps views and silences. */
  OPERATOR,
  /** All there is. */
  ADMIN;

  /** The role in requests, answers and files. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean reaches(Role needed) {
    return compareTo(needed) >= 0;
  }

  /** What the role may do, in the words of the API's description. */
  List<String> may() {
    return this == VIEWER
        ? List.of("calls")
        : List.of("calls", "personal_data", "calibrations", "views", "silences");
  }
}
