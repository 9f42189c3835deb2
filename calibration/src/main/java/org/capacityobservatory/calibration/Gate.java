package org.capacityobservatory.calibration;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.capacityobservatory.calibration.Finding.Weight;
import org.jspecify.annotations.Nullable;

/** Says whether a config may be enforced on this evidence, requirement by requirement. */
public final class Gate {
  /** A verdict; of several the gravest counts: NOT YET, then UNKNOWN, then PASS. */
  public enum Verdict {
    /** Proven. */
    PASS("PASS"),
    /** The evidence can't tell. */
    UNKNOWN("UNKNOWN"),
    /** Shown not to hold. */
    NOT_YET("NOT YET");

    private final String word;

    Verdict(String word) {
      this.word = word;
    }

    /** As it is written. */
    public String word() {
      return word;
    }
  }

  /**
   * One requirement's verdict.
   *
   * @param requirement what is required, in words
   * @param evidence what was found
   * @param next what would make it hold; null when it does
   */
  public record Check(
      String requirement, Verdict verdict, String evidence, @Nullable String next) {}

  private final Calibration calibration;
  private final Forecast forecast;
  private final Requirements requirements;
  private final List<Check> checks = new ArrayList<>();

  private Gate(Calibration calibration, Forecast forecast, Requirements requirements) {
    this.calibration = calibration;
    this.forecast = forecast;
    this.requirements = requirements;
    checkEvidence();
    checkPeriod();
    checkCompleteness();
    checkAwareness();
    checkFigures();
  }

  /** Holds a prediction and its evidence against requirements. */
  public static Gate of(Calibration calibration, Forecast forecast, Requirements requirements) {
    return new Gate(calibration, forecast, requirements);
  }

  /** The gravest of all verdicts. */
  public Verdict verdict() {
    return checks.stream()
        .map(Check::verdict)
        .max(java.util.Comparator.naturalOrder())
        .orElse(Verdict.UNKNOWN);
  }

  /** Every requirement. */
  public List<Check> checks() {
    return List.copyOf(checks);
  }

  private void add(String requirement, Verdict verdict, String evidence, String next) {
    checks.add(new Check(requirement, verdict, evidence, verdict == Verdict.PASS ? null : next));
  }

  private void checkEvidence() {
    List<String> holes = new ArrayList<>();
    List<String> acceptable = new ArrayList<>();
    boolean open = false;
    boolean blocked = false;
    for (Finding finding : calibration.findings()) {
      if (finding.weight() == Weight.NOTE) {
        continue;
      }
      boolean accepted =
          finding.weight() == Weight.HOLE && requirements.acceptedHoles().contains(finding.code());
      open |= !accepted;
      blocked |= finding.weight() == Weight.BLOCKS;
      if (!accepted && finding.weight() == Weight.HOLE) {
        acceptable.add(finding.code());
      }
      holes.add(finding.code() + (accepted ? " (accepted)" : "") + ": " + finding.text());
    }
    add(
        "evidence without holes",
        open ? Verdict.UNKNOWN : Verdict.PASS,
        holes.isEmpty() ? "none found" : String.join(" ", holes),
        blocked
            ? "choose a period, or lines, of which something can be concluded"
            : "choose a period without them, or accept what is known: "
                + String.join(", ", acceptable)
                + " in accept_holes");
  }

  private void checkPeriod() {
    long[] period = calibration.period();
    double hours = period == null ? 0 : (period[1] - period[0]) / 3_600_000.0;
    Double minHours = requirements.minHours();
    if (minHours != null) {
      add(
          "at least " + Text.number(minHours) + " hours of evidence",
          hours >= minHours ? Verdict.PASS : Verdict.NOT_YET,
          Text.number(hours) + " hours",
          "ask about a longer period");
    }
    if (requirements.weeklyPeak()) {
      boolean week = hours >= Duration.ofDays(7).toHours();
      add(
          "the period covers a weekly peak",
          week ? Verdict.PASS : Verdict.NOT_YET,
          Text.number(hours) + " hours; a whole week is needed to hold its peak",
          "ask about a whole week");
    }
  }

