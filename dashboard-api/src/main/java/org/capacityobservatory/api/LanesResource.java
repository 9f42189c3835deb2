package org.capacityobservatory.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Each lane's occupancy against its limit, and how often calls found it full, over time. */
final class LanesResource {
  static final List<String> PARAMETERS =
      List.of("from", "to", "lane", "tier", "task", "group_by", "step");
  static final List<String> GROUPINGS = List.of("tier", "task");

  private static final int TOP = 20;

  private final Store store;
  private final Completeness completeness;
  private final InstantSource clock;

  LanesResource(Store store, Completeness completeness, InstantSource clock) {
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
      @Nullable Instant occupancyCompleteUntil,
      String unit,
      @Nullable String groupBy,
      long step,
      List<Instant> times,
      List<Boolean> complete,
      boolean currentIncomplete,
      List<Lane> lanes) {}

  /** One lane, or one lane and tier or task. */
  record Lane(
      String lane,
      @Nullable String value,
      @JsonUnwrapped Numbers numbers,
      @Nullable Double occupancyShare,
      String rows,
      Series series) {}

  /** What a lane saw, in all or in a step. */
  record Numbers(
      long calls,
      long measured,
      long full,
      @Nullable Double fullShare,
      long fullAlone,
      long fullTogether,
      long nearLimit,
      @Nullable Double inFlightMean,
      @Nullable Long inFlightMax,
      @Nullable Long limitMin,
      @Nullable Long limitMax) {}

  /** One number a step: null where nothing is known. */
  record Series(
      List<@Nullable Long> calls,
      List<@Nullable Long> full,
      List<@Nullable Double> fullShare,
      List<@Nullable Double> inFlightMean,
      List<@Nullable Long> inFlightMax,
      List<@Nullable Long> limitMin,
      List<@Nullable Long> limitMax) {}

  private record Key(String lane, @Nullable String value) {}

  /** Sums that make {@link Numbers}. */
  private static final class Sums {
    long calls;
    long measured;
    long full;
    long fullAlone;
    long nearLimit;
    long occupancyMs;
    @Nullable Long inFlightMax;
    @Nullable Long limitMin;
    @Nullable Long limitMax;

    static Sums of(ResultSet row) throws SQLException {
      Sums sums = new Sums();
      sums.calls = row.getLong("passed");
      sums.measured = row.getLong("with_numbers");
      sums.full = row.getLong("found_full");
      sums.fullAlone = row.getLong("found_full_alone");
      sums.nearLimit = row.getLong("found_near");
      sums.occupancyMs = row.getLong("held_ms_within");
      sums.inFlightMax = Rows.whole(row, "most_in_flight");
      sums.limitMin = Rows.whole(row, "least_limit");
      sums.limitMax = Rows.whole(row, "greatest_limit");
      return sums;
    }

    void add(Sums more) {
      calls += more.calls;
      measured += more.measured;
      full += more.full;
      fullAlone += more.fullAlone;
      nearLimit += more.nearLimit;
      occupancyMs += more.occupancyMs;
      inFlightMax = greater(inFlightMax, more.inFlightMax);
      limitMax = greater(limitMax, more.limitMax);
      Long other = more.limitMin;
      limitMin =
          limitMin == null || other == null
              ? (limitMin == null ? other : limitMin)
              : (Long) Math.min(limitMin, other);
    }

    private static @Nullable Long greater(@Nullable Long a, @Nullable Long b) {
      return a == null || b == null ? (a == null ? b : a) : (Long) Math.max(a, b);
    }

    Numbers over(long ms) {
      return new Numbers(
          calls,
          measured,
          full,
          Shares.of(full, calls),
          fullAlone,
          full - fullAlone,
          nearLimit,
          ms == 0 ? null : (Double) ((double) occupancyMs / ms),
          inFlightMax,
          limitMin,
          limitMax);
    }
  }

