package org.capacityobservatory.calibration;

import java.util.List;

/** A config, a patch or a set of requirements breaks rules; the message names all of them. */
public final class InvalidConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  InvalidConfigException(List<String> problems) {
    super(String.join("; ", problems));
    this.problems = List.copyOf(problems);
  }

  /** Every problem found, each naming the value and the remedy. */
  public List<String> problems() {
    return problems;
  }
}