  private void checkCompleteness() {
    Recording recording = calibration.recording();
    Recording.Read read = recording.read();
    long good = (long) recording.calls().size() + recording.changes().size();
    long lost =
        read.dropped() + read.untimed() + read.unusable().values().stream().mapToLong(n -> n).sum();
    atLeast(
        "completeness",
        requirements.completenessMin(),
        Measures.share(good, good + lost),
        "find out where lines were lost, or choose a period without losses");
    long unavailable =
        recording.calls().stream().filter(c -> "unavailable".equals(c.call().decision())).count();
    atMost(
        "share of calls with the limiter unavailable",
        requirements.unavailableShareMax(),
        Measures.share(unavailable, recording.calls().size()),
        "mend what made the limiter unavailable, or choose a period without it");
  }

  private void atLeast(String what, @Nullable Double bound, double actual, String next) {
    if (bound != null) {
      Verdict verdict =
          Double.isNaN(actual) ? Verdict.UNKNOWN : actual >= bound ? Verdict.PASS : Verdict.NOT_YET;
      add(what + " at least " + Text.number(bound), verdict, Text.number(actual), next);
    }
  }

  private void atMost(String what, @Nullable Double bound, double actual, String next) {
    if (bound != null) {
      Verdict verdict =
          Double.isNaN(actual) ? Verdict.UNKNOWN : actual <= bound ? Verdict.PASS : Verdict.NOT_YET;
      add(what + " at most " + Text.number(bound), verdict, Text.number(actual), next);
    }
  }

  private void checkAwareness() {
    Double least = requirements.awareShareMin();
    if (least == null) {
      return;
    }
    var aware = calibration.options().aware();
    String requirement = "share of calls from aware clients at least " + Text.number(least);
    if (aware == null) {
      add(
          requirement,
          Verdict.UNKNOWN,
          "shadow lines don't say it",
          "name the sources whose clients know 429s");
      return;
    }
    Demand demand = calibration.demand();
    long calls = 0;
    for (String source : aware) {
      calls += forecast.calls("source", source);
    }
    double share = Measures.share(calls, demand.size());
    add(
        requirement,
        share >= least ? Verdict.PASS : Verdict.NOT_YET,
        Text.percent(share)
            + " of calls come from "
            + String.join(", ", aware.stream().sorted().toList()),
        "let more clients learn 429s first");
  }

  private void checkFigures() {
    requirements
        .tiers()
        .forEach(
            (tier, most) ->
                check(
                    new Constraint(
                        "by.tier." + tier + "." + Metric.REFUSED_CALLS_SHARE.path(), true, most)));
    Double single = requirements.singleRowRefusedMax();
    if (single != null) {
      check(
          new Constraint("by.single_row.true." + Metric.REFUSED_CALLS_SHARE.path(), true, single));
    }
    Double allowance = requirements.allowanceUsedMax();
    if (allowance != null) {
      check(new Constraint("allowance.most_used_in_a_day", true, allowance));
    }
    requirements.constraints().forEach(this::check);
  }

  /** PASS only when the whole interval keeps the bound; between the two nothing is proven. */
  private void check(Constraint constraint) {
    Estimate figure = constraint.figure(forecast);
    String evidence =
        Text.number(figure.value())
            + " ("
            + Text.number(figure.low())
            + " to "
            + Text.number(figure.high())
            + ")";
    if (!figure.isKnown()) {
      add(
          constraint.toString(),
          Verdict.UNKNOWN,
          "no such calls in the evidence",
          "choose a period that has such calls");
    } else if (!constraint.keeps(figure.value())) {
      add(
          constraint.toString(),
          Verdict.NOT_YET,
          evidence,
          "move the limits that stand in the way, or require less");
    } else if (constraint.keeps(constraint.most() ? figure.high() : figure.low())) {
      add(constraint.toString(), Verdict.PASS, evidence, "");
    } else {
      add(
          constraint.toString(),
          Verdict.UNKNOWN,
          evidence + ": the interval crosses the bound",
          "ask about a longer period: more calls narrow the interval");
    }
  }

