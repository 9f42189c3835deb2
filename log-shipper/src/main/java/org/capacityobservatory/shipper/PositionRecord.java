package org.capacityobservatory.shipper;

/** How far one thing is shipped: the value of a record on the positions topic. */
sealed interface PositionRecord permits GenerationRecord, FeedRecord {
  /** The source's name. */
  String source();
}
