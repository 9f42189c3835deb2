package org.capacityobservatory.log.sink;

/** Why a line that was offered to a sink isn't in its output. */
public enum DropCause {
  /** The queue held its limit of lines, because the output was slower than the calls. */
  QUEUE_FULL,
  /** It came after {@link BoundedSink#close} had begun. */
  CLOSED,
  /** It was null, or held verbatim text that isn't JSON. */
  UNENCODABLE,
  /** The output threw; part of the line may be there, and then stands on a line of its own. */
  WRITE_FAILED,
  /** The output was still blocked when closing had waited long enough. */
  ABANDONED
}
