package org.capacityobservatory.shipper;

import java.util.List;

/** A shipper config that can't be used, with all of its problems. */
public final class ShipperConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  ShipperConfigException(List<String> problems) {
    super("The shipper's config can't be used: " + String.join("; ", problems));
    this.problems = List.copyOf(problems);
  }

  /** One sentence for each problem, in the order of the config's fields. */
  public List<String> problems() {
    return problems;
  }
}
