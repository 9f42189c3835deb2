package org.capacityobservatory.api;

import java.time.Instant;
import org.capacityobservatory.calibration.RecordedChange;
import org.capacityobservatory.calibration.Recording;
import org.capacityobservatory.sql.StoredLines;
import org.jdbi.v3.core.Jdbi;

/** Reads a recording from ClickHouse's tables of calls and config changes. */
public final class RecordedCalls {
  private final StoredLines lines;

  /** Reads by this access, which must be allowed as many rows as there are calls. */
  public RecordedCalls(Jdbi clickHouse) {
    this.lines = new StoredLines(clickHouse);
  }

  /** Calls that ended, and changes made, from one time on and before another. */
  public Recording read(Instant from, Instant to) {
    Recording.Builder recording = new Recording.Builder();
    lines.calls(
        from,
        to,
        line -> {
          recording.line();
          if (line.timed()) {
            recording.call(line.atMillis(), line.source(), line.event());
          } else {
            recording.untimed();
          }
        });
    lines.changes(
        from, to, line -> recording.change(new RecordedChange(line.atMillis(), line.event())));
    return recording.build();
  }
}
