package org.capacityobservatory.api;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What calls did to the lanes, as rows of {@code lanes_minute}, {@code events_minute} and {@code
 * minutes_state}; by docs/metrics.md, and not by the pipeline's own metrics.
 */
final class SampleLanes {
  /** Each lane in the limiter's order, with the keys of its count and limit. */
  private static final Map<String, List<String>> LANES = new LinkedHashMap<>();

  static {
    LANES.put("api_heavy", List.of("in_flight", "limit"));
    LANES.put("api_heavy_task", List.of("task_in_flight", "task_limit"));
    LANES.put("es2_knn", List.of("es2_knn_in_flight", "es2_knn_limit"));
    LANES.put("tier", List.of("tier_in_flight", "tier_limit"));
    LANES.put("user", List.of("user_in_flight", "user_limit"));
  }

  private record Cell(Instant minute, String lane, @Nullable Object tier, @Nullable Object task) {}

  private static final class Tally {
    int calls;
    int measured;
    int full;
    int fullAlone;
    int nearLimit;
    long occupancyMs;
    @Nullable Integer mostInFlight;
    @Nullable Integer leastLimit;
    @Nullable Integer greatestLimit;
  }

  private final Map<Cell, Tally> tallies = new HashMap<>();
  private final Map<Instant, TreeMap<String, Integer>> fullSets = new HashMap<>();

  /** Stores what these calls did, complete until a time. */
  static void store(List<SampleRows.Call> calls, TestingDatabase database, Instant until) {
    SampleLanes lanes = new SampleLanes();
    calls.forEach(lanes::count);
    database.insert("lanes_minute", lanes.laneRows());
    database.insert("events_minute", lanes.eventRows());
    database.insert("minutes_state", List.of(stateRow(until)));
  }

  /** Whether a call passed a lane: all pass all, but for kNN's. */
  static boolean passed(SampleRows.Call call, String lane) {
    return !lane.equals("es2_knn")
        || call.get("es2_knn_limit") != null
        || (Boolean.TRUE.equals(call.get("semantic")) && "$match".equals(call.get("endpoint")));
  }

  private void count(SampleRows.Call call) {
    Instant minute = call.endedAt().truncatedTo(ChronoUnit.MINUTES);
    List<?> full = call.full();
    LANES.forEach(
        (lane, keys) -> {
          if (passed(call, lane)) {
            Tally tally = tally(minute, lane, call);
            tally.calls++;
            measure(tally, call.get(keys.get(0)), call.get(keys.get(1)));
            tally.full += full.contains(lane) ? 1 : 0;
            tally.fullAlone += full.equals(List.of(lane)) ? 1 : 0;
            if (call.get("held_ms") instanceof Integer held) {
              occupy(lane, call, held);
            }
          }
        });
    if (!full.isEmpty()) {
      String set = String.join("+", full.stream().map(String::valueOf).toList());
      fullSets.computeIfAbsent(minute, m -> new TreeMap<>()).merge(set, 1, Integer::sum);
    }
  }

  private Tally tally(Instant minute, String lane, SampleRows.Call call) {
    return tallies.computeIfAbsent(
        new Cell(minute, lane, call.get("tier"), call.get("task")), cell -> new Tally());
  }

  private static void measure(Tally tally, @Nullable Object inFlight, @Nullable Object limit) {
    if (inFlight instanceof Integer seen) {
      Integer most = tally.mostInFlight;
      tally.mostInFlight = most == null ? seen : Math.max(most, seen);
    }
    if (limit instanceof Integer allowed) {
      Integer least = tally.leastLimit;
      Integer greatest = tally.greatestLimit;
      tally.leastLimit = least == null ? allowed : Math.min(least, allowed);
      tally.greatestLimit = greatest == null ? allowed : Math.max(greatest, allowed);
      if (inFlight instanceof Integer seen) {
        tally.measured++;
        tally.nearLimit += seen >= 0.8 * allowed ? 1 : 0;
      }
    }
  }

  /** Adds to each minute the part of a call's time that lies in it. */
  private void occupy(String lane, SampleRows.Call call, int heldMs) {
    Instant to = call.endedAt();
    Instant from = to.minusMillis(heldMs);
    for (Instant minute = from.truncatedTo(ChronoUnit.MINUTES);
        minute.isBefore(to);
        minute = minute.plusSeconds(60)) {
      Instant start = from.isAfter(minute) ? from : minute;
      Instant next = minute.plusSeconds(60);
      Instant end = to.isBefore(next) ? to : next;
      tally(minute, lane, call).occupancyMs += Duration.between(start, end).toMillis();
    }
  }

  private List<Map<String, @Nullable Object>> laneRows() {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    tallies.forEach(
        (cell, tally) ->
            rows.add(
                row(
                    rows.size(),
                    "minute",
                    second(cell.minute()),
                    "lines_partition",
                    0,
                    "partial",
                    0,
                    "lane",
                    cell.lane(),
                    "tier",
                    cell.tier(),
                    "task",
                    cell.task(),
                    "calls",
                    tally.calls,
                    "measured",
                    tally.measured,
                    "full",
                    tally.full,
                    "full_alone",
                    tally.fullAlone,
                    "near_limit",
                    tally.nearLimit,
                    "in_flight_max",
                    tally.mostInFlight,
                    "limit_min",
                    tally.leastLimit,
                    "limit_max",
                    tally.greatestLimit,
                    "occupancy_ms",
                    tally.occupancyMs,
                    "revision",
                    2)));
    return rows;
  }

  private List<Map<String, @Nullable Object>> eventRows() {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    fullSets.forEach(
        (minute, sets) ->
            sets.forEach(
                (set, n) ->
                    rows.add(
                        row(
                            rows.size(),
                            "minute",
                            second(minute),
                            "lines_partition",
                            0,
                            "partial",
                            0,
                            "kind",
                            "full_set",
                            "value",
                            set,
                            "n",
                            n,
                            "revision",
                            2))));
    return rows;
  }

  private static Map<String, @Nullable Object> stateRow(Instant until) {
    String text = TestingDatabase.text(until);
    return row(
        0,
        "lines_partition",
        0,
        "complete_until",
        text,
        "occupancy_complete_until",
        text,
        "closed_until",
        text,
        "sources",
        2,
        "idle_sources",
        0,
        "future_times",
        0,
        "late_lines",
        0,
        "published_at",
        text,
        "revision",
        2);
  }

  private static Map<String, @Nullable Object> row(long offset, @Nullable Object... pairs) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("kafka_topic", "metrics");
    row.put("kafka_partition", 0);
    row.put("kafka_offset", offset);
    for (int i = 0; i < pairs.length; i += 2) {
      row.put(String.valueOf(pairs[i]), pairs[i + 1]);
    }
    return row;
  }

  private static String second(Instant minute) {
    return TestingDatabase.text(minute).substring(0, 19);
  }
}
