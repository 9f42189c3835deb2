package org.capacityobservatory.calibration;

/**
 * Something about the evidence that the reader of a result must know.
 *
 * @param code a stable word for machines, e.g. {@code unavailable}
 * @param weight how much it takes away from the result
 * @param count how many lines or calls it touches
 * @param text what it is and what it means, in a sentence
 */
public record Finding(String code, Weight weight, long count, String text) {
  /** How much a finding takes away from the result. */
  public enum Weight {
    /** For information: handled by a stated rule that loses nothing. */
    NOTE,
    /** A hole in the evidence: no verdict may ignore it. */
    HOLE,
    /** What was asked can't be concluded from these lines. */
    BLOCKS
  }
}
