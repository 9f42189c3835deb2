package org.capacityobservatory.alarms;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.capacityobservatory.log.CapacityCall;
import org.capacityobservatory.metrics.HistogramBuckets;
import org.capacityobservatory.metrics.Lane;
import org.capacityobservatory.metrics.LaneTally;
import org.capacityobservatory.metrics.MetricsConfig;
import org.capacityobservatory.metrics.Minute;
import org.jspecify.annotations.Nullable;

/**
 * Minutes counted from calls in memory: recorded ones, or those of a simulated future. They say of
 * a metric what the queries on stored minutes say.
 *
 * <p>Only metrics that calls alone tell; what the pipeline, the limiter's failures or its config
 * changes would have been, nobody knows of a future.
 */
public final class LineFacts implements Facts {
  /** What calls alone tell. */
  private static final Set<Metric> KNOWN =
      java.util.Collections.unmodifiableSet(
          EnumSet.of(
              Metric.LANE_FULL_SHARE,
              Metric.LANE_NEAR_LIMIT_SHARE,
              Metric.LANE_IN_FLIGHT,
              Metric.LANE_LIMIT,
              Metric.LANE_AT_LIMIT_SHARE,
              Metric.REFUSED_SHARE,
              Metric.CALLS,
              Metric.CALLS_PER_MINUTE,
              Metric.QUEUED_5S_SHARE,
              Metric.USER_FILLS_LANE_SHARE,
              Metric.USER_REFUSED_SHARE));

  /** Lanes whose calls' own intervals tell when they were at their limit. */
  private static final List<Lane> TIMED =
      List.of(Lane.API_HEAVY, Lane.API_HEAVY_TASK, Lane.ES2_KNN, Lane.TIER);

  /** The least queue_ms that surely is 5 s of waiting, at a histogram's edge as minutes have it. */
  private static final long QUEUED_MS = HistogramBuckets.lowest(478);

  private final Map<Metric, NavigableMap<Instant, Map<Labels, Sum>>> minutes =
      new EnumMap<>(Metric.class);
  private final Instant first;
  private final Instant end;

  /** Part and whole as they grow. */
  private static final class Sum {
    private long part;
    private long whole;
  }

  /**
   * A call and when it ended.
   *
   * @param endedAtMillis epoch ms
   */
  public record Ended(long endedAtMillis, CapacityCall call) {}

  private LineFacts(List<Ended> calls) {
    first = minuteOf(calls.stream().mapToLong(Ended::endedAtMillis).min().orElse(0));
    end =
        minuteOf(calls.stream().mapToLong(Ended::endedAtMillis).max().orElse(0))
            .plus(AlarmMachine.STEP);
    Map<Instant, Map<Labels, LaneTally>> lanes = new TreeMap<>();
    for (Ended ended : calls) {
      Instant minute = minuteOf(ended.endedAtMillis());
      count(minute, ended.call());
      countLanes(lanes.computeIfAbsent(minute, m -> new HashMap<>()), ended.call());
    }
    lanes.forEach((minute, tallies) -> tallies.forEach((lane, t) -> putLane(minute, lane, t)));
    for (Lane lane : TIMED) {
      new AtLimit(lane, calls).addTo(this);
    }
  }

  /** Counts calls; any order will do. */
  public static LineFacts of(List<Ended> calls) {
    return new LineFacts(calls);
  }

  /** The start of the first minute in which a call ended. */
  public Instant first() {
    return first;
  }

  /** The end of the last minute in which a call ended. */
  public Instant end() {
    return end;
  }

  @Override
  public boolean knows(Metric metric) {
    return KNOWN.contains(metric);
  }

  @Override
  public List<Fact> between(Metric metric, Instant from, Instant to) {
    List<Fact> facts = new ArrayList<>();
    minutes
        .getOrDefault(metric, new TreeMap<>())
        .subMap(from, true, to, false)
        .forEach(
            (minute, sums) ->
                sums.forEach(
                    (labels, sum) ->
                        facts.add(
                            new Fact(minute, labels, (double) sum.part, (double) sum.whole))));
    return facts;
  }

  private static Instant minuteOf(long epochMillis) {
    return Instant.ofEpochMilli(Minute.startOf(epochMillis));
  }

  private void add(Metric metric, Instant minute, Labels labels, long part, long whole) {
    Sum sum =
        minutes
            .computeIfAbsent(metric, m -> new TreeMap<>())
            .computeIfAbsent(minute, m -> new HashMap<>())
            .computeIfAbsent(labels, l -> new Sum());
    sum.part += part;
    sum.whole += whole;
  }

  private void count(Instant minute, CapacityCall call) {
    boolean refused = call.decision().equals("refused") || call.decision().equals("shadow-refused");
    add(Metric.REFUSED_SHARE, minute, labels(Metric.REFUSED_SHARE, call), refused ? 1 : 0, 1);
    add(Metric.CALLS, minute, labels(Metric.CALLS, call), 1, 1);
    add(Metric.CALLS_PER_MINUTE, minute, labels(Metric.CALLS_PER_MINUTE, call), 1, 1);
    Long queueMs = call.queueMs();
    if (queueMs != null) {
      boolean queued = queueMs >= QUEUED_MS;
      Labels labels = labels(Metric.QUEUED_5S_SHARE, call);
      add(Metric.QUEUED_5S_SHARE, minute, labels, queued ? 1 : 0, 1);
    }
    if (call.userId() != null) {
      Labels labels = labels(Metric.USER_REFUSED_SHARE, call);
      add(Metric.USER_REFUSED_SHARE, minute, labels, refused ? 1 : 0, 1);
      add(Metric.USER_FILLS_LANE_SHARE, minute, labels, fillsLane(call) ? 1 : 0, 1);
    }
  }

