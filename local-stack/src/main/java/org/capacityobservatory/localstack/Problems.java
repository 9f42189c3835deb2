package org.capacityobservatory.localstack;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with a configuration, so that a user sees every problem at once. */
final class Problems {
  private final String what;
  private final List<String> found = new ArrayList<>();

  Problems(String what) {
    this.what = what;
  }

  void require(boolean holds, String problem) {
    if (!holds) {
      found.add(problem);
    }
  }

  /** A port is 0 (a free one) or 1 to 65535. */
  void requirePort(int port, String name) {
    require(port >= 0 && port <= 65_535, name + " must be 0 (any free port) to 65535, not " + port);
  }

  /** Throws one exception that lists every problem, if there is any. */
  void throwIfAny() {
    if (!found.isEmpty()) {
      throw new IllegalArgumentException(what + ": " + String.join("; ", found));
    }
  }
}
