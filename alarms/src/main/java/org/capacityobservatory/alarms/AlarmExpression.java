package org.capacityobservatory.alarms;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A metric of ours with filters, a window and a comparison: {@code
 * lane_full_share{lane="api_heavy"}[5m] > 0.8}.
 *
 * @param metric one of the named metrics
 * @param filters label to the value it must have
 * @param window how far back the metric looks, in event time
 * @param comparison how the metric is compared
 * @param threshold what it is compared with
 */
public record AlarmExpression(
    String metric,
    Map<String, String> filters,
    Duration window,
    Comparison comparison,
    double threshold) {

  /** How a metric is compared with its threshold. */
  public enum Comparison {
    ABOVE(">"),
    AT_LEAST(">="),
    BELOW("<"),
    AT_MOST("<=");

    private final String sign;

    Comparison(String sign) {
      this.sign = sign;
    }

    static Comparison of(String sign) {
      for (Comparison comparison : values()) {
        if (comparison.sign.equals(sign)) {
          return comparison;
        }
      }
      throw new IllegalArgumentException("There is no comparison " + sign);
    }

    /** Whether an alarm that starts at one value may end at another: the end lies behind. */
    boolean isBehind(double clear, double threshold) {
      boolean rising = this == ABOVE || this == AT_LEAST;
      return rising ? clear <= threshold : clear >= threshold;
    }
  }

  /** The metrics there are, with the labels that each may be filtered by. */
  static final Map<String, Set<String>> METRICS =
      new TreeMap<>(
          Map.of(
              "lane_full_share", Set.of("lane", "tier", "endpoint", "single_row"),
              "refused_share", Set.of("scope", "tier", "endpoint", "single_row", "mode"),
              "calls_per_minute",
                  Set.of("decision", "scope", "tier", "endpoint", "single_row", "mode")));

  private static final Pattern FORM =
      Pattern.compile(
          "\\s*(?<metric>[a-z_]+)\\s*(?:\\{(?<filters>[^}]*)\\})?\\s*\\[(?<window>[^\\]]+)\\]"
              + "\\s*(?<comparison>>=|<=|>|<)\\s*(?<threshold>-?[0-9]+(?:\\.[0-9]+)?)\\s*");
  private static final Pattern FILTER =
      Pattern.compile("\\s*(?<label>[a-z_]+)\\s*=\\s*\"(?<value>[^\"]*)\"\\s*");

  /** Keeps its own copy of the filters. */
  public AlarmExpression {
    filters = Map.copyOf(filters);
  }

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException saying what is wrong and what would be right
   */
  public static AlarmExpression parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' isn't METRIC{label=\"value\"}[WINDOW] > NUMBER");
    }
    String metric = form.group("metric");
    Set<String> labels = METRICS.get(metric);
    if (labels == null) {
      throw new IllegalArgumentException(
          "there is no metric " + metric + "; there are " + METRICS.keySet());
    }
    Duration window = Durations.parse(form.group("window"));
    if (window.isZero()) {
      throw new IllegalArgumentException("the window must be longer than 0s");
    }
    return new AlarmExpression(
        metric,
        filters(metric, form.group("filters"), labels),
        window,
        Comparison.of(form.group("comparison")),
        Double.parseDouble(form.group("threshold")));
  }

  private static Map<String, String> filters(
      String metric, @Nullable String text, Set<String> labels) {
    Map<String, String> filters = new LinkedHashMap<>();
    if (text == null || text.isBlank()) {
      return filters;
    }
    for (String part : text.split(",", -1)) {
      Matcher filter = FILTER.matcher(part);
      if (!filter.matches()) {
        throw new IllegalArgumentException("'" + part + "' isn't label=\"value\"");
      }
      String label = filter.group("label");
      if (!labels.contains(label)) {
        throw new IllegalArgumentException(
            metric + " has no label " + label + "; it has " + new TreeSet<>(labels));
      }
      if (filters.put(label, filter.group("value")) != null) {
        throw new IllegalArgumentException("label " + label + " stands twice");
      }
    }
    return filters;
  }
}
