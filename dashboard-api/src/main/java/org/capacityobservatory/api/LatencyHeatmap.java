package org.capacityobservatory.api;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.capacityobservatory.metrics.HistogramBuckets;
import org.jspecify.annotations.Nullable;

/** How many calls took how long, over time. */
final class LatencyHeatmap {
  static final List<String> PARAMETERS =
      List.of("from", "to", "measure", "endpoint", "tier", "single_row", "step");

  private final Store store;
  private final Completeness completeness;
  private final InstantSource clock;

  LatencyHeatmap(Store store, Completeness completeness, InstantSource clock) {
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
      String measure,
      String unit,
      String edgeUnit,
      LatencyResource.@Nullable Bias bias,
      List<Long> edges,
      long step,
      List<Instant> times,
      List<Boolean> complete,
      boolean currentIncomplete,
      List<@Nullable List<Long>> counts) {}

  Answer answer(Ask ask) {
    Parameters parameters = ask.parameters();
    Instant now = clock.instant();
    TimeRange range = TimeRange.of(parameters, now);
    String asked = parameters.choice("measure", LatencyResource.MEASURES);
    String measure = asked == null ? LatencyResource.MEASURES.get(0) : asked;
    Filters filters =
        new Filters()
            .many(parameters, "endpoint")
            .many(parameters, "tier")
            .choice(parameters, "single_row", List.of("true", "false"));
    Long requestedStep = Steps.requested(parameters);
    parameters.check();

    MinuteRange minutes = MinuteRange.of(range, store, completeness, now);
    Steps steps = Steps.over(minutes.shown(), requestedStep, parameters);
    Map<Integer, SortedMap<Long, Long>> found = new HashMap<>();
    if (minutes.period() != null && !steps.times().isEmpty()) {
      filters.over(minutes.shown()).with("measure", measure).with("step_s", steps.stepSeconds());
      store.list(
          "latency-heatmap",
          filters.values(),
          filters.lists(),
          (row, context) ->
              found.put(
                  steps.index(row.getLong("step_ms")),
                  byEdge(
                      LatencyResource.numbers(row.getArray("buckets")),
                      LatencyResource.numbers(row.getArray("counts")))));
    }
    List<Long> edges = edges(found);
    List<@Nullable List<Long>> counts = new ArrayList<>();
    for (int i = 0; i < steps.times().size(); i++) {
      SortedMap<Long, Long> here = found.get(i);
      if (here == null && !steps.touches(i, minutes.known())) {
        counts.add(null);
        continue;
      }
      SortedMap<Long, Long> calls = here == null ? new TreeMap<>() : here;
      counts.add(edges.stream().map(edge -> calls.getOrDefault(edge, 0L)).toList());
    }
    List<Boolean> complete = steps.complete(minutes.shown(), minutes.complete().until());
    return new Answer(
        minutes.from(),
        minutes.to(),
        now,
        minutes.complete().until(),
        measure,
        "calls",
        "ms",
        measure.equals("queue_ms") ? LatencyResource.Bias.QUEUE : null,
        edges,
        steps.stepSeconds(),
        steps.times(),
        complete,
        !complete.isEmpty() && !complete.get(complete.size() - 1),
        counts);
  }

  private static SortedMap<Long, Long> byEdge(long[] buckets, long[] calls) {
    SortedMap<Long, Long> counts = new TreeMap<>();
    for (int i = 0; i < buckets.length; i++) {
      counts.merge(
          edgeOf(HistogramBuckets.lowest(Math.toIntExact(buckets[i]))), calls[i], Long::sum);
    }
    return counts;
  }

  /** 0, 1, then powers of two and one and a half times them: edges that the buckets have too. */
  static long edgeOf(long value) {
    if (value < 2) {
      return value;
    }
    long power = Long.highestOneBit(value);
    long middle = power + power / 2;
    return value >= middle ? middle : power;
  }

  /** All edges from the least to the greatest that has a call. */
  private static List<Long> edges(Map<Integer, SortedMap<Long, Long>> found) {
    long least = Long.MAX_VALUE;
    long most = -1;
    for (SortedMap<Long, Long> counts : found.values()) {
      if (!counts.isEmpty()) {
        least = Math.min(least, counts.firstKey());
        most = Math.max(most, counts.lastKey());
      }
    }
    List<Long> edges = new ArrayList<>();
    for (long edge = least; edge <= most; edge = next(edge)) {
      edges.add(edge);
    }
    return edges;
  }

  private static long next(long edge) {
    if (edge < 2) {
      return edge + 1;
    }
    long power = Long.highestOneBit(edge);
    long middle = power + power / 2;
    return edge < middle ? middle : 2 * power;
  }
}
