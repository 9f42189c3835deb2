package org.capacityobservatory.streams;

import org.capacityobservatory.log.CapacityCall;
import org.capacityobservatory.log.ConfigChange;

/** Calls and config changes as rows of their tables (sql/migrations). */
final class EventRows {
  private EventRows() {}

  static byte[] of(CapacityCall call, LinePlace place) {
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
        .text("event_id", place.eventId().toString())
        .text("source", place.source())
        .number("generation", place.generation())
        .number("position", place.position())
        .text("time_source", place.timeSource())
        .text("flag", place.flag())
        .number(timeColumn, place.eventAtMillis())
        .number("read_at", place.readAtMillis());
  }
}
