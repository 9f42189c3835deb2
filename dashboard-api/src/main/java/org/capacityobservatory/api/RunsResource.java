package org.capacityobservatory.api;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Client runs: what each one asked for, and how it fared. */
final class RunsResource {
  static final List<String> PARAMETERS = List.of("from", "to", "run", "tier", "order", "limit");
  static final List<String> ORDERS =
      List.of("latest", "calls", "refused", "lease_seconds", "duration");

  private final Store store;
  private final Completeness completeness;
  private final InstantSource clock;

  RunsResource(Store store, Completeness completeness, InstantSource clock) {
    this.store = store;
    this.completeness = completeness;
    this.clock = clock;
  }

  /** The answer; its parts are as the API's description has them. */
  record Answer(
      @Nullable Instant from,
      @Nullable Instant to,
      Instant asOf,
      @Nullable Instant completeUntil,
      long total,
      List<Map<String, @Nullable Object>> runs) {}

  Answer answer(Ask ask) {
    Parameters parameters = ask.parameters();
    Instant now = clock.instant();
    TimeRange range = TimeRange.of(parameters, now);
    Filters filters = new Filters().many(parameters, "run").many(parameters, "tier");
    String order = parameters.choice("order", ORDERS);
    Long limit = parameters.integer("limit", 1, CallsResource.MAX_LIMIT);
    parameters.check();

    MinuteRange minutes = MinuteRange.of(range, store, completeness, now);
    Period period = minutes.shown();
    filters
        .over(period)
        .with("order_by", order == null ? ORDERS.get(0) : order)
        .with("row_limit", limit == null ? CallsResource.DEFAULT_LIMIT : limit);
    boolean personal = ask.caller().seesPersonalData();
    long[] total = new long[1];
    List<Map<String, @Nullable Object>> runs =
        store.list(
            "runs",
            filters.values(),
            filters.lists(),
            (row, context) -> {
              total[0] = row.getLong("all_runs");
              return run(row, period, personal);
            });
    return new Answer(
        minutes.from(),
        minutes.to(),
        now,
        completeness.callsUntil(minutes.complete().until(), minutes.data()),
        total[0],
        runs);
  }

  private static Map<String, @Nullable Object> run(ResultSet row, Period period, boolean personal)
      throws SQLException {
    Instant first = Instant.ofEpochMilli(row.getLong("begin_ms"));
    Instant last = Instant.ofEpochMilli(row.getLong("end_ms"));
    double seconds = Duration.between(first, last).toMillis() / 1_000.0;
    double lease = row.getLong("run_lease_ms") / 1_000.0;
    String name = row.getString("run");
    long calls = row.getLong("run_calls");
    long refused = row.getLong("run_refused");
    Map<String, @Nullable Object> run = new LinkedHashMap<>();
    run.put("run", name);
    if (personal) {
      run.put("user_id", row.getString("any_user"));
    }
    run.put("first_at", first);
    run.put("last_at", last);
    run.put("duration_seconds", seconds);
    run.put("calls", calls);
    run.put("refused", refused);
    run.put("refused_share", Shares.of(refused, calls));
    run.put("lease_seconds", lease);
    run.put("of_unknown_time", row.getLong("run_unknown"));
    run.put("in_flight_mean", Shares.of(lease, seconds));
    run.put("endpoints", Rows.texts(row, "run_endpoints"));
    run.put("request_sources", Rows.texts(row, "run_sources"));
    run.put("tiers", Rows.texts(row, "run_tiers"));
    run.put("tasks", Rows.texts(row, "run_tasks"));
    run.put("rows", RowsLink.to(period, "automatch_run_id", name));
    return run;
  }
}
