package org.capacityobservatory.streams;

import org.capacityobservatory.log.CapacityEvent;

/** What a line says, and where and when it stands. */
record TimedEvent(CapacityEvent event, LinePlace place) {}
