package org.capacityobservatory.streams;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.capacityobservatory.log.CapacityCall;
import org.capacityobservatory.log.CapacityEvent;
import org.capacityobservatory.metrics.CallKind;
import org.capacityobservatory.metrics.Count;
import org.capacityobservatory.metrics.DecisionKey;
import org.capacityobservatory.metrics.Dimensions;
import org.capacityobservatory.metrics.EventKey;
import org.capacityobservatory.metrics.EventKey.Kind;
import org.capacityobservatory.metrics.LaneKey;
import org.capacityobservatory.metrics.LaneTallies;
import org.capacityobservatory.metrics.MeasureTallies;
import org.capacityobservatory.metrics.Minute;
import org.capacityobservatory.metrics.Occupancy;
import org.capacityobservatory.metrics.UsageKey;
import org.capacityobservatory.metrics.UsageTally;
import org.capacityobservatory.streams.CellTable.Open;
import org.capacityobservatory.streams.CellTable.RowSink;
import org.jspecify.annotations.Nullable;

/** The open cells of all tables of one partition, and what each line adds to them. */
final class Minutes {
  private final Dimensions dimensions;
  private final CellTable<DecisionKey, Count> decisions;
  private final CellTable<CallKind, MeasureTallies> measures;
  private final CellTable<LaneKey, LaneTallies> lanes;
  private final CellTable<UsageKey, UsageTally> usage;
  private final CellTable<EventKey, Count> events;
  private final NavigableMap<Long, Map<DecisionKey, CallCells>> alike = new TreeMap<>();

  private Minutes(
      Dimensions dimensions,
      CellRows rows,
      ValueStore<CellKey<DecisionKey>, Cell<Count>> decisions,
      ValueStore<CellKey<CallKind>, Cell<MeasureTallies>> measures,
      ValueStore<CellKey<LaneKey>, Cell<LaneTallies>> lanes,
      ValueStore<CellKey<UsageKey>, Cell<UsageTally>> usage,
      ValueStore<CellKey<EventKey>, Cell<Count>> events) {
    this.dimensions = dimensions;
    this.decisions = new CellTable<>(decisions, Count::new, rows::decision);
    this.measures = new CellTable<>(measures, MeasureTallies::new, rows::measures);
    this.lanes = new CellTable<>(lanes, LaneTallies::new, rows::lanes);
    this.usage = new CellTable<>(usage, UsageTally::new, rows::usage);
    this.events = new CellTable<>(events, Count::new, rows::event);
  }

  /** Minutes that live on in the stores of a task. */
  static Minutes stored(ProcessorContext<?, ?> context, Dimensions dimensions, CellRows rows) {
    HeapStore<CellKey<DecisionKey>, Cell<Count>> decisions =
        context.getStateStore(CapacityTopology.DECISIONS_STORE);
    HeapStore<CellKey<CallKind>, Cell<MeasureTallies>> measures =
        context.getStateStore(CapacityTopology.MEASURES_STORE);
    HeapStore<CellKey<LaneKey>, Cell<LaneTallies>> lanes =
        context.getStateStore(CapacityTopology.LANES_STORE);
    HeapStore<CellKey<UsageKey>, Cell<UsageTally>> usage =
        context.getStateStore(CapacityTopology.USAGE_STORE);
    HeapStore<CellKey<EventKey>, Cell<Count>> events =
        context.getStateStore(CapacityTopology.EVENTS_STORE);
    return new Minutes(dimensions, rows, decisions, measures, lanes, usage, events);
  }

  /** Minutes that are made anew from rows, in one go. */
  static Minutes unstored(Dimensions dimensions, CellRows rows) {
    return new Minutes(
        dimensions,
        rows,
        ValueStore.none(),
        ValueStore.none(),
        ValueStore.none(),
        ValueStore.none(),
        ValueStore.none());
  }

  /**
   * Adds one line.
   *
   * @param endedAtMillis its event time, epoch ms
   * @param offset where it stands in its partition
   */
  void add(CapacityEvent event, long endedAtMillis, long offset, long nowMillis) {
    dimensions.setNow(nowMillis);
    long minute = Minute.startOf(endedAtMillis);
    if (event instanceof CapacityCall call) {
      addCall(call, endedAtMillis, minute, offset);
    }
    Long dropped = event.logDropped();
    if (dropped != null && dropped > 0) {
      count(minute, Kind.LOG_DROPPED, "", dropped, offset);
    }
    for (String key : event.typeErrors()) {
      count(minute, Kind.TYPE_ERROR, key, 1, offset);
    }
  }

