package org.capacityobservatory.alarms;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The labels and texts of an alarm as receivers and silences know them. */
final class AlertLabels {
  private AlertLabels() {}

  /**
   * The rule's name as {@code alertname}, the rule's labels and filters, and the series' own.
   *
   * @param rule null for a rule that is no more
   */
  static Map<String, String> of(@Nullable AlarmRule rule, SeriesKey series) {
    SortedMap<String, String> labels = new TreeMap<>();
    if (rule != null) {
      labels.putAll(rule.expression().filters());
      labels.putAll(rule.labels());
    }
    labels.putAll(series.labels().asMap());
    labels.put(Silence.ALERT_NAME, series.rule());
    return labels;
  }

  /** The rule's annotations, filled in with what a transition says. */
  static Map<String, String> annotations(@Nullable AlarmRule rule, Transition transition) {
    SortedMap<String, String> texts = new TreeMap<>();
    if (rule != null) {
      rule.annotations()
          .forEach(
              (key, text) ->
                  texts.put(
                      key,
                      Template.fill(
                          text,
                          transition.value().orElse(Double.NaN),
                          transition.series().labels(),
                          rule.expression().filters())));
    }
    texts.put("summary", transition.summary());
    return texts;
  }
}
