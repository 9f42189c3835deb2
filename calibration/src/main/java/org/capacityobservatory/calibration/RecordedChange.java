package org.capacityobservatory.calibration;

import org.capacityobservatory.log.ConfigChange;

/**
 * One change of the limiter's config as it was recorded.
 *
 * @param atMillis event time, epoch ms
 * @param change the line
 */
public record RecordedChange(long atMillis, ConfigChange change) {}
