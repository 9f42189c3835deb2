package org.capacityobservatory.streams;

import org.capacityobservatory.metrics.DecisionKey;
import org.capacityobservatory.metrics.LatencyKey;
import org.capacityobservatory.metrics.LatencyTally;

/** Revisions of cells as rows of their tables (sql/migrations). */
final class CellRows {
  private CellRows() {}

  static byte[] decision(int partition, CellKey<DecisionKey> key, Cell<Long> cell, boolean closed) {
    DecisionKey by = key.key();
    return startedWith(partition, key, cell, closed)
        .text("decision", by.decision())
        .text("mode", by.mode())
        .text("endpoint", by.endpoint())
        .flag("single_row", by.singleRow())
        .text("tier", by.tier())
        .text("scope", by.scope())
        .number("calls", cell.tally())
        .toBytes();
  }

  static byte[] latency(
      int partition, CellKey<LatencyKey> key, Cell<LatencyTally> cell, boolean closed) {
    LatencyKey by = key.key();
    LatencyTally tally = cell.tally();
    return startedWith(partition, key, cell, closed)
        .text("measure", by.measure().word())
        .text("endpoint", by.endpoint())
        .flag("single_row", by.singleRow())
        .text("tier", by.tier())
        .number("present", tally.present())
        .number("missing", tally.missing())
        .number("sum", tally.sum())
        .numbers("bucket", tally.histogram().buckets())
        .numbers("n", tally.histogram().counts())
        .toBytes();
  }

  private static Row startedWith(int partition, CellKey<?> key, Cell<?> cell, boolean closed) {
    return new Row()
        .number("minute", key.minuteMillis() / 1000)
        .number("lines_partition", (long) partition)
        .number("partial", cell.partial())
        .number("revision", cell.revision(closed));
  }
}
