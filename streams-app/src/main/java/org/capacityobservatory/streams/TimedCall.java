package org.capacityobservatory.streams;

import org.capacityobservatory.log.CapacityCall;

/** A call and when it ended, epoch ms. */
record TimedCall(CapacityCall call, long endedAtMillis) {}
