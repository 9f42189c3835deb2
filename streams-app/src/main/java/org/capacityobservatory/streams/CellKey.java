package org.capacityobservatory.streams;

/**
 * A cell's name within its partition.
 *
 * @param minuteMillis start of the minute, epoch ms
 */
record CellKey<K>(long minuteMillis, K key) {}
