package org.capacityobservatory.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How many calls were admitted, refused or would have been: in all, by group, and over time. */
final class DecisionsResource {
  static final List<String> PARAMETERS = List.of("from", "to", "group_by", "step", "series");
  static final List<String> GROUPINGS =
      List.of("tier", "scope", "endpoint", "single_row", "request_source", "mode");

  /** So many values are shown for themselves. */
  static final int TOP = 50;

  /** A step that few periods reach beyond: whole hours of it are read as such. */
  private static final long WHOLE_SECONDS = 366L * 86_400;

  private final Store store;
  private final Completeness completeness;
  private final InstantSource clock;

  DecisionsResource(Store store, Completeness completeness, InstantSource clock) {
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
      @JsonUnwrapped Counts counts,
      long untimed,
      @Nullable String rows,
      @Nullable String groupBy,
      List<Group> groups,
      @Nullable Other other,
      Series series) {}

  /** One value of the dimension grouped by; null is the calls that have none. */
  record Group(@Nullable Object value, @JsonUnwrapped Counts counts, String rows) {}

  /** All values beyond the most frequent. */
  record Other(long values, @JsonUnwrapped Counts counts) {}

  /** One number a step: null where nothing is known, 0 where it is known that there were none. */
  record Series(
      long step,
      List<Instant> times,
      List<Boolean> complete,
      boolean currentIncomplete,
      List<@Nullable Long> calls,
      List<@Nullable Long> refused,
      List<@Nullable Double> refusedShare,
      Map<String, List<@Nullable Long>> decisions) {}

  Answer answer(Ask ask) {
    Parameters parameters = ask.parameters();
    Instant now = clock.instant();
    TimeRange range = TimeRange.of(parameters, now);
    String groupBy = parameters.choice("group_by", GROUPINGS);
    Long requestedStep = Steps.requested(parameters);
    boolean wanted = Steps.wanted(parameters);
    parameters.check();

    Period data = DataRange.read(store);
    Instant completeUntil = completeness.until(now);
    Period period = range.minutes(data, now);
    long untimed = Untimed.count(store, range);
    if (period == null) {
      return new Answer(
          null,
          null,
          now,
          completeUntil,
          "calls",
          new Counts(),
          untimed,
          null,
          groupBy,
          List.of(),
          null,
          none(60));
    }
    Steps steps = Steps.over(period, requestedStep, parameters);
    Counts total = new Counts();
    Series series;
    if (wanted) {
      series = series(period, steps, DataRange.known(data, completeUntil), completeUntil, total);
    } else {
      series = none(steps.stepSeconds());
      byStep(period, WHOLE_SECONDS, (stepMs, decision, calls) -> total.add(decision, calls));
    }
    Groups groups = groupBy == null ? Groups.NONE : groups(period, groupBy);
    return new Answer(
        period.from(),
        period.to(),
        now,
        completeUntil,
        "calls",
        total,
        untimed,
        RowsLink.to(period),
        groupBy,
        groups.named(),
        groups.other(),
        series);
  }

  private Series series(
      Period period,
      Steps steps,
      @Nullable Period known,
      @Nullable Instant completeUntil,
      Counts total) {
    List<Counts> perStep = new ArrayList<>();
    steps.times().forEach(time -> perStep.add(new Counts()));
    byStep(
        period,
        steps.stepSeconds(),
        (stepMs, decision, calls) -> {
          total.add(decision, calls);
          perStep.get(steps.index(stepMs)).add(decision, calls);
        });
    List<Boolean> complete = steps.complete(period, completeUntil);
    List<@Nullable Long> calls = new ArrayList<>();
    List<@Nullable Long> refused = new ArrayList<>();
    List<@Nullable Double> shares = new ArrayList<>();
    Map<String, List<@Nullable Long>> decisions = new TreeMap<>();
    total.totals().keySet().forEach(decision -> decisions.put(decision, new ArrayList<>()));
    for (int i = 0; i < perStep.size(); i++) {
      Counts counts = perStep.get(i);
      boolean any = counts.calls() > 0 || steps.touches(i, known);
      calls.add(any ? (Long) counts.calls() : null);
      refused.add(any ? (Long) counts.refused() : null);
      shares.add(counts.refusedShare());
      decisions.forEach(
          (decision, points) ->
              points.add(any ? counts.totals().getOrDefault(decision, 0L) : null));
    }
    boolean currentIncomplete = !complete.isEmpty() && !complete.get(complete.size() - 1);
    return new Series(
        steps.stepSeconds(),
        steps.times(),
        complete,
        currentIncomplete,
        calls,
        refused,
        shares,
        decisions);
  }

  private static Series none(long stepSeconds) {
    return new Series(
        stepSeconds, List.of(), List.of(), false, List.of(), List.of(), List.of(), Map.of());
  }

  /** Takes the calls of one decision in one step. */
  private interface StepCalls {
    void take(long stepMs, String decision, long calls);
  }

  private void byStep(Period period, long stepSeconds, StepCalls calls) {
    store.list(
        "decisions-by-step",
        Map.of("from_ms", period.fromMs(), "to_ms", period.toMs(), "step_s", stepSeconds),
        (row, context) -> {
          String decision = row.getString("decision_name");
          calls.take(row.getLong("step_ms"), decision, row.getLong("n"));
          return decision;
        });
  }

  private record Groups(List<Group> named, @Nullable Other other) {
    static final Groups NONE = new Groups(List.of(), null);
  }

  /** One row of a query by group: a value's place by frequency (0: other) and one decision. */
  private record GroupRow(
      long place, @Nullable String value, String decision, long calls, long allValues) {}

  private Groups groups(Period period, String groupBy) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("from_ms", period.fromMs());
    values.put("to_ms", period.toMs());
    values.put("top", TOP);
    String query = "decisions-by-request-source";
    if (!groupBy.equals("request_source")) {
      query = "decisions-by-group";
      values.put("group_by", groupBy);
    }
    List<GroupRow> rows =
        store.list(
            query,
            values,
            (row, context) ->
                new GroupRow(
                    row.getLong("shown_place"),
                    row.getString("shown_value"),
                    row.getString("decision_name"),
                    row.getLong("n"),
                    row.getLong("group_values")));
    Map<Long, Counts> byPlace = new TreeMap<>();
    Map<Long, @Nullable String> valueOf = new TreeMap<>();
    long allValues = 0;
    for (GroupRow row : rows) {
      byPlace.computeIfAbsent(row.place(), place -> new Counts()).add(row.decision(), row.calls());
      valueOf.put(row.place(), row.value());
      allValues = row.allValues();
    }
    Counts rest = byPlace.remove(0L);
    List<Group> named = new ArrayList<>();
    byPlace.forEach(
        (place, counts) -> {
          String value = valueOf.get(place);
          named.add(
              new Group(
                  RowsLink.groupValue(groupBy, value),
                  counts,
                  RowsLink.to(period, groupBy, value)));
        });
    return new Groups(
        Collections.unmodifiableList(named),
        rest == null ? null : new Other(allValues - TOP, rest));
  }
}