  /** What the verdict is bound to: config, data range and bytes, requirements, version. */
  public String hash() {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
    long[] period = calibration.period();
    Options options = calibration.options();
    List<String> parts = new ArrayList<>();
    parts.add(CalibrationResult.VERSION);
    calibration
        .candidate()
        .steps()
        .forEach(step -> parts.add(step.fromMillis() + " " + step.config().paths()));
    parts.add(period == null ? "no calls" : period[0] + "–" + period[1]);
    parts.add(
        options.enforcement()
            + " "
            + (options.aware() == null ? "" : options.aware().stream().sorted().toList())
            + " "
            + options.workers()
            + " "
            + options.closed()
            + options.retries()
            + options.fittedService());
    parts.add(requirements.toString());
    parts.forEach(part -> digest.update((part + "\n").getBytes(UTF_8)));
    for (RecordedCall call : calibration.recording().calls()) {
      digest.update((call.endedAtMillis() + " " + call.call() + "\n").getBytes(UTF_8));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** The verdict with its evidence, as a tree for JSON; a PASS holds limits and headroom. */
  public Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("verdict", verdict().word());
    tree.put("hash", hash());
    tree.put("version", CalibrationResult.VERSION);
    long[] period = calibration.period();
    tree.put("from", period == null ? null : Instant.ofEpochMilli(period[0]).toString());
    tree.put("to", period == null ? null : Instant.ofEpochMilli(period[1]).toString());
    tree.put("calls", calibration.demand().size());
    List<Object> list = new ArrayList<>();
    for (Check check : checks) {
      Map<String, @Nullable Object> one = new LinkedHashMap<>();
      one.put("requirement", check.requirement());
      one.put("verdict", check.verdict().word());
      one.put("evidence", check.evidence());
      one.put("next", check.next());
      list.add(one);
    }
    tree.put("requirements", list);
    if (verdict() == Verdict.PASS) {
      tree.put("limits", ConfigText.nested(calibration.candidate().last().paths()));
      tree.put("headroom", headroom());
    }
    return tree;
  }

  private Map<String, Object> headroom() {
    Map<String, Object> headroom = new LinkedHashMap<>();
    LimiterConfig config = calibration.candidate().last();
    room(headroom, "api_heavy", config.cluster());
    room(headroom, "es2_knn", config.es2Knn());
    calibration
        .demand()
        .tasks()
        .forEach(task -> room(headroom, "api_heavy_task." + task, config.perTask()));
    config.tiers().forEach((tier, limit) -> room(headroom, "tier." + tier, limit));
    return headroom;
  }

  private void room(Map<String, Object> headroom, String lane, int limit) {
    Estimate used = forecast.whole("lanes." + lane + ".p999");
    if (used.isKnown()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("limit", limit);
      one.put("p999", used.value());
      one.put("headroom", limit - used.value());
      headroom.put(lane, one);
    }
  }

  /** The verdict as plain text. */
  public String text() {
    StringBuilder out = new StringBuilder(verdict().word()).append('\n');
    for (Check check : checks) {
      out.append("  ").append(check.verdict().word()).append("  ").append(check.requirement());
      out.append(": ").append(check.evidence());
      out.append(check.next() == null ? "" : "; next: " + check.next()).append('\n');
    }
    if (verdict() == Verdict.PASS) {
      out.append("  limits: ")
          .append(Json.compact(ConfigText.nested(calibration.candidate().last().paths())))
          .append('\n');
      headroom()
          .forEach(
              (lane, room) ->
                  out.append("  headroom ")
                      .append(lane)
                      .append(": ")
                      .append(Json.compact(room))
                      .append('\n'));
    }
    return out.append("  bound to ").append(hash()).append('\n').toString();
  }
}