  /** Found api_heavy full, with half of it or more the user's own. */
  private static boolean fillsLane(CapacityCall call) {
    Long limit = call.limit();
    Long own = call.userInFlight();
    return call.full().contains(Lane.API_HEAVY.word())
        && limit != null
        && limit > 0
        && own != null
        && own * 2 >= limit;
  }

  private static Labels labels(Metric metric, CapacityCall call) {
    Map<String, String> values = new TreeMap<>();
    metric.labels().forEach(label -> values.put(label, label(label, call)));
    return Labels.of(values);
  }

  private static String label(String label, CapacityCall call) {
    return text(
        switch (label) {
          case "tier" -> call.tier();
          case "endpoint" -> call.endpoint();
          case "single_row" -> call.singleRow();
          case "mode" -> call.mode();
          case "enforced" -> call.enforced();
          case "decision" -> call.decision();
          case "scope" -> call.scope();
          case "task" -> call.task();
          case "user_id" -> call.userId();
          default -> throw new IllegalArgumentException("No call has a label " + label);
        });
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }

  private static Labels laneLabels(Lane lane, CapacityCall call) {
    return Labels.of(
        Map.of("lane", lane.word(), "tier", text(call.tier()), "task", text(call.task())));
  }

  private static void countLanes(Map<Labels, LaneTally> tallies, CapacityCall call) {
    for (Lane lane : Lane.values()) {
      if (lane.isPassedBy(call)) {
        LaneTally tally =
            tallies.computeIfAbsent(laneLabels(lane, call), labels -> new LaneTally());
        tally.addCall(
            lane.inFlight(call), lane.limit(call), MetricsConfig.DEFAULT.nearLimitShare());
        if (call.full().contains(lane.word())) {
          tally.addFull(call.full().size() == 1);
        }
      }
    }
  }

  private void putLane(Instant minute, Labels lane, LaneTally tally) {
    add(Metric.LANE_FULL_SHARE, minute, lane, tally.full(), tally.calls());
    add(Metric.LANE_NEAR_LIMIT_SHARE, minute, lane, tally.nearLimit(), tally.measured());
    Long most = tally.inFlightMax();
    if (most != null) {
      add(Metric.LANE_IN_FLIGHT, minute, lane, most, tally.measured());
    }
    Long limit = tally.limitMax();
    if (limit != null) {
      add(Metric.LANE_LIMIT, minute, lane, limit, tally.measured());
    }
  }

  /**
   * How long one kind of lane was at its limit, from the calls' own intervals. The limit is the
   * greatest that the 50 moments before saw, since calls that may not use the reserve see less.
   */
  private static final class AtLimit {
    private static final int MOMENTS_BACK = 50;

    private final Map<Labels, List<Moment>> moments = new TreeMap<>();
    private final Lane lane;

    /** A call begins (+1) or ends (−1) to hold the lane. */
    private record Moment(long atMillis, int change, long limit) {}

    AtLimit(Lane lane, List<Ended> calls) {
      this.lane = lane;
      for (Ended ended : calls) {
        Long heldMs = ended.call().heldMs();
        Long limit = lane.limit(ended.call());
        if (heldMs != null && limit != null) {
          List<Moment> of =
              moments.computeIfAbsent(labels(ended.call()), labels -> new ArrayList<>());
          of.add(new Moment(ended.endedAtMillis() - heldMs, 1, limit));
          of.add(new Moment(ended.endedAtMillis(), -1, limit));
        }
      }
    }

    /** The task of a task's lane, the tier of a tier's; the others are one lane each. */
    private Labels labels(CapacityCall call) {
      return Labels.of(
          Map.of(
              "lane",
              lane.word(),
              "tier",
              lane == Lane.TIER ? text(call.tier()) : "",
              "task",
              lane == Lane.API_HEAVY_TASK ? text(call.task()) : ""));
    }

    void addTo(LineFacts facts) {
      moments.forEach(
          (labels, of) -> {
            of.sort(Comparator.comparingLong(Moment::atMillis).thenComparingInt(Moment::change));
            addTo(facts, labels, of);
          });
    }

    private static void addTo(LineFacts facts, Labels labels, List<Moment> of) {
      long now = facts.first.toEpochMilli();
      int inFlight = 0;
      long limit = 0;
      for (int i = 0; i < of.size(); i++) {
        Moment moment = of.get(i);
        spread(facts, labels, now, moment.atMillis(), limit > 0 && inFlight >= limit);
        now = Math.max(now, moment.atMillis());
        inFlight += moment.change();
        limit = 0;
        for (Moment seen : of.subList(Math.max(0, i - MOMENTS_BACK), i + 1)) {
          limit = Math.max(limit, seen.limit());
        }
      }
      spread(facts, labels, now, facts.end.toEpochMilli(), limit > 0 && inFlight >= limit);
    }

    private static void spread(
        LineFacts facts, Labels labels, long from, long to, boolean atLimit) {
      for (long at = from; at < to; ) {
        long until = Math.min(to, Minute.startOf(at) + Minute.MILLIS);
        long ms = until - at;
        facts.add(
            Metric.LANE_AT_LIMIT_SHARE,
            Instant.ofEpochMilli(Minute.startOf(at)),
            labels,
            atLimit ? ms : 0,
            ms);
        at = until;
      }
    }
  }
}
