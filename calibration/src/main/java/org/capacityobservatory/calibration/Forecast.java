package org.capacityobservatory.calibration;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a scenario is predicted to do, group by group, each figure with its 90 % interval. */
public final class Forecast {
  private final Groups groups;
  private final Estimate[][] byGroup;
  private final long[] calls;
  private final Map<String, Estimate> whole;

  Forecast(Groups groups, Estimate[][] byGroup, long[] calls, Map<String, Estimate> whole) {
    this.groups = groups;
    this.byGroup = byGroup;
    this.calls = calls;
    this.whole = whole;
  }

  /** A figure of all calls. */
  public Estimate of(Metric metric) {
    return byGroup[0][metric.place()];
  }

  /**
   * A figure of a group.
   *
   * @param dimension {@code single_row}, {@code tier}, {@code endpoint}, {@code user}, {@code
   *     source}
   * @param value e.g. {@code true}, {@code preview}; a group that isn't there has no figure
   */
  public Estimate of(String dimension, String value, Metric metric) {
    int group = groups.index(new Groups.Key(dimension, value));
    return group < 0 ? Estimate.NOTHING : byGroup[group][metric.place()];
  }

  /** A figure of the whole, e.g. {@code heavy_in_flight.p999}. */
  public Estimate whole(String name) {
    return whole.getOrDefault(name, Estimate.NOTHING);
  }

  /** Every figure of the whole, by name. */
  public Map<String, Estimate> whole() {
    return java.util.Collections.unmodifiableMap(whole);
  }

  /** The same with intervals that hold at least the model's known relative error, by metric. */
  Forecast widened(Map<String, Double> relativeError) {
    Estimate[][] wider = new Estimate[byGroup.length][];
    for (int g = 0; g < byGroup.length; g++) {
      wider[g] = byGroup[g].clone();
      for (Metric metric : Metric.values()) {
        double error = Math.abs(relativeError.getOrDefault(metric.path(), 0.0));
        Estimate e = wider[g][metric.place()];
        wider[g][metric.place()] =
            new Estimate(
                e.value(),
                Math.min(e.low(), Math.max(0, e.value() * (1 - error))),
                Math.max(e.high(), e.value() * (1 + error)));
      }
    }
    return new Forecast(groups, wider, calls, whole);
  }

  /** Per dimension and value, the figures by metric; groups without calls are left out. */
  Map<String, Map<String, Map<Metric, Estimate>>> byDimension() {
    Map<String, Map<String, Map<Metric, Estimate>>> tree = new LinkedHashMap<>();
    for (int g = 1; g < byGroup.length; g++) {
      Groups.Key key = groups.keys().get(g);
      Map<String, Map<Metric, Estimate>> values =
          tree.computeIfAbsent(key.dimension(), k -> new LinkedHashMap<>());
      if (calls[g] > 0) {
        values.put(key.value(), metrics(g));
      }
    }
    return tree;
  }

  Map<Metric, Estimate> metrics() {
    return metrics(0);
  }

  long calls(String dimension, String value) {
    int group = groups.index(new Groups.Key(dimension, value));
    return group < 0 ? 0 : calls[group];
  }

  private Map<Metric, Estimate> metrics(int group) {
    Map<Metric, Estimate> metrics = new LinkedHashMap<>();
    for (Metric metric : Metric.values()) {
      metrics.put(metric, byGroup[group][metric.place()]);
    }
    return metrics;
  }
}
