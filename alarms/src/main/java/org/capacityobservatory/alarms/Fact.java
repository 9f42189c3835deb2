package org.capacityobservatory.alarms;

import java.time.Instant;

/**
 * What one minute says of a metric for one set of labels.
 *
 * @param minute the minute's start
 * @param labels every label of the metric
 * @param part what is counted, or the value of a gauge
 * @param whole what a share is of, or the calls that a gauge rests on; 0 where there are none
 */
public record Fact(Instant minute, Labels labels, double part, double whole) {}
