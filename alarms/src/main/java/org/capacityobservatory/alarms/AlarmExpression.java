package org.capacityobservatory.alarms;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A metric of ours with filters, a window and a comparison: {@code
 * lane_full_share{lane="api_heavy"}[5m] by (tier) > 0.8}.
 *
 * @param metric one of the named metrics
 * @param filters label to the value it must have
 * @param window how far back the metric looks: whole minutes, 1 min to 1 day
 * @param by labels that tell its series apart; none for a single series
 * @param comparison how the metric is compared
 * @param threshold what it is compared with
 */
public record AlarmExpression(
    Metric metric,
    Map<String, String> filters,
    Duration window,
    Set<String> by,
    Comparison comparison,
    double threshold) {
  /** The longest window. */
  public static final Duration LONGEST_WINDOW = Duration.ofDays(1);

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

    /** Whether a value passes a threshold. */
    boolean holds(double value, double threshold) {
      return switch (this) {
        case ABOVE -> value > threshold;
        case AT_LEAST -> value >= threshold;
        case BELOW -> value < threshold;
        case AT_MOST -> value <= threshold;
      };
    }
  }

  private static final Pattern FORM =
      Pattern.compile(
          "\\s*(?<metric>[a-z0-9_]+)\\s*(?:\\{(?<filters>[^}]*)\\})?\\s*\\[(?<window>[^\\]]+)\\]"
              + "\\s*(?:by\\s*\\((?<by>[^)]*)\\))?"
              + "\\s*(?<comparison>>=|<=|>|<)\\s*(?<threshold>-?[0-9]+(?:\\.[0-9]+)?)\\s*");
  private static final Pattern FILTER =
      Pattern.compile("\\s*(?<label>[a-z_]+)\\s*=\\s*\"(?<value>[^\"]*)\"\\s*");

  /** Keeps its own copies. */
  public AlarmExpression {
    filters = java.util.Collections.unmodifiableMap(new TreeMap<>(filters));
    by = java.util.Collections.unmodifiableSet(new TreeSet<>(by));
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
          "'" + text + "' isn't METRIC{label=\"value\"}[WINDOW] by (label) > NUMBER");
    }
    String name = form.group("metric");
    Metric metric =
        Metric.named(name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "there is no metric " + name + "; there are " + Metric.names()));
    Map<String, String> filters = filters(metric, form.group("filters"));
    Set<String> by = by(metric, form.group("by"));
    requireNamed(metric, filters, by);
    return new AlarmExpression(
        metric,
        filters,
        window(form.group("window")),
        by,
        Comparison.of(form.group("comparison")),
        Double.parseDouble(form.group("threshold")));
  }

  private static Duration window(String text) {
    Duration window = Durations.parse(text);
    if (window.isZero() || window.toSeconds() % 60 != 0 || window.compareTo(LONGEST_WINDOW) > 0) {
      throw new IllegalArgumentException(
          "the window " + text + " must be whole minutes, from 1m to 1d");
    }
    return window;
  }

  private static void requireNamed(Metric metric, Map<String, String> filters, Set<String> by) {
    String label = metric.mustName();
    if (!label.isEmpty() && !filters.containsKey(label) && !by.contains(label)) {
      throw new IllegalArgumentException(
          "%s adds up over every %s, which means nothing: name one, {%s=\"…\"}, or split, by (%s)"
              .formatted(metric.word(), label, label, label));
    }
  }

  private static Map<String, String> filters(Metric metric, @Nullable String text) {
    Map<String, String> filters = new LinkedHashMap<>();
    if (text == null || text.isBlank()) {
      return filters;
    }
    for (String part : text.split(",", -1)) {
      Matcher filter = FILTER.matcher(part);
      if (!filter.matches()) {
        throw new IllegalArgumentException("'" + part + "' isn't label=\"value\"");
      }
      String label = known(metric, filter.group("label"));
      String value = filter.group("value");
      Set<String> values = Metric.valuesOf(label);
      if (!values.isEmpty() && !values.contains(value)) {
        throw new IllegalArgumentException(
            "label " + label + " is never \"" + value + "\"; it is one of " + values);
      }
      if (filters.put(label, value) != null) {
        throw new IllegalArgumentException("label " + label + " stands twice");
      }
    }
    return filters;
  }

  private static Set<String> by(Metric metric, @Nullable String text) {
    Set<String> by = new TreeSet<>();
    if (text != null) {
      for (String part : text.split(",", -1)) {
        if (!by.add(known(metric, part.strip()))) {
          throw new IllegalArgumentException("label " + part.strip() + " stands twice in by");
        }
      }
    }
    return by;
  }

  private static String known(Metric metric, String label) {
    if (!metric.labels().contains(label)) {
      throw new IllegalArgumentException(
          metric.word() + " has no label " + label + "; it has " + metric.labels());
    }
    return label;
  }

  /** Whether a fact passes the filters. */
  boolean selects(Labels labels) {
    for (Map.Entry<String, String> filter : filters.entrySet()) {
      if (!labels.get(filter.getKey()).equals(filter.getValue())) {
        return false;
      }
    }
    return true;
  }

  /** The series that a fact belongs to. */
  Labels seriesOf(Labels labels) {
    if (by.isEmpty()) {
      return Labels.NONE;
    }
    Map<String, String> kept = new TreeMap<>();
    by.forEach(label -> kept.put(label, labels.get(label)));
    return Labels.of(kept);
  }

  /** As it is written. */
  @Override
  public String toString() {
    String filter =
        filters.entrySet().stream()
            .map(e -> e.getKey() + "=\"" + e.getValue() + "\"")
            .collect(Collectors.joining(","));
    return metric.word()
        + (filter.isEmpty() ? "" : "{" + filter + "}")
        + "["
        + Durations.print(window)
        + "]"
        + (by.isEmpty() ? "" : " by (" + String.join(", ", by) + ")")
        + " "
        + comparison.sign
        + " "
        + Numbers.plain(threshold);
  }
}
