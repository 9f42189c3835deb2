/**
 * Writes the limiter's lines from a running service without ever holding a call up: {@link
 * org.capacityobservatory.log.sink.BoundedSink}.
 */
@NullMarked
package org.capacityobservatory.log.sink;

import org.jspecify.annotations.NullMarked;
