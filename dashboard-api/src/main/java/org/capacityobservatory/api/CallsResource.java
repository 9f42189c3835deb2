package org.capacityobservatory.api;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The calls themselves, as a viewer may see them: without personal data. */
final class CallsResource {
  private static final List<String> FILTERS =
      List.of(
          "decision",
          "tier",
          "scope",
          "endpoint",
          "single_row",
          "mode",
          "task",
          "request_source",
          "automatch_run_id",
          "cid",
          "source");
  private static final List<String> MAY_BE_MISSING =
      List.of(
          "tier",
          "scope",
          "endpoint",
          "single_row",
          "mode",
          "task",
          "request_source",
          "automatch_run_id",
          "cid",
          "held_ms",
          "queue_ms");
  static final List<String> PARAMETERS = parameters();
  static final int MAX_LIMIT = 1_000;
  static final int DEFAULT_LIMIT = 100;
  static final UUID NO_ID = new UUID(0, 0);

  private final Store store;
  private final InstantSource clock;

  CallsResource(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  private static List<String> parameters() {
    List<String> names = new ArrayList<>(List.of("from", "to"));
    names.addAll(FILTERS);
    names.addAll(List.of("missing", "untimed", "limit", "cursor"));
    return List.copyOf(names);
  }

  /** A page of calls; next_cursor is null on the last. */
  record Answer(
      @Nullable Instant from,
      @Nullable Instant to,
      Instant asOf,
      List<Map<String, @Nullable Object>> calls,
      @Nullable String nextCursor) {}

  Answer answer(Parameters parameters) {
    Instant now = clock.instant();
    TimeRange range = TimeRange.of(parameters, now);
    Map<String, Object> values = new HashMap<>();
    Map<String, List<String>> lists = new HashMap<>();
    filters(parameters, values, lists);
    missing(parameters, values);
    String untimed = parameters.choice("untimed", List.of("true", "false"));
    Long asked = parameters.integer("limit", 1, MAX_LIMIT);
    Cursor cursor = Cursor.of(parameters);
    parameters.check();

    int limit = asked == null ? DEFAULT_LIMIT : Math.toIntExact(asked);
    Period period = range.widest();
    values.put("from_ms", period.fromMs());
    values.put("to_ms", period.toMs());
    values.put("untimed", untimed == null ? "any" : untimed.equals("true") ? "only" : "no");
    values.putAll(after(cursor));
    // One more than shown tells whether there is a next page.
    values.put("row_limit", limit + 1);
    List<Map<String, @Nullable Object>> calls =
        store.list("calls", values, lists, (row, context) -> call(row));
    String next = null;
    if (calls.size() > limit) {
      calls = calls.subList(0, limit);
      next = cursorOf(calls.get(limit - 1), "ended_at");
    }
    return new Answer(range.from(), range.to(), now, calls, next);
  }

  private static void filters(
      Parameters parameters, Map<String, Object> values, Map<String, List<String>> lists) {
    for (String name : FILTERS) {
      List<String> given = parameters.many(name);
      if (name.equals("single_row") && !List.of("true", "false").containsAll(given)) {
        parameters.error(name, "it is neither true nor false", "use true or false");
      }
      values.put(name + "_on", given.isEmpty() ? 0 : 1);
      lists.put(name, given.isEmpty() ? List.of("") : given);
    }
  }

  private static void missing(Parameters parameters, Map<String, Object> values) {
    List<String> given = parameters.many("missing");
    for (String name : given) {
      if (!MAY_BE_MISSING.contains(name)) {
        parameters.error(
            "missing",
            "it is '" + Parameters.shown(name) + "'",
            "use one of " + String.join(", ", MAY_BE_MISSING));
      }
    }
    for (String name : MAY_BE_MISSING) {
      values.put("missing_" + name, given.contains(name) ? 1 : 0);
    }
  }

  static Map<String, Object> after(@Nullable Cursor cursor) {
    return Map.of(
        "after_on", cursor == null ? 0 : 1,
        "after_ms", cursor == null ? 0L : cursor.timeMs(),
        "after_id", (cursor == null ? NO_ID : cursor.id()).toString());
  }

  static String cursorOf(Map<String, @Nullable Object> row, String timeField) {
    Instant time = (Instant) row.get(timeField);
    String id = (String) row.get("event_id");
    if (time == null || id == null) {
      throw new IllegalStateException("A row without " + timeField + " or event_id");
    }
    return new Cursor(time.toEpochMilli(), UUID.fromString(id)).text();
  }

  private static Map<String, @Nullable Object> call(ResultSet row) throws SQLException {
    Map<String, @Nullable Object> call = new LinkedHashMap<>();
    call.put("event_id", row.getString("event_id_text"));
    call.put("ended_at", Rows.time(row, "ended_ms"));
    call.put("time_source", row.getString("time_source_text"));
    for (String name : List.of("decision", "mode", "endpoint", "tier", "scope")) {
      call.put(name, row.getString(name + "_text"));
    }
    call.put("full", Rows.texts(row, "full_lanes"));
    for (String name : List.of("enforced", "semantic", "reranker", "single_row", "lease_lost")) {
      call.put(name, Rows.yesOrNo(row, name));
    }
    for (String name :
        List.of(
            "rows",
            "in_flight",
            "limit",
            "task_in_flight",
            "task_limit",
            "es2_knn_in_flight",
            "es2_knn_limit",
            "tier_in_flight",
            "tier_limit",
            "user_in_flight",
            "user_limit",
            "suggested",
            "retry_after",
            "held_ms",
            "queue_ms",
            "log_dropped")) {
      call.put(name, Rows.whole(row, name));
    }
    for (String name : List.of("task", "request_source", "algorithm_id")) {
      call.put(name, row.getString(name + "_text"));
    }
    for (String name : List.of("automatch_run_id", "cid", "error")) {
      call.put(name, row.getString(name));
    }
    call.put("null_keys", Rows.texts(row, "null_key_names"));
    call.put("unknown_keys", Rows.texts(row, "unknown_key_names"));
    call.put("source", row.getString("source_text"));
    call.put("generation", row.getLong("generation"));
    call.put("position", row.getLong("position"));
    call.put("flag", row.getString("flag_text"));
    call.put("read_at", Rows.time(row, "read_ms"));
    return call;
  }
}
