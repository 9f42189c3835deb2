package org.capacityobservatory.metrics;

import org.jspecify.annotations.Nullable;

/**
 * What usage is counted by, per minute; null means that the line didn't have the key.
 *
 * @param algorithmClass the class of {@code algorithm_id}
 * @param sourceClass the class of {@code request_source}
 */
public record UsageKey(
    @Nullable String tier, @Nullable String algorithmClass, @Nullable String sourceClass) {}
