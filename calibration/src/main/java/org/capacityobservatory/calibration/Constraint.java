package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bound that a config must keep, e.g. {@code by.tier.preview.wait_s.p95 <= 60}.
 *
 * <p>The path is one of the result's: a metric ({@code wait_s.p95}), a metric of a group ({@code
 * by.single_row.true.refused_calls_share}; {@code *} for every group of a dimension), or a figure
 * of the whole ({@code heavy_in_flight.p999}).
 *
 * @param path what is bounded
 * @param most whether the bound is an upper one
 * @param bound the bound, which itself is allowed
 */
public record Constraint(String path, boolean most, double bound) {
  private static final Pattern FORM =
      Pattern.compile("\\s*([\\w.*$-]+)\\s*(<=|>=|<|>)\\s*([0-9.eE+-]+)\\s*(%?)\\s*");

  /**
   * Reads constraints from YAML: a list of {@code path <= bound} under {@code constraints}.
   *
   * @throws InvalidConfigException naming every line that isn't one
   */
  public static List<Constraint> parse(String yaml) {
    Object list = ConfigText.tree(yaml).get("constraints");
    if (!(list instanceof List<?> items)) {
      throw new InvalidConfigException(
          List.of("no list 'constraints', such as: constraints: [\"wait_s.p95 <= 60\"]"));
    }
    return ofItems(items);
  }

  static List<Constraint> ofItems(List<?> items) {
    List<String> problems = new ArrayList<>();
    List<Constraint> constraints = new ArrayList<>();
    for (Object item : items) {
      try {
        constraints.add(one(String.valueOf(item)));
      } catch (InvalidConfigException e) {
        problems.addAll(e.problems());
      }
    }
    if (!problems.isEmpty()) {
      throw new InvalidConfigException(problems);
    }
    return constraints;
  }

  /**
   * Reads one constraint.
   *
   * @throws InvalidConfigException when it isn't {@code path <= bound} or {@code path >= bound}, or
   *     the path is no figure
   */
  public static Constraint one(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new InvalidConfigException(
          List.of("'" + text + "' isn't PATH <= BOUND, such as by.tier.*.given_up_share <= 0.001"));
    }
    double bound;
    try {
      bound = Double.parseDouble(form.group(3)) / (form.group(4).isEmpty() ? 1 : 100);
    } catch (NumberFormatException e) {
      throw new InvalidConfigException(List.of("'" + form.group(3) + "' is no number in " + text));
    }
    String path = form.group(1);
    if (metricOf(path).isEmpty() && !isWhole(path)) {
      throw new InvalidConfigException(
          List.of(
              path
                  + " is no figure of a result; there are "
                  + String.join(", ", List.of(Metric.values()).stream().map(Metric::path).toList())
                  + ", the same under by.DIMENSION.VALUE., heavy_in_flight.p999, lanes.…"));
    }
    return new Constraint(path, form.group(2).startsWith("<"), bound);
  }

  private static boolean isWhole(String path) {
    return path.startsWith("lanes.")
        || path.startsWith("heavy_in_flight.")
        || path.startsWith("binding.")
        || path.startsWith("allowance.")
        || path.startsWith("fairness.")
        || path.equals("run_slowdown")
        || path.equals("retry_amplification");
  }

  private static Optional<Metric> metricOf(String path) {
    for (Metric metric : Metric.values()) {
      if (path.equals(metric.path())
          || (path.startsWith("by.") && path.endsWith("." + metric.path()))) {
        return Optional.of(metric);
      }
    }
    return Optional.empty();
  }

  /** The figure that stands furthest out of the groups that the path names. */
  Estimate figure(Forecast forecast) {
    Optional<Metric> metric = metricOf(path);
    if (metric.isEmpty()) {
      return forecast.whole(path);
    }
    Metric wanted = metric.get();
    if (path.equals(wanted.path())) {
      return forecast.of(wanted);
    }
    String group = path.substring(3, path.length() - wanted.path().length() - 1);
    int dot = group.indexOf('.');
    if (dot < 0) {
      return Estimate.NOTHING;
    }
    String dimension = group.substring(0, dot);
    String value = group.substring(dot + 1);
    if (!value.equals("*")) {
      return forecast.of(dimension, value, wanted);
    }
    Estimate worst = Estimate.NOTHING;
    for (Map<Metric, Estimate> one :
        forecast.byDimension().getOrDefault(dimension, Map.of()).values()) {
      Estimate figure = one.getOrDefault(wanted, Estimate.NOTHING);
      if (figure.isKnown() && (!worst.isKnown() || (figure.value() > worst.value()) == most)) {
        worst = figure;
      }
    }
    return worst;
  }

  /** Whether a figure keeps the bound; a figure that isn't there breaks none. */
  boolean keeps(double figure) {
    return Double.isNaN(figure) || (most ? figure <= bound : figure >= bound);
  }

  /** By how much of the bound a figure breaks it; 0 when it keeps it. */
  double excess(double figure) {
    if (keeps(figure)) {
      return 0;
    }
    return Math.abs(figure - bound) / Math.max(Math.abs(bound), 0.01);
  }

  @Override
  public String toString() {
    return path + (most ? " <= " : " >= ") + Text.number(bound);
  }
}
