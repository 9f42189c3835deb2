package org.capacityobservatory.metrics;

import org.capacityobservatory.log.CapacityCall;
import org.jspecify.annotations.Nullable;

/**
 * What calls are counted by, per minute; a null component means that the line didn't have the key.
 *
 * <p>Every component comes from a closed set of the limiter's (new members come rarely), so that
 * cells stay few.
 */
public record DecisionKey(
    String decision,
    @Nullable String mode,
    @Nullable String endpoint,
    @Nullable Boolean singleRow,
    @Nullable String tier,
    @Nullable String scope) {

  /** The key that a call counts under. */
  public static DecisionKey of(CapacityCall call) {
    return new DecisionKey(
        call.decision(), call.mode(), call.endpoint(), call.singleRow(), call.tier(), call.scope());
  }
}
