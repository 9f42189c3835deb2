package org.capacityobservatory.metrics;

import org.jspecify.annotations.Nullable;

/**
 * What calls are counted by, per minute; null means that the line didn't have the key.
 *
 * @param sourceClass the class of {@code request_source}
 */
public record DecisionKey(
    String decision,
    @Nullable String mode,
    @Nullable Boolean enforced,
    @Nullable String endpoint,
    @Nullable Boolean singleRow,
    @Nullable String tier,
    @Nullable String scope,
    @Nullable String sourceClass) {}
