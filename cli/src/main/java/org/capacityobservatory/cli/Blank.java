package org.capacityobservatory.cli;

import java.util.List;

/** Refuses empty names at once: most come from a variable that a script forgot to set. */
final class Blank {
  private Blank() {}

  /**
   * The values, once none is empty.
   *
   * @throws UsageException naming the option
   */
  static List<String> refused(String option, List<String> values) {
    if (values.stream().anyMatch(String::isBlank)) {
      throw new UsageException(option + " is empty: name a file or a folder");
    }
    return values;
  }
}
