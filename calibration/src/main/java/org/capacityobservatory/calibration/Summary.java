package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.capacityobservatory.calibration.Finding.Weight;

/** A result in plain sentences: what would happen, to whom, how sure, what to set. */
final class Summary {
  private final CalibrationResult result;

  Summary(CalibrationResult result) {
    this.result = result;
  }

  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    sentences.add(whatHappens());
    sentences.add(toWhom());
    sentences.add(howSure());
    sentences.add(whatToSet());
    return sentences;
  }

  private static String range(Estimate estimate, java.util.function.DoubleFunction<String> form) {
    return form.apply(estimate.value())
        + " ("
        + form.apply(estimate.low())
        + " to "
        + form.apply(estimate.high())
        + ")";
  }

  String whatHappens() {
    Forecast f = result.predicted;
    if (result.calibration.demand().size() == 0) {
      return "Nothing can be predicted: there are no calls that ran in these lines.";
    }
    return "Of "
        + result.calibration.demand().size()
        + " calls, "
        + range(f.of(Metric.REFUSED_CALLS_SHARE), Text::percent)
        + " would be refused at least once, though shadow mode logged "
        + Text.percent(result.shadowRefusedShare())
        + "; a call would wait "
        + range(f.of(Metric.WAIT_MEAN), Text::seconds)
        + " more on average and "
        + Text.seconds(f.of(Metric.WAIT_P95).value())
        + " at p95, and "
        + Text.percent(f.of(Metric.GIVEN_UP_SHARE).value())
        + " would be given up, "
        + Text.percent(f.of(Metric.FAILED_SHARE).value())
        + " would fail.";
  }

  String toWhom() {
    Forecast f = result.predicted;
    List<String> parts = new ArrayList<>();
    for (Map.Entry<String, Map<Metric, Estimate>> tier :
        f.byDimension().getOrDefault("tier", Map.of()).entrySet()) {
      parts.add(
          tier.getKey()
              + " "
              + Text.percent(estimate(tier.getValue(), Metric.REFUSED_CALLS_SHARE).value())
              + " refused, "
              + Text.seconds(estimate(tier.getValue(), Metric.WAIT_MEAN).value())
              + " mean wait");
    }
    return "Single-row calls: "
        + Text.percent(f.of("single_row", "true", Metric.REFUSED_CALLS_SHARE).value())
        + " refused; the rest: "
        + Text.percent(f.of("single_row", "false", Metric.REFUSED_CALLS_SHARE).value())
        + ". By tier: "
        + (parts.isEmpty() ? "–" : String.join("; ", parts))
        + ".";
  }

  private static Estimate estimate(Map<Metric, Estimate> metrics, Metric metric) {
    return metrics.getOrDefault(metric, Estimate.NOTHING);
  }

  String howSure() {
    long blocks = count(Weight.BLOCKS);
    long holes = count(Weight.HOLE);
    String evidence =
        blocks > 0
            ? "NOTHING CAN BE CONCLUDED from these lines: "
                + String.join(" ", result.cannotConclude())
            : holes > 0
                ? "The evidence has "
                    + holes
                    + (holes == 1 ? " hole" : " holes")
                    + ", listed below."
                : "The evidence has no known holes.";
    return "The ranges are 90 % intervals from "
        + result.calibration.seeds() * 5
        + " replays. "
        + evidence;
  }

  private long count(Weight weight) {
    return result.calibration.findings().stream().filter(f -> f.weight() == weight).count();
  }

  String whatToSet() {
    Exploration.Recommendation r = result.recommendation;
    if (r == null) {
      return result.cannotConclude().isEmpty()
          ? "No recommendation was asked for."
          : "Nothing: these lines are no ground for a recommendation.";
    }
    Exploration.Candidate chosen = r.chosen();
    if (chosen == null) {
      return r.reason();
    }
    return (chosen.changes().isEmpty()
            ? "Keep the limits in force. "
            : "Set: " + ConfigText.setCommand(chosen.changes()) + " . ")
        + r.reason();
  }
}
