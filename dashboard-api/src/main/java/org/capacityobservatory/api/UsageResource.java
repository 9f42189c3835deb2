package org.capacityobservatory.api;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who is refused, who fills the lanes, and who stays within a fair share. */
final class UsageResource {
  static final List<String> PARAMETERS =
      List.of("from", "to", "group_by", "order", "tier", "limit");
  static final List<String> GROUPINGS =
      List.of("user", "tier", "run", "request_source", "algorithm_id", "task", "endpoint");
  static final List<String> ORDERS = List.of("refused", "calls", "lease_seconds", "refused_share");

  private final Store store;
  private final Completeness completeness;
  private final InstantSource clock;

  UsageResource(Store store, Completeness completeness, InstantSource clock) {
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
      String unit,
      String groupBy,
      String order,
      long calls,
      long refused,
      @Nullable Double refusedShare,
      double leaseSeconds,
      long ofUnknownTime,
      long users,
      long values,
      @Nullable Double fairShare,
      List<Group> groups) {}

  /** One value; null is the calls that have none, or what the caller may not see. */
  record Group(
      @Nullable String value,
      boolean hidden,
      long calls,
      long refused,
      @Nullable Double refusedShare,
      double leaseSeconds,
      @Nullable Double leaseShare,
      @Nullable Double fairMultiple,
      long ofUnknownTime,
      long users,
      @Nullable Long limitMax,
      @Nullable Instant firstAt,
      @Nullable Instant lastAt,
      @Nullable String rows) {}

  private record Total(long calls, long refused, long leaseMs, long unknown, long users) {}

  /** One row of the query. */
  private record Row(
      @Nullable String value,
      long calls,
      long refused,
      long leaseMs,
      long unknown,
      long users,
      @Nullable Long limit,
      @Nullable Instant firstAt,
      @Nullable Instant lastAt,
      long allValues,
      long knownValues) {}

  Answer answer(Ask ask) {
    Parameters parameters = ask.parameters();
    Instant now = clock.instant();
    TimeRange range = TimeRange.of(parameters, now);
    String asked = parameters.choice("group_by", GROUPINGS);
    String groupBy = asked == null ? GROUPINGS.get(0) : asked;
    String ordered = parameters.choice("order", ORDERS);
    String order = ordered == null ? ORDERS.get(0) : ordered;
    Filters filters = new Filters().many(parameters, "tier");
    Long limit = parameters.integer("limit", 1, CallsResource.MAX_LIMIT);
    parameters.check();

    MinuteRange minutes = MinuteRange.of(range, store, completeness, now);
    filters
        .over(minutes.shown())
        .with("group_by", groupBy)
        .with("order_by", order)
        .with("row_limit", limit == null ? CallsResource.DEFAULT_LIMIT : limit);
    Total total = total(filters);
    List<Row> rows = rows(filters);
    long values = rows.isEmpty() ? 0 : rows.get(0).allValues();
    long sharing = rows.isEmpty() ? 0 : rows.get(0).knownValues();
    Double fairShare = Shares.of(1, sharing);
    boolean hidden = groupBy.equals("user") && !ask.caller().seesPersonalData();
    List<Group> groups = new ArrayList<>();
    for (Row row : rows) {
      groups.add(group(row, total, fairShare, groupBy, minutes.shown(), hidden));
    }
    return new Answer(
        minutes.from(),
        minutes.to(),
        now,
        completeness.callsUntil(minutes.complete().until(), minutes.data()),
        "calls",
        groupBy,
        order,
        total.calls(),
        total.refused(),
        Shares.of(total.refused(), total.calls()),
        total.leaseMs() / 1_000.0,
        total.unknown(),
        total.users(),
        values,
        fairShare,
        groups);
  }

  private static Group group(
      Row row,
      Total total,
      @Nullable Double fairShare,
      String groupBy,
      Period period,
      boolean hidden) {
    Double leaseShare = Shares.of(row.leaseMs(), total.leaseMs());
    boolean noOne = row.value() == null;
    return new Group(
        hidden ? null : row.value(),
        hidden && !noOne,
        row.calls(),
        row.refused(),
        Shares.of(row.refused(), row.calls()),
        row.leaseMs() / 1_000.0,
        leaseShare,
        noOne || leaseShare == null || fairShare == null ? null : (Double) (leaseShare / fairShare),
        row.unknown(),
        row.users(),
        row.limit(),
        row.firstAt(),
        row.lastAt(),
        link(row.value(), groupBy, period, hidden));
  }

  private static @Nullable String link(
      @Nullable String value, String groupBy, Period period, boolean hidden) {
    return switch (groupBy) {
      case "user" -> hidden || value == null ? null : RowsLink.to(period, "user_id", value);
      case "run" -> RowsLink.to(period, "automatch_run_id", value);
      case "algorithm_id" -> value == null ? null : RowsLink.to(period, groupBy, value);
      default -> RowsLink.to(period, groupBy, value);
    };
  }

  private Total total(Filters filters) {
    return store
        .list(
            "usage-total",
            filters.values(),
            filters.lists(),
            (row, context) ->
                new Total(
                    row.getLong("all_calls"),
                    row.getLong("all_refused"),
                    row.getLong("all_lease_ms"),
                    row.getLong("all_unknown"),
                    row.getLong("all_users")))
        .get(0);
  }

  private List<Row> rows(Filters filters) {
    return store.list(
        "usage",
        filters.values(),
        filters.lists(),
        (row, context) ->
            new Row(
                row.getString("group_value"),
                row.getLong("group_calls"),
                row.getLong("group_refused"),
                row.getLong("group_lease_ms"),
                row.getLong("group_unknown"),
                row.getLong("group_users"),
                Rows.whole(row, "group_limit"),
                Rows.time(row, "first_ms"),
                Rows.time(row, "last_ms"),
                row.getLong("all_values"),
                row.getLong("known_values")));
  }
}
