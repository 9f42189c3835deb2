/** The Kafka Streams job from lines to calls, config changes, dead letters and metric cells. */
@NullMarked
package org.capacityobservatory.streams;

import org.jspecify.annotations.NullMarked;
