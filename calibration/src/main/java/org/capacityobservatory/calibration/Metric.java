package org.capacityobservatory.calibration;

/** A figure of a group of calls; shares are 0–1, percentiles are nearest-rank. */
public enum Metric {
  /** Calls refused at least once / calls. */
  REFUSED_CALLS_SHARE("refused_calls_share", true),
  /** Refusals, retries included. */
  REFUSED_ATTEMPTS("refused_attempts", false),
  /** Attempts in all. */
  ATTEMPTS("attempts", false),
  /** Seconds that clients waited because of refusals and the pauses after them: mean. */
  WAIT_MEAN("wait_s.mean", false),
  /** Median wait, s. */
  WAIT_P50("wait_s.p50", false),
  /** 95 % wait, s. */
  WAIT_P95("wait_s.p95", false),
  /** 99 % wait, s. */
  WAIT_P99("wait_s.p99", false),
  /** Longest wait, s. */
  WAIT_MAX("wait_s.max", false),
  /** Median held time of calls that got through, ms. */
  HELD_P50("held_ms.p50", false),
  /** 95 % held time, ms. */
  HELD_P95("held_ms.p95", false),
  /** Median queue time as logged, ms: high by 0 to 999. */
  QUEUE_P50("queue_ms.p50", false),
  /** 95 % queue time as logged, ms. */
  QUEUE_P95("queue_ms.p95", false),
  /** Calls whose client gave up / calls. */
  GIVEN_UP_SHARE("given_up_share", true),
  /** Calls that failed: refused without a client that knows 429s, or over the allowance. */
  FAILED_SHARE("failed_share", true);

  private final String path;
  private final boolean share;

  Metric(String path, boolean share) {
    this.path = path;
    this.share = share;
  }

  private static final java.util.List<Metric> ALL = java.util.List.of(values());

  /** Its place in arrays of figures. */
  int place() {
    return ALL.indexOf(this);
  }

  /** Where it stands in JSON, below {@code predicted}. */
  public String path() {
    return path;
  }

  boolean isShare() {
    return share;
  }
}
