package org.capacityobservatory.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One change of the limiter's config, as the line {@code ocl_capacity_config} tells it.
 *
 * @param version the config's version after the change
 * @param changedBy who changed it, null for a command; personal data
 * @param source {@code api} or {@code command}
 * @param note the reason given; personal data
 * @param mode the mode after the change
 * @param changes a JSON object, verbatim: dotted path to [old, new]
 */
public record ConfigChange(
    @Nullable Long version,
    @Nullable String changedBy,
    @Nullable String source,
    @Nullable String note,
    @Nullable String mode,
    String changes,
    @Nullable Long logDropped,
    List<String> nullKeys,
    String unknown,
    List<String> typeErrors)
    implements CapacityEvent {}
