package org.capacityobservatory.metrics;

import org.jspecify.annotations.Nullable;

/** What {@link Measure}s are kept by, per minute; null means that the line didn't have the key. */
public record CallKind(
    @Nullable String endpoint, @Nullable Boolean singleRow, @Nullable String tier) {}