  private void addCall(CapacityCall call, long endedAtMillis, long minute, long offset) {
    DecisionKey key = dimensions.decision(call);
    CallCells cells =
        alike
            .computeIfAbsent(minute, m -> new HashMap<>())
            .computeIfAbsent(key, k -> new CallCells(minute, k, offset));
    decisions.fold(cells.decision, offset).add(1);
    measures.fold(cells.measures, offset).add(call);
    usage.fold(cells.usage(dimensions.algorithmClass(call), offset), offset).add(call.heldMs());
    String task = dimensions.task(call);
    lanes.fold(cells.lanes(task, offset), offset).addCall(call, dimensions);
    if (call.heldMs() != null) {
      Occupancy.overlaps(
          endedAtMillis,
          call.heldMs(),
          (overlapped, ms) ->
              (overlapped == minute
                      ? lanes.fold(cells.lanes(task, offset), offset)
                      : lanes.at(overlapped, new LaneKey(key.tier(), task), offset))
                  .addOccupancy(call, ms));
      if (call.heldMs() > Occupancy.MAX_HELD_MS) {
        count(minute, Kind.HELD_TOO_LONG, "", 1, offset);
      }
    }
    countIfAny(minute, Kind.FULL_SET, dimensions.fullSet(call.full()), offset);
    countIfAny(minute, Kind.ERROR, dimensions.error(call.error()), offset);
    if (Boolean.TRUE.equals(call.leaseLost())) {
      count(minute, Kind.LEASE_LOST, "", 1, offset);
    }
  }

  private void countIfAny(long minute, Kind kind, @Nullable String value, long offset) {
    if (value != null) {
      count(minute, kind, value, 1, offset);
    }
  }

  private void count(long minute, Kind kind, String value, long more, long offset) {
    events.at(minute, new EventKey(kind, value), offset).add(more);
  }

  /** Hands out rows for each cell that changed since the last time. */
  void publishChanged(Function<String, RowSink> toTable) {
    decisions.publishChanged(toTable.apply("decisions_minute"));
    measures.publishChanged(toTable.apply("latency_minute"));
    lanes.publishChanged(toTable.apply("lanes_minute"));
    usage.publishChanged(toTable.apply("usage_minute"));
    events.publishChanged(toTable.apply("events_minute"));
  }

  /**
   * Closes minutes, with last rows for each of their cells.
   *
   * @param untilMillis minutes before this one
   * @param occupancyUntilMillis where lanes are concerned, minutes before this one
   */
  void closeBefore(long untilMillis, long occupancyUntilMillis, Function<String, RowSink> toTable) {
    alike.headMap(untilMillis, false).clear();
    decisions.closeBefore(untilMillis, toTable.apply("decisions_minute"));
    measures.closeBefore(untilMillis, toTable.apply("latency_minute"));
    lanes.closeBefore(occupancyUntilMillis, toTable.apply("lanes_minute"));
    usage.closeBefore(untilMillis, toTable.apply("usage_minute"));
    events.closeBefore(untilMillis, toTable.apply("events_minute"));
  }

  /** Drops all minutes before an instant without a row. */
  void forgetBefore(long instantMillis) {
    alike.headMap(instantMillis, false).clear();
    decisions.forgetBefore(instantMillis);
    measures.forgetBefore(instantMillis);
    lanes.forgetBefore(instantMillis);
    usage.forgetBefore(instantMillis);
    events.forgetBefore(instantMillis);
  }

  /**
   * The cells in which calls of one minute and one key of decisions count: found once, and not once
   * a line.
   *
   * <p>Lanes may stay open longer than the rest; they are found again then.
   */
  private final class CallCells {
    private final long minute;
    private final DecisionKey key;
    private final Open<DecisionKey, Count> decision;
    private final Open<CallKind, MeasureTallies> measures;
    private final Map<@Nullable String, Open<UsageKey, UsageTally>> usageByAlgorithm =
        new HashMap<>();
    private final Map<@Nullable String, Open<LaneKey, LaneTallies>> lanesByTask = new HashMap<>();

    CallCells(long minute, DecisionKey key, long offset) {
      this.minute = minute;
      this.key = key;
      this.decision = decisions.open(minute, key, offset);
      this.measures =
          Minutes.this.measures.open(
              minute, new CallKind(key.endpoint(), key.singleRow(), key.tier()), offset);
    }

    Open<UsageKey, UsageTally> usage(@Nullable String algorithmClass, long offset) {
      Open<UsageKey, UsageTally> open = usageByAlgorithm.get(algorithmClass);
      if (open == null) {
        open =
            usage.open(minute, new UsageKey(key.tier(), algorithmClass, key.sourceClass()), offset);
        usageByAlgorithm.put(algorithmClass, open);
      }
      return open;
    }

    Open<LaneKey, LaneTallies> lanes(@Nullable String task, long offset) {
      Open<LaneKey, LaneTallies> open = lanesByTask.get(task);
      if (open == null) {
        open = lanes.open(minute, new LaneKey(key.tier(), task), offset);
        lanesByTask.put(task, open);
      }
      return open;
    }
  }
}
