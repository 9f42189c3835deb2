package org.capacityobservatory.calibration;

import java.util.Set;

/**
 * Decides at one instant whether a call may go: the limiter's part in a replay.
 *
 * <p>One instance serves one replay. {@link #full} is asked when a worker takes the call up; then
 * either {@link #acquire} follows, and later {@link #release}, or neither.
 */
public interface AdmissionPolicy {
  /** A field of the lines that a policy can need. */
  enum TraceField {
    /** {@code tier}. */
    TIER,
    /** {@code user_id}. */
    USER,
    /** {@code single_row}. */
    SINGLE_ROW,
    /** {@code semantic}. */
    SEMANTIC,
    /** {@code task}. */
    TASK
  }

  /** The fields without which this policy can't decide. */
  Set<TraceField> needs();

  /** A bit for each lane that is full for the call; 0 lets it go. */
  int full(int call, int task, long nowMicros);

  /** Takes a lease in every lane of the call. */
  void acquire(int call, int task, long nowMicros);

  /** Gives the call's leases back, or lets them lapse. */
  void release(int call, int task, long nowMicros);

  /** What a refusal tells the client, s. */
  int retryAfterSeconds(int call, int task, int full);

  /** How many calls the call's user should keep in flight now; at least 1. */
  int suggested(int call, int task);

  /** A call refused for these lanes begins (+1) or ends (−1) to wait. */
  void waiting(int call, int full, int change);
}
