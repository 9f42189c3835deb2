package org.capacityobservatory.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.Verification;

/** How a recount is told on a terminal and to programs. */
final class Recounting {
  private Recounting() {}

  /** ClickHouse didn't answer, in one sentence. */
  static CommandException unanswered(ClickHouseConfig config, RuntimeException failure) {
    Throwable root = failure;
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      root = cause;
    }
    return new CommandException(
        "ClickHouse at " + config.url() + " can't be asked: " + root.getMessage(), failure);
  }

  static Map<String, Object> tree(Verification result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("agrees", result.agrees());
    tree.put("calls", result.calls());
    tree.put("hidden_doubles", result.hiddenDoubles());
    tree.put("in_flight", result.inFlight());
    tree.put("differing_cells", result.differingCells());
    tree.put("differences", result.differences());
    return tree;
  }

  static String text(Verification result) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%,d calls recounted, %,d cells differ%n"
            .formatted(result.calls(), result.differingCells()));
    if (result.hiddenDoubles() > 0) {
      text.append(
          "%,d rows are stored twice; queries don't see it%n".formatted(result.hiddenDoubles()));
    }
    if (result.inFlight() > 0) {
      text.append("%,d lines are under way%n".formatted(result.inFlight()));
    }
    result.differences().forEach(difference -> text.append(difference).append('\n'));
    text.append(result.agrees() ? "Everything agrees.\n" : "There are differences.\n");
    return text.toString();
  }
}
