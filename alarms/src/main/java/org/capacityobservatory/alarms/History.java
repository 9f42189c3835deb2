package org.capacityobservatory.alarms;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where transitions are kept for people. Writing a row again changes nothing. */
interface History {
  /** Writes rows. */
  void write(List<HistoryRow> rows);

  /**
   * Says that the evaluator is at work.
   *
   * @param until how far it has judged minutes, event time; null when nothing is complete yet
   */
  void heartbeat(String evaluator, @Nullable Instant until, Instant now);
}
