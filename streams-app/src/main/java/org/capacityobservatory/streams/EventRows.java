package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import org.capacityobservatory.log.CapacityCall;
import org.capacityobservatory.log.ConfigChange;

/** Calls and config changes as rows of their tables (sql/migrations). */
final class EventRows {
  private static final byte[] START = "{\"event\":\"ocl_capacity\",".getBytes(US_ASCII);

  private EventRows() {}

  /**
   * A call's row. What a line says is named as the table's columns are, so where nothing was set
   * aside the line's own bytes are the row's; else it is written anew.
   *
   * @param line the line that the call was read from
   */
  static byte[] of(CapacityCall call, byte[] line, LinePlace place) {
    return isRowAsItStands(call, line) ? spliced(line, place) : written(call, place);
  }

  /** Escapes may hold what no column can, and a minus only −0. */
  private static boolean isRowAsItStands(CapacityCall call, byte[] line) {
    if (!call.nullKeys().isEmpty() || !call.unknown().isEmpty()) {
      return false; // a type error is among the unknown
    }
    if (line.length <= START.length
        || !Arrays.equals(line, 0, START.length, START, 0, START.length)) {
      return false;
    }
    byte before = 0;
    for (byte b : line) {
      if (b == '\\' || (b == '-' && (before == ':' || before == ' '))) {
        return false;
      }
      before = b;
    }
    return before == '}';
  }

  private static byte[] spliced(byte[] line, LinePlace place) {
    byte[] start = place.asRowStart("ended_at");
    byte[] row = Arrays.copyOf(start, start.length + 1 + line.length - START.length);
    row[start.length] = ',';
    System.arraycopy(line, START.length, row, start.length + 1, line.length - START.length);
    return row;
  }

  private static byte[] written(CapacityCall call, LinePlace place) {
    return startedWith(place, "ended_at")
        .text("decision", call.decision())
        .text("mode", call.mode())
        .flag("enforced", call.enforced())
        .text("endpoint", call.endpoint())
        .flag("semantic", call.semantic())
        .flag("reranker", call.reranker())
        .number("rows", call.rows())
        .flag("single_row", call.singleRow())
        .text("tier", call.tier())
        .number("user_id", call.userId())
        .texts("full", call.full())
        .text("scope", call.scope())
        .number("in_flight", call.inFlight())
        .number("limit", call.limit())
        .number("task_in_flight", call.taskInFlight())
        .number("task_limit", call.taskLimit())
        .number("es2_knn_in_flight", call.es2KnnInFlight())
        .number("es2_knn_limit", call.es2KnnLimit())
        .number("tier_in_flight", call.tierInFlight())
        .number("tier_limit", call.tierLimit())
        .number("user_in_flight", call.userInFlight())
        .number("user_limit", call.userLimit())
        .number("suggested", call.suggested())
        .number("retry_after", call.retryAfter())
        .number("held_ms", call.heldMs())
        .number("queue_ms", call.queueMs())
        .flag("lease_lost", call.leaseLost())
        .text("error", call.error())
        .text("task", call.task())
        .text("request_source", call.requestSource())
        .text("algorithm_id", call.algorithmId())
        .text("automatch_run_id", call.automatchRunId())
        .text("cid", call.cid())
        .number("log_dropped", call.logDropped())
        .texts("null_keys", call.nullKeys())
        .text("unknown", call.unknown())
        .texts("type_errors", call.typeErrors())
        .toBytes();
  }

  static byte[] of(ConfigChange change, LinePlace place) {
    return startedWith(place, "changed_at")
        .number("version", change.version())
        .text("changed_by", change.changedBy())
        .text("change_source", change.source())
        .text("note", change.note())
        .text("mode", change.mode())
        .text("changes", change.changes())
        .number("log_dropped", change.logDropped())
        .texts("null_keys", change.nullKeys())
        .text("unknown", change.unknown())
        .texts("type_errors", change.typeErrors())
        .toBytes();
  }

  private static Row startedWith(LinePlace place, String timeColumn) {
    return new Row()
        .text("event_id", place.eventId())
        .text("source", place.source())
        .number("generation", place.generation())
        .number("position", place.position())
        .text("time_source", place.timeSource())
        .text("flag", place.flag())
        .number(timeColumn, place.eventAtMillis())
        .number("read_at", place.readAtMillis());
  }
}
