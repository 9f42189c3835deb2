package org.capacityobservatory.alarms;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * One alarm rule.
 *
 * @param name the alert's name
 * @param expression what must hold
 * @param holdFor how long it must hold before the alarm fires
 * @param keepFiringFor how long the alarm goes on once it no longer holds
 * @param clear the value that ends the alarm, when it isn't the one that starts it
 * @param minCalls windows with fewer calls say nothing
 * @param noData what an empty window means
 * @param labels kept with every alarm of this rule
 * @param annotations texts for people, with templates
 */
public record AlarmRule(
    String name,
    AlarmExpression expression,
    Duration holdFor,
    Duration keepFiringFor,
    OptionalDouble clear,
    long minCalls,
    NoData noData,
    Map<String, String> labels,
    Map<String, String> annotations) {

  /** What a window without data means to a rule. */
  public enum NoData {
    /** As if the condition didn't hold. */
    OK,
    /** The alarm stays as it is. */
    KEEP,
    /** An alarm in itself. */
    ALERT
  }

  /** Kinds of metrics whose values rest on calls. */
  static final Set<Metric.Kind> RESTS_ON_CALLS = Set.of(Metric.Kind.SHARE, Metric.Kind.MAX);

  /** Whether the condition holds for a value; an alarm that fires already ends at its own value. */
  boolean holds(double value, boolean firing) {
    double limit = firing && clear.isPresent() ? clear.getAsDouble() : expression.threshold();
    return expression.comparison().holds(value, limit);
  }

  /** Keeps its own copies of the maps. */
  public AlarmRule {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
  }
}
