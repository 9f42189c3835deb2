package org.capacityobservatory.calibration;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.capacityobservatory.log.CapacityCall;

/**
 * Holds a prediction against what enforcement then did, per lane, tier and day.
 *
 * <p>Lines can't join a refused attempt to its call, so what is compared is what they tell exactly:
 * refused attempts for each call that got through, held and queue times.
 */
public final class Scorecard {
  /**
   * One comparison.
   *
   * @param group {@code all}, {@code lane.…}, {@code tier.…} or {@code day.…}
   * @param metric the figure's path
   * @param predicted with its interval
   * @param error actual / predicted − 1; NaN when either is missing
   */
  public record Line(
      String group, String metric, Estimate predicted, double actual, double error) {}

  private final List<Line> lines = new ArrayList<>();
  private final PredictedJson predicted;
  private final long enforced;

  private Scorecard(PredictedJson predicted, Recording actual) {
    this.predicted = predicted;
    List<CapacityCall> all = new ArrayList<>();
    Map<String, List<CapacityCall>> tiers = new TreeMap<>();
    Map<String, List<CapacityCall>> days = new TreeMap<>();
    for (RecordedCall recorded : actual.calls()) {
      CapacityCall call = recorded.call();
      if (!"enforce".equals(call.mode())) {
        continue;
      }
      all.add(call);
      if (call.tier() != null) {
        tiers.computeIfAbsent(call.tier(), t -> new ArrayList<>()).add(call);
      }
      String day =
          Instant.ofEpochMilli(recorded.endedAtMillis())
              .atZone(ZoneOffset.UTC)
              .toLocalDate()
              .toString();
      days.computeIfAbsent(day, d -> new ArrayList<>()).add(call);
    }
    enforced = all.size();
    compare("all", "predicted", all);
    tiers.forEach((tier, calls) -> compare("tier." + tier, "predicted.by.tier." + tier, calls));
    days.forEach((day, calls) -> compare("day." + day, "predicted", calls));
    compareLanes(all);
  }

  /**
   * Compares.
   *
   * @param predictedJson what {@code capacity calibrate --format json} wrote
   * @param actual lines written under enforcement; others are left out
   * @throws InvalidConfigException when the prediction isn't one
   */
  public static Scorecard of(String predictedJson, Recording actual) {
    return new Scorecard(PredictedJson.parse(predictedJson), actual);
  }

  /** Lines written under enforcement that were compared. */
  public long enforcedLines() {
    return enforced;
  }

  /** Every comparison. */
  public List<Line> lines() {
    return List.copyOf(lines);
  }

  private void compare(String group, String path, List<CapacityCall> calls) {
    long refused = calls.stream().filter(c -> "refused".equals(c.decision())).count();
    long through = calls.size() - refused;
    Estimate attempts = predicted.figure(path + ".refused_attempts");
    double predictedCalls = predicted.number(path.equals("predicted") ? "calls" : path + ".calls");
    add(
        group,
        "refused_attempts_per_call",
        scaled(attempts, 1 / predictedCalls),
        Measures.share(refused, through));
    addPercentile(group, path, Metric.HELD_P50, calls, 0.5, true);
    addPercentile(group, path, Metric.HELD_P95, calls, 0.95, true);
    addPercentile(group, path, Metric.QUEUE_P50, calls, 0.5, false);
    addPercentile(group, path, Metric.QUEUE_P95, calls, 0.95, false);
  }

  private void addPercentile(
      String group,
      String path,
      Metric metric,
      List<CapacityCall> calls,
      double p,
      boolean ofHeld) {
    long[] values =
        calls.stream()
            .filter(c -> !"refused".equals(c.decision()))
            .map(c -> ofHeld ? c.heldMs() : c.queueMs())
            .filter(java.util.Objects::nonNull)
            .mapToLong(v -> v)
            .sorted()
            .toArray();
    add(
        group,
        metric.path(),
        predicted.figure(path + "." + metric.path()),
        Measures.percentile(values, values.length, p));
  }

  private void compareLanes(List<CapacityCall> calls) {
    long refused = calls.stream().filter(c -> "refused".equals(c.decision())).count();
    double predictedRefused = predicted.figure("predicted.refused_attempts").value();
    for (String lane : LanePolicy.LANE_NAMES) {
      long scoped =
          calls.stream()
              .filter(c -> "refused".equals(c.decision()) && lane.equals(c.scope()))
              .count();
      add(
          "lane." + lane,
          "share_of_refusals",
          scaled(predicted.whole("refused_by_lane." + lane), 1 / predictedRefused),
          Measures.share(scoped, refused));
    }
  }

  private void add(String group, String metric, Estimate estimate, double actual) {
    double error =
        estimate.isKnown() && estimate.value() != 0 && !Double.isNaN(actual)
            ? actual / estimate.value() - 1
            : Double.NaN;
    lines.add(new Line(group, metric, estimate, actual, error));
  }

  private static Estimate scaled(Estimate e, double by) {
    return new Estimate(e.value() * by, e.low() * by, e.high() * by);
  }

  /** The model's relative error by metric, over all calls: what the next report widens by. */
  public Map<String, Double> modelError() {
    Map<String, Double> errors = new LinkedHashMap<>();
    for (Line line : lines) {
      if (line.group().equals("all") && !Double.isNaN(line.error())) {
        String metric =
            line.metric().equals("refused_attempts_per_call")
                ? Metric.REFUSED_ATTEMPTS.path()
                : line.metric();
        errors.put(metric, line.error());
      }
    }
    return errors;
  }

  /**
   * The model's error that a scorecard's JSON holds.
   *
   * @throws InvalidConfigException when it is no scorecard
   */
  public static Map<String, Double> modelErrorIn(String scorecardJson) {
    if (!(ConfigText.tree(scorecardJson).get("model_error") instanceof Map<?, ?> map)) {
      throw new InvalidConfigException(
          List.of("no scorecard: give the JSON that capacity scorecard --format json wrote"));
    }
    Map<String, Double> errors = new LinkedHashMap<>();
    map.forEach(
        (metric, error) -> {
          if (error instanceof Number number) {
            errors.put(String.valueOf(metric), number.doubleValue());
          }
        });
    return errors;
  }

  /** The scorecard as a tree for JSON. */
  public Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("enforced_lines", enforced);
    tree.put("model_error", modelError());
    List<Object> list = new ArrayList<>();
    for (Line line : lines) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("group", line.group());
      one.put("metric", line.metric());
      one.put("predicted", line.predicted().value());
      one.put("low", line.predicted().low());
      one.put("high", line.predicted().high());
      one.put("actual", line.actual());
      one.put("error", line.error());
      one.put("within", line.predicted().isKnown() && line.predicted().holds(line.actual()));
      list.add(one);
    }
    tree.put("lines", list);
    return tree;
  }

  /** The scorecard as plain text. */
  public String text() {
    StringBuilder out = new StringBuilder("Predicted against actual, ");
    out.append(enforced).append(" lines written under enforcement\n");
    for (Line line : lines) {
      out.append("  ").append(line.group()).append("  ").append(line.metric()).append("  ");
      out.append(Text.number(line.predicted().value())).append(" (");
      out.append(Text.number(line.predicted().low())).append(" to ");
      out.append(Text.number(line.predicted().high())).append(")  actual ");
      out.append(Text.number(line.actual())).append("  error ");
      out.append(Text.percent(line.error())).append('\n');
    }
    return out.toString();
  }
}