  Answer answer(Ask ask) {
    Parameters parameters = ask.parameters();
    Instant now = clock.instant();
    TimeRange range = TimeRange.of(parameters, now);
    Filters filters = new Filters();
    List.of("lane", "tier", "task").forEach(name -> filters.many(parameters, name));
    String groupBy = parameters.choice("group_by", GROUPINGS);
    Long requestedStep = Steps.requested(parameters);
    parameters.check();

    MinuteRange minutes = MinuteRange.of(range, store, completeness, now);
    Steps steps = Steps.over(minutes.shown(), requestedStep, parameters);
    Map<Key, Map<Integer, Sums>> found = new LinkedHashMap<>();
    if (minutes.period() != null && !steps.times().isEmpty()) {
      filters
          .over(minutes.shown())
          .with("step_s", steps.stepSeconds())
          .with("group_by", groupBy == null ? "none" : groupBy)
          .with("top", TOP);
      store.list(
          "lanes-in-steps",
          filters.values(),
          filters.lists(),
          (row, context) ->
              found
                  .computeIfAbsent(
                      new Key(row.getString("lane_text"), row.getString("group_value")),
                      key -> new HashMap<>())
                  .put(steps.index(row.getLong("step_ms")), Sums.of(row)));
    }
    List<Boolean> complete = steps.complete(minutes.shown(), minutes.complete().occupancyUntil());
    List<Lane> lanes = new ArrayList<>();
    found.forEach((key, sums) -> lanes.add(lane(key, sums, steps, minutes, groupBy)));
    lanes.sort(
        java.util.Comparator.comparing((Lane lane) -> LaneOrder.place(lane.lane()))
            .thenComparing(Lane::lane)
            .thenComparing(lane -> -lane.numbers().calls()));
    return new Answer(
        minutes.from(),
        minutes.to(),
        now,
        minutes.complete().until(),
        minutes.complete().occupancyUntil(),
        "calls",
        groupBy,
        steps.stepSeconds(),
        steps.times(),
        complete,
        !complete.isEmpty() && !complete.get(complete.size() - 1),
        lanes);
  }

  private static Lane lane(
      Key key,
      Map<Integer, Sums> found,
      Steps steps,
      MinuteRange minutes,
      @Nullable String groupBy) {
    Sums total = new Sums();
    Series series =
        new Series(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    Period known = minutes.known();
    for (int i = 0; i < steps.times().size(); i++) {
      Sums here = found.get(i);
      boolean any = here != null || steps.touches(i, known);
      Sums sums = here == null ? new Sums() : here;
      total.add(sums);
      Numbers numbers = sums.over(any ? steps.stepSeconds() * 1_000 : 0);
      series.calls().add(any ? (Long) numbers.calls() : null);
      series.full().add(any ? (Long) numbers.full() : null);
      series.fullShare().add(numbers.fullShare());
      series.inFlightMean().add(numbers.inFlightMean());
      series.inFlightMax().add(numbers.inFlightMax());
      series.limitMin().add(numbers.limitMin());
      series.limitMax().add(numbers.limitMax());
    }
    Period part = minutes.knownPart();
    Numbers all = total.over(part == null ? 0 : part.length().toMillis());
    return new Lane(
        key.lane(),
        key.value(),
        all,
        occupancyShare(key, all, groupBy),
        rows(key, minutes.shown(), groupBy),
        series);
  }

  /** Null where the mean is over many lanes at once: all tiers, all users, all tasks. */
  private static @Nullable Double occupancyShare(
      Key key, Numbers numbers, @Nullable String groupBy) {
    boolean one =
        switch (key.lane()) {
          case "user" -> false;
          case "tier" -> "tier".equals(groupBy);
          case "api_heavy_task" -> "task".equals(groupBy);
          default -> groupBy == null;
        };
    Double mean = numbers.inFlightMean();
    Long limit = numbers.limitMax();
    return !one || mean == null || limit == null || limit == 0 ? null : (Double) (mean / limit);
  }

  private static String rows(Key key, Period period, @Nullable String groupBy) {
    String lane = groupBy == null ? RowsLink.to(period) : RowsLink.to(period, groupBy, key.value());
    return lane + "&full=" + RowsLink.encoded(key.lane());
  }
}
