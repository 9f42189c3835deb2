package org.capacityobservatory.calibration;

import org.capacityobservatory.log.CapacityCall;
import org.jspecify.annotations.Nullable;

/**
 * One call as it was recorded: its line, and when and where that line was written.
 *
 * @param endedAtMillis event time, epoch ms: when the call ended
 * @param source where the line was read
 * @param call the line
 */
public record RecordedCall(long endedAtMillis, String source, CapacityCall call) {
  /** Lease held, ms; 0 where none was. */
  long heldMillis() {
    Long held = call.heldMs();
    return held == null ? 0 : held;
  }

  /** When a lease was taken or the call was refused: end − held (docs/calibration.md). */
  long acquiredAtMillis() {
    return endedAtMillis - heldMillis();
  }

  /** The load balancer's stamp, epoch ms; the request came up to 999 ms later. */
  long requestedAtMillis() {
    Long queue = call.queueMs();
    return acquiredAtMillis() - (queue == null ? 0 : queue);
  }

  static boolean is(@Nullable Boolean flag) {
    return flag != null && flag;
  }
}
