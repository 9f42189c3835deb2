package org.capacityobservatory.alarms;

import java.util.List;

/** A file of rules isn't in form. */
public final class AlarmRulesException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  AlarmRulesException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** Every problem, as FILE:LINE: what is wrong and what would be right. */
  public List<String> problems() {
    return problems;
  }
}
