package org.capacityobservatory.metrics;

import org.jspecify.annotations.Nullable;

/** What lanes are counted by, per minute; null means that the line didn't have the key. */
public record LaneKey(@Nullable String tier, @Nullable String task) {}
