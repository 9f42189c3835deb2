package org.capacityobservatory.api;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Time at the limit and peak in flight of one lane, from when calls began and ended. */
final class LaneIntervals {
  static final List<String> PARAMETERS = List.of("from", "to", "lane", "step");
  static final List<String> LANES = List.of("api_heavy", "api_heavy_task", "es2_knn", "tier");

  private static final Duration LONGEST = Duration.ofDays(8);

  private final Store store;
  private final Completeness completeness;
  private final InstantSource clock;

  LaneIntervals(Store store, Completeness completeness, InstantSource clock) {
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
      String lane,
      long step,
      List<Instant> times,
      List<Boolean> complete,
      boolean currentIncomplete,
      List<Lane> lanes) {}

  /** One lane: the cluster's, or one task's or tier's. */
  record Lane(
      @Nullable String value,
      long peak,
      @Nullable Double inFlightMean,
      long atLimitMs,
      @Nullable Double atLimitShare,
      Series series) {}

  /** One number a step: null where nothing is known. */
  record Series(
      List<@Nullable Long> peak,
      List<@Nullable Long> atLimitMs,
      List<@Nullable Double> atLimitShare) {}

  /** A call's stay in a lane; the limit is what it saw, null when its line doesn't say. */
  record Stay(long beginMs, long endMs, @Nullable Long limit) {}

  Answer answer(Ask ask) {
    Parameters parameters = ask.parameters();
    Instant now = clock.instant();
    TimeRange range = TimeRange.of(parameters, now);
    String asked = parameters.choice("lane", LANES);
    String lane = asked == null ? LANES.get(0) : asked;
    Long requestedStep = Steps.requested(parameters);
    parameters.check();

    MinuteRange minutes = MinuteRange.of(range, store, completeness, now);
    Period period = minutes.shown();
    if (period.length().compareTo(LONGEST) > 0) {
      parameters.error(
          "from", "the range is longer than 8 days", "ask for less: every call of it is looked at");
      parameters.check();
    }
    Steps steps = Steps.over(period, requestedStep, parameters);
    Instant callsUntil =
        completeness.callsUntil(minutes.complete().occupancyUntil(), minutes.data());
    List<Boolean> complete = steps.complete(period, callsUntil);
    Map<String, List<Stay>> stays = minutes.period() == null ? Map.of() : stays(lane, period);
    List<Lane> lanes = new ArrayList<>();
    stays.forEach(
        (value, found) ->
            lanes.add(lane(value.isEmpty() ? null : value.substring(1), found, steps, minutes)));
    lanes.sort(Comparator.comparing(one -> -one.atLimitMs()));
    return new Answer(
        minutes.from(),
        minutes.to(),
        now,
        callsUntil,
        "ms",
        lane,
        steps.stepSeconds(),
        steps.times(),
        complete,
        !complete.isEmpty() && !complete.get(complete.size() - 1),
        lanes);
  }

  /** By value, with = before it; empty for a lane that has none. */
  private Map<String, List<Stay>> stays(String lane, Period period) {
    Map<String, List<Stay>> stays = new TreeMap<>();
    store.list(
        "lane-intervals",
        new Filters().over(period).with("lane", lane).values(),
        (row, context) -> {
          String value = row.getString("lane_value");
          return stays
              .computeIfAbsent(value == null ? "" : "=" + value, v -> new ArrayList<>())
              .add(
                  new Stay(
                      row.getLong("begin_ms"),
                      row.getLong("end_ms"),
                      Rows.whole(row, "limit_seen")));
        });
    return stays;
  }

  private static Lane lane(
      @Nullable String value, List<Stay> stays, Steps steps, MinuteRange minutes) {
    Sweep sweep = new Sweep(steps, minutes.shown());
    sweep.run(stays);
    Series series = new Series(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    Period known = minutes.known();
    for (int i = 0; i < steps.times().size(); i++) {
      boolean any = sweep.peak[i] > 0 || steps.touches(i, known);
      series.peak().add(any ? (Long) sweep.peak[i] : null);
      series.atLimitMs().add(any ? (Long) sweep.atLimitMs[i] : null);
      series
          .atLimitShare()
          .add(any ? Shares.of(sweep.atLimitMs[i], steps.stepSeconds() * 1_000) : null);
    }
    long atLimit = java.util.Arrays.stream(sweep.atLimitMs).sum();
    long all = minutes.shown().length().toMillis();
    return new Lane(
        value,
        java.util.Arrays.stream(sweep.peak).max().orElse(0),
        Shares.of(sweep.heldMs, all),
        atLimit,
        Shares.of(atLimit, all),
        series);
  }

  /** Goes through the moments at which the number in flight changes. */
  static final class Sweep {
    final long[] peak;
    final long[] atLimitMs;
    long heldMs;
    private final long fromMs;
    private final long toMs;
    private final long stepMs;
    private final long firstStepMs;
    private long nowMs;
    private long limit = Long.MAX_VALUE;

    Sweep(Steps steps, Period period) {
      peak = new long[steps.times().size()];
      atLimitMs = new long[steps.times().size()];
      fromMs = period.fromMs();
      toMs = period.toMs();
      stepMs = steps.stepSeconds() * 1_000;
      firstStepMs = steps.times().isEmpty() ? 0 : steps.times().get(0).toEpochMilli();
      nowMs = fromMs;
    }

    /** Stays in the order in which they begin. */
    void run(List<Stay> stays) {
      PriorityQueue<Long> ends = new PriorityQueue<>();
      for (Stay stay : stays) {
        release(ends, stay.beginMs());
        advance(stay.beginMs(), ends.size());
        if (stay.limit() != null) {
          limit = stay.limit();
        }
        if (stay.endMs() > stay.beginMs()) {
          ends.add(stay.endMs());
        }
        notePeak(stay.beginMs(), ends.size());
      }
      release(ends, toMs);
      advance(toMs, ends.size());
    }

    /** Lets go what ends up to a moment: what ends as another begins makes room for it. */
    private void release(PriorityQueue<Long> ends, long untilMs) {
      while (!ends.isEmpty() && ends.element() <= untilMs) {
        advance(ends.element(), ends.size());
        ends.remove();
      }
    }

    private void advance(long untilMs, int inFlight) {
      long end = Math.min(untilMs, toMs);
      while (nowMs < end) {
        int step = (int) ((nowMs - firstStepMs) / stepMs);
        long part = Math.min(end, firstStepMs + (step + 1) * stepMs) - nowMs;
        heldMs += inFlight * part;
        if (inFlight >= limit) {
          atLimitMs[step] += part;
        }
        peak[step] = Math.max(peak[step], inFlight);
        nowMs += part;
      }
    }

    private void notePeak(long atMs, int inFlight) {
      if (atMs >= fromMs && atMs < toMs) {
        int step = (int) ((atMs - firstStepMs) / stepMs);
        peak[step] = Math.max(peak[step], inFlight);
      }
    }
  }
}
