package org.capacityobservatory.api;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** When a lane is full by hour and weekday, and which lanes are full together. */
final class LaneTimes {
  static final List<String> HEATMAP_PARAMETERS = List.of("from", "to", "lane", "tier", "task");
  static final List<String> BINDING_PARAMETERS = List.of("from", "to");

  private static final int WEEKDAYS = 7;
  private static final int HOURS = 24;

  private final Store store;
  private final Completeness completeness;
  private final InstantSource clock;

  LaneTimes(Store store, Completeness completeness, InstantSource clock) {
    this.store = store;
    this.completeness = completeness;
    this.clock = clock;
  }

  /** The 168 cells of a week. */
  record Heatmap(
      @Nullable Instant from,
      @Nullable Instant to,
      Instant asOf,
      @Nullable Instant completeUntil,
      String lane,
      String timeZone,
      List<Cell> cells) {}

  /** One hour of the week. */
  record Cell(
      int weekday,
      int hour,
      @Nullable Long calls,
      @Nullable Long full,
      @Nullable Double fullShare,
      long minutes,
      @Nullable Long minutesFull,
      @Nullable Double inFlightMean,
      @Nullable Long inFlightMax,
      @Nullable Long limitMax) {}

  private record Seen(
      long calls,
      long full,
      long minutesFull,
      long occupancyMs,
      @Nullable Long inFlightMax,
      @Nullable Long limitMax) {
    static final Seen NOTHING = new Seen(0, 0, 0, 0, null, null);
  }

  Heatmap heatmap(Ask ask) {
    Parameters parameters = ask.parameters();
    Instant now = clock.instant();
    TimeRange range = TimeRange.of(parameters, now);
    List<String> given = parameters.many("lane");
    if (given.size() > 1) {
      parameters.error("lane", "it is given " + given.size() + " times", "give it once");
    }
    String lane = given.isEmpty() ? "api_heavy" : given.get(0);
    Filters filters = new Filters().many(parameters, "tier").many(parameters, "task");
    parameters.check();

    MinuteRange minutes = MinuteRange.of(range, store, completeness, now);
    Map<Integer, Seen> seen = new HashMap<>();
    if (minutes.period() != null) {
      filters.over(minutes.shown()).with("lane", lane);
      store.list(
          "lanes-by-hour",
          filters.values(),
          filters.lists(),
          (row, context) ->
              seen.put(
                  (row.getInt("weekday") - 1) * HOURS + row.getInt("hour_of_day"),
                  new Seen(
                      row.getLong("passed"),
                      row.getLong("found_full"),
                      row.getLong("minutes_full"),
                      row.getLong("held_ms_within"),
                      Rows.whole(row, "most_in_flight"),
                      Rows.whole(row, "greatest_limit"))));
    }
    long[] within = minutesOfWeek(minutes.knownPart());
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < WEEKDAYS * HOURS; i++) {
      cells.add(cell(i, seen.get(i), within[i]));
    }
    return new Heatmap(
        minutes.from(), minutes.to(), now, minutes.complete().until(), lane, "UTC", cells);
  }

  private static Cell cell(int place, @Nullable Seen found, long minutes) {
    int weekday = place / HOURS + 1;
    int hour = place % HOURS;
    if (found == null && minutes == 0) {
      return new Cell(weekday, hour, null, null, null, 0, null, null, null, null);
    }
    Seen seen = found == null ? Seen.NOTHING : found;
    return new Cell(
        weekday,
        hour,
        seen.calls(),
        seen.full(),
        Shares.of(seen.full(), seen.calls()),
        minutes,
        seen.minutesFull(),
        Shares.of(seen.occupancyMs(), minutes * 60_000),
        seen.inFlightMax(),
        seen.limitMax());
  }

  /** How many minutes of a period lie in each hour of the week. */
  static long[] minutesOfWeek(@Nullable Period period) {
    long[] minutes = new long[WEEKDAYS * HOURS];
    if (period == null) {
      return minutes;
    }
    long week = Duration.ofDays(WEEKDAYS).toMinutes();
    long all = period.length().toMinutes();
    java.util.Arrays.fill(minutes, all / week * 60);
    ZonedDateTime at = period.from().atZone(ZoneOffset.UTC).plusMinutes(all / week * week);
    ZonedDateTime end = period.to().atZone(ZoneOffset.UTC);
    while (at.isBefore(end)) {
      ZonedDateTime next = at.truncatedTo(ChronoUnit.HOURS).plusHours(1);
      ZonedDateTime until = next.isBefore(end) ? next : end;
      minutes[(at.getDayOfWeek().getValue() - 1) * HOURS + at.getHour()] +=
          Duration.between(at, until).toMinutes();
      at = until;
    }
    return minutes;
  }

  /** Which sets of lanes calls found full. */
  record Binding(
      @Nullable Instant from,
      @Nullable Instant to,
      Instant asOf,
      @Nullable Instant completeUntil,
      String unit,
      long full,
      List<FullSet> sets,
      List<LaneFull> lanes) {}

  /** Lanes that were full together, and for how many calls. */
  record FullSet(List<String> lanes, long calls, @Nullable Double share) {}

  /** How often one lane was full, alone and with others. */
  record LaneFull(String lane, long full, long alone, long together) {}

  Binding binding(Ask ask) {
    Parameters parameters = ask.parameters();
    Instant now = clock.instant();
    TimeRange range = TimeRange.of(parameters, now);
    parameters.check();
    MinuteRange minutes = MinuteRange.of(range, store, completeness, now);
    Map<String, Long> counts = new TreeMap<>();
    if (minutes.period() != null) {
      Map<String, Object> values =
          new Filters().over(minutes.shown()).with("kind", "full_set").values();
      store.list(
          "events-by-value",
          values,
          (row, context) -> counts.put(row.getString("value_text"), row.getLong("times")));
    }
    long full = counts.values().stream().mapToLong(Long::longValue).sum();
    List<FullSet> sets = new ArrayList<>();
    Map<String, long[]> byLane = new HashMap<>();
    counts.forEach(
        (value, calls) -> {
          List<String> lanes = List.of(value.split("\\+", -1));
          sets.add(new FullSet(lanes, calls, Shares.of(calls, full)));
          for (String lane : lanes) {
            byLane.computeIfAbsent(lane, l -> new long[2])[lanes.size() == 1 ? 0 : 1] += calls;
          }
        });
    sets.sort(Comparator.comparing(set -> -set.calls()));
    List<LaneFull> lanes = new ArrayList<>();
    byLane.forEach((lane, n) -> lanes.add(new LaneFull(lane, n[0] + n[1], n[0], n[1])));
    lanes.sort(
        Comparator.comparing((LaneFull lane) -> LaneOrder.place(lane.lane()))
            .thenComparing(LaneFull::lane));
    return new Binding(
        minutes.from(), minutes.to(), now, minutes.complete().until(), "calls", full, sets, lanes);
  }
}
