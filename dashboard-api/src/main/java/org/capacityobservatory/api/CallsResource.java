package org.capacityobservatory.api;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The calls themselves, without personal data for a viewer. */
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
          "source",
          "algorithm_id",
          "full");
  private static final List<String> YES_OR_NO = List.of("enforced", "lease_lost", "has_error");
  private static final List<String> BOUNDS =
      List.of("held_ms_min", "held_ms_max", "queue_ms_min", "queue_ms_max", "rows_min", "rows_max");
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
  private static final List<String> TEXTS =
      List.of("decision", "mode", "endpoint", "tier", "scope");
  private static final List<String> FLAGS =
      List.of("enforced", "semantic", "reranker", "single_row", "lease_lost");
  private static final List<String> NUMBERS =
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
          "log_dropped");
  static final List<String> PARAMETERS = parameters();
  static final int MAX_LIMIT = 1_000;
  static final int DEFAULT_LIMIT = 100;
  static final UUID NO_ID = new UUID(0, 0);

  private static final String QUERY = "calls";
  private static final Pattern USER_ID = Pattern.compile("\\d{1,19}");
  private static final Duration FIRST_WINDOW = Duration.ofHours(1);
  private static final int WINDOW_GROWTH = 8;
  private static final Duration LAST_WINDOW = Duration.ofDays(100);

  /** Event times may run ahead of this clock a little. */
  private static final Duration AHEAD = Duration.ofMinutes(1);

  private final Store store;
  private final InstantSource clock;

  CallsResource(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  private static List<String> parameters() {
    List<String> names = new ArrayList<>(List.of("from", "to"));
    names.addAll(FILTERS);
    names.add("user_id");
    names.addAll(YES_OR_NO);
    names.addAll(BOUNDS);
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

  /** Rows and where the next ones begin. */
  record Page(
      TimeRange range, List<Map<String, @Nullable Object>> calls, @Nullable String nextCursor) {}

  Answer answer(Ask ask) {
    Instant now = clock.instant();
    Page page = page(ask, now, MAX_LIMIT, DEFAULT_LIMIT);
    return new Answer(page.range().from(), page.range().to(), now, page.calls(), page.nextCursor());
  }

  /** Reads the rows that a request asks for. */
  Page page(Ask ask, Instant now, int maxLimit, int defaultLimit) {
    Parameters parameters = ask.parameters();
    TimeRange range = TimeRange.of(parameters, now);
    Filters filters = filters(ask);
    String untimed = parameters.choice("untimed", List.of("true", "false"));
    Long asked = parameters.integer("limit", 1, maxLimit);
    Cursor cursor = Cursor.of(parameters);
    parameters.check();

    int limit = asked == null ? defaultLimit : Math.toIntExact(asked);
    filters.with("untimed", untimed == null ? "any" : untimed.equals("true") ? "only" : "no");
    filters.values().putAll(after(cursor));
    Period period = range.widest();
    Instant end = cursor == null ? now.plus(AHEAD) : Instant.ofEpochMilli(cursor.timeMs() + 1);
    // One more than shown tells whether there is a next page.
    filters.over(period).with("row_limit", limit + 1);
    filters.with("personal", ask.caller().seesPersonalData() ? 1 : 0);
    List<Map<String, @Nullable Object>> calls =
        Overheard.asOne(
            new Overheard(QUERY, Map.copyOf(filters.values()), Map.copyOf(filters.lists())),
            () -> newestFirst(filters, period, end, limit + 1, ask.caller()));
    String next = null;
    if (calls.size() > limit) {
      calls = calls.subList(0, limit);
      next = cursorOf(calls.get(limit - 1), "ended_at");
    }
    return new Page(range, calls, next);
  }

  /** One call, or null when there is none. */
  @Nullable Map<String, @Nullable Object> one(UUID id, Period within, Caller caller) {
    Filters filters = filters(Parameters.none());
    filters.over(within).with("untimed", "any").with("row_limit", 1);
    filters.values().putAll(after(null));
    filters.with("event_id_on", 1).with("event_id", id.toString());
    List<Map<String, @Nullable Object>> found = read(filters, caller);
    return found.isEmpty() ? null : found.get(0);
  }

  /** The newest calls that ended in a period. */
  List<Map<String, @Nullable Object>> newest(Period within, int limit, Caller caller) {
    Filters filters = filters(Parameters.none());
    filters.over(within).with("untimed", "any").with("row_limit", limit);
    filters.values().putAll(after(null));
    return read(filters, caller);
  }

  /**
   * Reads by windows that grow backwards from an end, since a page is mostly full long before the
   * start of the period: only a filter that finds little reads all of it.
   *
   * @param end where most calls end; what lies behind it is in the first window too
   */
  private List<Map<String, @Nullable Object>> newestFirst(
      Filters filters, Period period, Instant end, int limit, Caller caller) {
    List<Map<String, @Nullable Object>> calls = new ArrayList<>();
    Instant to = period.to();
    Instant from = end.isBefore(to) ? end : to;
    for (Duration window = FIRST_WINDOW; ; window = window.multipliedBy(WINDOW_GROWTH)) {
      from = from.minus(window);
      boolean last = !from.isAfter(period.from()) || window.compareTo(LAST_WINDOW) >= 0;
      from = last ? period.from() : from;
      filters.over(new Period(from, to)).with("row_limit", limit - calls.size());
      calls.addAll(read(filters, caller));
      if (last || calls.size() == limit) {
        return calls;
      }
      to = from;
    }
  }

  private List<Map<String, @Nullable Object>> read(Filters filters, Caller caller) {
    boolean personal = caller.seesPersonalData();
    filters.with("personal", personal ? 1 : 0);
    return store.list(
        QUERY, filters.values(), filters.lists(), (row, context) -> call(row, personal));
  }

  private static Filters filters(Ask ask) {
    if (!ask.parameters().many("user_id").isEmpty() && !ask.caller().seesPersonalData()) {
      throw new ProblemException(
          Problem.of(
              "role",
              403,
              "Not for this role",
              "user_id is personal data: this needs the role operator"));
    }
    return filters(ask.parameters());
  }

  private static Filters filters(Parameters parameters) {
    Filters filters = new Filters();
    for (String name : FILTERS) {
      filters.many(parameters, name);
    }
    userIds(parameters, filters);
    if (!List.of("true", "false").containsAll(parameters.many("single_row"))) {
      parameters.error("single_row", "it is neither true nor false", "use true or false");
    }
    YES_OR_NO.forEach(name -> filters.choice(parameters, name, List.of("true", "false")));
    BOUNDS.forEach(name -> filters.bound(parameters, name));
    missing(parameters, filters);
    return filters.with("event_id_on", 0).with("event_id", NO_ID.toString());
  }

  /** Compared as numbers, so that their index finds them. */
  private static void userIds(Parameters parameters, Filters filters) {
    List<String> given = parameters.many("user_id");
    for (String id : given) {
      if (!USER_ID.matcher(id).matches()) {
        parameters.error("user_id", "it is '" + Parameters.shown(id) + "'", "use a whole number");
      }
    }
    filters.list("user_id", given);
    if (given.isEmpty()) {
      filters.lists().put("user_id", List.of("0"));
    }
  }

  private static void missing(Parameters parameters, Filters filters) {
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
      filters.with("missing_" + name, given.contains(name) ? 1 : 0);
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

  /** The names of a call's fields in the order of {@link #call}. */
  static List<String> columns(boolean personal) {
    List<String> names = new ArrayList<>(List.of("event_id"));
    if (personal) {
      names.add("user_id");
    }
    names.addAll(List.of("ended_at", "time_source"));
    names.addAll(TEXTS);
    names.add("full");
    names.addAll(FLAGS);
    names.addAll(NUMBERS);
    names.addAll(List.of("task", "request_source", "algorithm_id"));
    names.addAll(List.of("automatch_run_id", "cid", "error", "null_keys", "unknown_keys"));
    names.addAll(List.of("source", "generation", "position", "flag", "read_at"));
    return List.copyOf(names);
  }

  private static Map<String, @Nullable Object> call(ResultSet row, boolean personal)
      throws SQLException {
    Map<String, @Nullable Object> call = new LinkedHashMap<>();
    call.put("event_id", row.getString("event_id_text"));
    if (personal) {
      call.put("user_id", row.getString("user_text"));
    }
    call.put("ended_at", Rows.time(row, "ended_ms"));
    call.put("time_source", row.getString("time_source_text"));
    for (String name : TEXTS) {
      call.put(name, row.getString(name + "_text"));
    }
    call.put("full", Rows.texts(row, "full_lanes"));
    for (String name : FLAGS) {
      call.put(name, Rows.yesOrNo(row, name));
    }
    for (String name : NUMBERS) {
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
