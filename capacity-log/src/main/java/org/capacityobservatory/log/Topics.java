package org.capacityobservatory.log;

/**
 * The names of the Kafka topics at which the processes meet.
 *
 * <p>Every value on them is one UTF-8 JSON object, except on {@link #LINES}, whose value is the
 * line's own bytes. docs/architecture.md draws who writes and who reads each.
 */
public final class Topics {
  /** Lines of the limiter, without envelope; key = source, headers = {@link LineHeaders}. */
  public static final String LINES = "ocl.capacity.lines";

  /** One row per gated call, in the shape of the table {@code calls}; key = event id. */
  public static final String CALLS = "ocl.capacity.calls";

  /** One row per change of the limiter's config, as in the table {@code config_changes}. */
  public static final String CONFIG_CHANGES = "ocl.capacity.config-changes";

  /** Revisions of per-minute cells; header {@code table} names the table they belong to. */
  public static final String METRICS = "ocl.capacity.metrics";

  /** What could not be read as a line or a record, with its place and reason. */
  public static final String DEAD_LETTERS = "ocl.capacity.dead-letters";

  /** Compacted: how far each generation of each source has been shipped; the shipper's own. */
  public static final String POSITIONS = "ocl.capacity.positions";

  /** The books of each source, which are also its heartbeat; key = source. */
  public static final String BOOKS = "ocl.capacity.books";

  /** Compacted: the state and the outbox of the alarms' evaluator; its own. */
  public static final String ALARM_STATE = "ocl.capacity.alarm-state";

  private Topics() {}
}
