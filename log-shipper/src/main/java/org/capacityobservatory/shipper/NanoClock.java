package org.capacityobservatory.shipper;

/** The clock for intervals: never set back, and good for nothing but differences. */
@FunctionalInterface
interface NanoClock {
  long nanoTime();
}
