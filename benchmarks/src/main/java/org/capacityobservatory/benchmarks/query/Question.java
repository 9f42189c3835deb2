package org.capacityobservatory.benchmarks.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One question of the page.
 *
 * @param label how it is reported
 * @param query the named query that answers it
 * @param values bound by name
 * @param lists bound by name as lists
 * @param goalMillis what its p95 should stay within, ms
 */
record Question(
    String label,
    String query,
    Map<String, Object> values,
    Map<String, List<String>> lists,
    long goalMillis) {
  private static final long FROM_METRICS_MILLIS = 300;
  private static final long FROM_CALLS_MILLIS = 2_000;
  private static final int PAGE_ROWS = 101;

  private static final List<String> CALL_FILTERS =
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
          "user_id",
          "full",
          "enforced",
          "lease_lost",
          "has_error");

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

  /** What the page asks over a period that ends where the data end. */
  static List<Question> over(Duration period, long endMillis) {
    Map<String, Object> range =
        Map.of("from_ms", endMillis - period.toMillis(), "to_ms", endMillis);
    Map<String, Object> steps = with(range, "step_s", stepSeconds(period));
    List<Question> all = new ArrayList<>();
    all.add(fromMetrics("decisions-by-step", "", steps));
    for (String group : List.of("tier", "scope", "single_row")) {
      Map<String, Object> values = with(with(range, "group_by", group), "top", 20);
      all.add(fromMetrics("decisions-by-group", group, values));
    }
    all.add(fromMetrics("lanes-by-step", "", steps));
    for (String measure : List.of("held_ms", "queue_ms")) {
      all.add(fromMetrics("latency-by-step", measure, with(steps, "measure", measure)));
    }
    Map<String, Object> held = with(with(range, "measure", "held_ms"), "top", 20);
    all.add(fromMetrics("latency-total", "held_ms", held));
    for (String group : List.of("single_row", "tier")) {
      all.add(fromMetrics("latency-by-group", group, with(held, "group_by", group)));
    }
    all.add(fromMetrics("events-by-value", "full_set", with(range, "kind", "full_set")));
    all.add(fromMetrics("usage-by-class", "", range));
    all.add(fromMetrics("silent-tasks", "", with(range, "silent_s", 300)));
    all.addAll(fromCalls(range));
    return all;
  }

  private static List<Question> fromCalls(Map<String, Object> range) {
    return List.of(
        page("no filter", range, Map.of()),
        page("refused", range, Map.of("decision", List.of("refused"))),
        page(
            "preview, by lane tier",
            range,
            Map.of("tier", List.of("preview"), "scope", List.of("tier"))),
        page("one cid, not there", range, Map.of("cid", List.of("none"))),
        page("one run, not there", range, Map.of("automatch_run_id", List.of("none"))),
        page("one user, not there", range, Map.of("user_id", List.of("999999999"))),
        raw("decisions-by-request-source", with(range, "top", 20)),
        raw("usage-by-run", with(range, "row_limit", 20)),
        raw("untimed-calls", range));
  }

  /** What the page asks whatever the period. */
  static List<Question> ofNow(long endMillis) {
    return List.of(
        fromMetrics("data-range", "", Map.of()),
        fromMetrics("minutes-complete", "", Map.of()),
        fromMetrics("calls-not-in-minutes", "", Map.of("since_ms", endMillis - 3_600_000)),
        fromMetrics("pipeline-sources", "", Map.of()));
  }

  private static Question fromMetrics(String query, String what, Map<String, Object> values) {
    return new Question((query + " " + what).strip(), query, values, Map.of(), FROM_METRICS_MILLIS);
  }

  private static Question raw(String query, Map<String, Object> values) {
    return new Question(query, query, values, Map.of(), FROM_CALLS_MILLIS);
  }

  private static Question page(
      String what, Map<String, Object> range, Map<String, List<String>> filters) {
    Map<String, Object> values = new HashMap<>(range);
    Map<String, List<String>> lists = new HashMap<>();
    for (String name : CALL_FILTERS) {
      values.put(name + "_on", filters.containsKey(name) ? 1 : 0);
      lists.put(name, filters.getOrDefault(name, List.of(name.equals("user_id") ? "0" : "")));
    }
    for (String name : BOUNDS) {
      values.put(name + "_on", 0);
      values.put(name, 0);
    }
    values.put("personal", 1);
    values.put("event_id_on", 0);
    values.put("event_id", "00000000-0000-0000-0000-000000000000");
    MAY_BE_MISSING.forEach(name -> values.put("missing_" + name, 0));
    values.put("untimed", "any");
    values.put("after_on", 0);
    values.put("after_ms", 0L);
    values.put("after_id", "00000000-0000-0000-0000-000000000000");
    values.put("row_limit", PAGE_ROWS);
    return new Question("calls, " + what, "calls", values, lists, FROM_CALLS_MILLIS);
  }

  private static Map<String, Object> with(Map<String, Object> values, String name, Object value) {
    Map<String, Object> more = new HashMap<>(values);
    more.put(name, value);
    return more;
  }

  /** As the API chooses it: at most 1,000 points, and whole hours from four days on. */
  private static long stepSeconds(Duration period) {
    for (long step : new long[] {60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600}) {
      boolean finer = period.toDays() >= 4 && step < 3_600;
      if (period.toSeconds() / step < 1_000 && !finer) {
        return step;
      }
    }
    return 86_400;
  }
}
