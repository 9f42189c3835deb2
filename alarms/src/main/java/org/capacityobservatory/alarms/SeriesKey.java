package org.capacityobservatory.alarms;

/**
 * One series of one rule.
 *
 * @param rule the rule's name
 * @param labels what tells the series apart
 */
public record SeriesKey(String rule, Labels labels) {}
