package org.capacityobservatory.alarms;

/**
 * What a rule's expression comes to for one series at the end of one minute.
 *
 * @param value the metric's value; NaN stands for none and never leaves this module
 * @param calls what it rests on
 */
record Reading(double value, double calls) {
  /** No value: nothing to divide by, too few calls, or no such gauge. */
  static final Reading UNDEFINED = new Reading(Double.NaN, 0);

  boolean isDefined() {
    return !Double.isNaN(value);
  }
}
