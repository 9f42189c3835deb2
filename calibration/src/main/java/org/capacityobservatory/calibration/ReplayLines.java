package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.List;
import org.capacityobservatory.calibration.Scenario.Enforcement;
import org.capacityobservatory.log.CapacityCall;
import org.jspecify.annotations.Nullable;

/**
 * The lines that the limiter would write during a replay, in the order in which it would: one for
 * each refusal, and one for each call that ends. A call killed by the API's timeout writes none.
 *
 * <p>What a replay doesn't know stays null: who sent it by name, errors, lost leases, suggestions.
 */
final class ReplayLines {
  private static final String SOURCE = "replay";
  private static final int LANES = LanePolicy.LANES;

  private final Demand d;
  private final String mode;
  private final List<RecordedCall> lines = new ArrayList<>();

  /** Per call and lane, as the call saw it when it took its leases. */
  private final int[] inFlight;

  private final int[] limit;
  private final int[] fullOf;
  private final String[] scopeOf;
  private final int[] retryAfterOf;

  ReplayLines(Demand demand, Scenario scenario) {
    d = demand;
    mode = scenario.enforcement() == Enforcement.NOBODY ? "shadow" : "enforce";
    inFlight = new int[demand.calls * LANES];
    limit = new int[demand.calls * LANES];
    fullOf = new int[demand.calls];
    scopeOf = new String[demand.calls];
    retryAfterOf = new int[demand.calls];
  }

  List<RecordedCall> lines() {
    return lines;
  }

  /** What a call meets when a worker takes it up; it isn't counted in any lane yet. */
  void met(int call, int task, int full, LanePolicy policy) {
    fullOf[call] = full;
    scopeOf[call] = full == 0 ? "" : LanePolicy.LANE_NAMES[policy.scope(call, task, full)];
    retryAfterOf[call] = full == 0 ? 0 : policy.retryAfterSeconds(call, task, full);
    see(call, task, policy);
  }

  /** After {@link #met}: it is refused. */
  void refused(int call, int task, long nowMicros, long queueMicros) {
    add(call, task, "refused", true, nowMicros, null, queueMicros);
  }

  /** After {@link #met}: it has taken its leases, and is counted itself. */
  void acquired(int call, int task, LanePolicy policy) {
    see(call, task, policy);
  }

  /** A call that had its leases ended. */
  void ended(int call, int task, boolean enforced, long nowMicros, Outcome out) {
    add(
        call,
        task,
        fullOf[call] == 0 ? "admitted" : "shadow-refused",
        enforced,
        nowMicros,
        out.heldMicros[call] / 1000,
        out.loggedQueueMicros[call]);
  }

  private void see(int call, int task, LanePolicy policy) {
    for (int lane = 0; lane < LANES; lane++) {
      inFlight[call * LANES + lane] = policy.count(call, task, lane);
      limit[call * LANES + lane] = policy.limit(call, task, lane);
    }
  }

  private void add(
      int call,
      int task,
      String decision,
      boolean enforced,
      long nowMicros,
      @Nullable Long heldMs,
      long queueMicros) {
    boolean knn = d.knn[call];
    List<String> full = namesOf(fullOf[call]);
    long user = d.names.userIds().get(d.user[call]);
    CapacityCall line =
        new CapacityCall(
            decision,
            mode,
            enforced,
            known(d.names.endpoints().get(d.endpoint[call])),
            knn,
            null,
            d.rows[call] > 0 ? (long) d.rows[call] : null,
            d.singleRow[call],
            known(d.names.tiers().get(d.tier[call])),
            user < 0 ? null : user,
            full,
            full.isEmpty() ? null : scopeOf[call],
            inFlight(call, 0),
            limit(call, 0),
            inFlight(call, 1),
            limit(call, 1),
            knn ? inFlight(call, 2) : null,
            knn ? limit(call, 2) : null,
            inFlight(call, 3),
            limit(call, 3),
            inFlight(call, 4),
            limit(call, 4),
            null,
            full.isEmpty() ? null : (long) retryAfterOf[call],
            heldMs,
            queueMicros / 1000,
            null,
            null,
            d.names.tasks().isEmpty() ? null : known(d.names.tasks().get(task)),
            known(d.names.sources().get(d.source[call])),
            null,
            null,
            null,
            null,
            List.of(),
            "",
            List.of());
    lines.add(new RecordedCall(Math.floorDiv(nowMicros, 1000), SOURCE, line));
  }

  /** Lanes that the config doesn't limit don't stand in a line. */
  private @Nullable Long limit(int call, int lane) {
    int value = limit[call * LANES + lane];
    return value == Integer.MAX_VALUE ? null : Long.valueOf(value);
  }

  private @Nullable Long inFlight(int call, int lane) {
    return limit(call, lane) == null ? null : Long.valueOf(inFlight[call * LANES + lane]);
  }

  private static @Nullable String known(String word) {
    return word.equals(DemandReader.UNKNOWN) ? null : word;
  }

  private static List<String> namesOf(int full) {
    List<String> names = new ArrayList<>();
    for (int lane = 0; lane < LANES; lane++) {
      if ((full & (1 << lane)) != 0) {
        names.add(LanePolicy.LANE_NAMES[lane]);
      }
    }
    return names;
  }
}
