package org.capacityobservatory.streams;

import java.util.function.BiConsumer;
import org.capacityobservatory.metrics.CallKind;
import org.capacityobservatory.metrics.Count;
import org.capacityobservatory.metrics.DecisionKey;
import org.capacityobservatory.metrics.EventKey;
import org.capacityobservatory.metrics.LaneKey;
import org.capacityobservatory.metrics.LaneTallies;
import org.capacityobservatory.metrics.Measure;
import org.capacityobservatory.metrics.MeasureTallies;
import org.capacityobservatory.metrics.UsageKey;
import org.capacityobservatory.metrics.UsageTally;
import org.capacityobservatory.metrics.ValueTally;
import org.capacityobservatory.streams.CellTable.RowSink;

/** Revisions of one partition's cells as rows of their tables (sql/migrations). */
final class CellRows {
  private final long partition;

  CellRows(long partition) {
    this.partition = partition;
  }

  void decision(CellKey<DecisionKey> key, Cell<Count> cell, boolean closed, RowSink out) {
    DecisionKey by = key.key();
    out.row(
        startedWith(key, cell, closed)
            .text("decision", by.decision())
            .text("mode", by.mode())
            .flag("enforced", by.enforced())
            .text("endpoint", by.endpoint())
            .flag("single_row", by.singleRow())
            .text("tier", by.tier())
            .text("scope", by.scope())
            .text("source_class", by.sourceClass())
            .number("calls", cell.tally().n())
            .toBytes());
  }

  void measures(CellKey<CallKind> key, Cell<MeasureTallies> cell, boolean closed, RowSink out) {
    CallKind by = key.key();
    for (Measure measure : Measure.values()) {
      ValueTally tally = cell.tally().of(measure);
      out.row(
          startedWith(key, cell, closed)
              .text("measure", measure.word())
              .text("endpoint", by.endpoint())
              .flag("single_row", by.singleRow())
              .text("tier", by.tier())
              .number("present", tally.present())
              .number("missing", tally.missing())
              .number("sum", tally.sum())
              .numbers("bucket", tally.histogram().buckets())
              .numbers("n", tally.histogram().counts())
              .toBytes());
    }
  }

  void lanes(CellKey<LaneKey> key, Cell<LaneTallies> cell, boolean closed, RowSink out) {
    cell.tally()
        .forEach(
            (lane, tally) ->
                out.row(
                    startedWith(key, cell, closed)
                        .text("lane", lane)
                        .text("tier", key.key().tier())
                        .text("task", key.key().task())
                        .number("calls", tally.calls())
                        .number("measured", tally.measured())
                        .number("full", tally.full())
                        .number("full_alone", tally.fullAlone())
                        .number("near_limit", tally.nearLimit())
                        .number("in_flight_max", tally.inFlightMax())
                        .number("limit_min", tally.limitMin())
                        .number("limit_max", tally.limitMax())
                        .number("occupancy_ms", tally.occupancyMs())
                        .toBytes()));
  }

  void usage(CellKey<UsageKey> key, Cell<UsageTally> cell, boolean closed, RowSink out) {
    UsageKey by = key.key();
    out.row(
        startedWith(key, cell, closed)
            .text("tier", by.tier())
            .text("algorithm_class", by.algorithmClass())
            .text("source_class", by.sourceClass())
            .number("calls", cell.tally().calls())
            .number("held", cell.tally().held())
            .number("lease_ms", cell.tally().leaseMs())
            .toBytes());
  }

  void event(CellKey<EventKey> key, Cell<Count> cell, boolean closed, RowSink out) {
    out.row(
        startedWith(key, cell, closed)
            .text("kind", key.key().kind().word())
            .text("value", key.key().value())
            .number("n", cell.tally().n())
            .toBytes());
  }

  /** What the partition's clocks say; null times are left out. */
  byte[] state(EventClocks clocks, long nowMillis) {
    Row row =
        new Row()
            .number("lines_partition", partition)
            .number("sources", (long) clocks.sources())
            .number("idle_sources", (long) clocks.idleSources())
            .number("future_times", clocks.partition().futureTimes())
            .number("late_lines", clocks.partition().lateLines())
            .number("published_at", nowMillis)
            .number("revision", clocks.partition().revision());
    BiConsumer<String, Long> time =
        (column, millis) -> row.number(column, millis == PartitionClock.NEVER ? null : millis);
    time.accept("complete_until", clocks.completeUntilMillis());
    time.accept("occupancy_complete_until", clocks.occupancyCompleteUntilMillis());
    time.accept("closed_until", clocks.closedUntilMillis());
    return row.toBytes();
  }

  private Row startedWith(CellKey<?> key, Cell<?> cell, boolean closed) {
    return new Row()
        .number("minute", key.minuteMillis() / 1000)
        .number("lines_partition", partition)
        .number("partial", cell.partial())
        .number("revision", cell.revision(closed));
  }
}
