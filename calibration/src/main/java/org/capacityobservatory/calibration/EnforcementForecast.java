package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a prediction says that lines written under enforcement will show: the share of attempts that
 * are refused, and the limits that calls will see.
 *
 * <p>Of attempts and not of calls, since lines can't join a refused attempt to its call.
 *
 * @param refusedShare refused attempts / attempts, 0 to 1, by group: {@code all}, {@code tier.core}
 * @param limits by lane ({@code api_heavy}, {@code api_heavy_task}, {@code es2_knn}, {@code
 *     tier.core}, {@code user.core}): the values that a call may see as its limit
 * @param enforceFor whom it assumes enforcement for: {@code all} or {@code aware}
 * @param program name and version of the program that predicted
 */
public record EnforcementForecast(
    SortedMap<String, Estimate> refusedShare,
    SortedMap<String, Set<Integer>> limits,
    String enforceFor,
    String program) {
  /** The group of all calls. */
  public static final String ALL = "all";

  /** Keeps its own copies. */
  public EnforcementForecast {
    refusedShare = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(refusedShare));
    limits = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(limits));
  }

  /**
   * Reads a prediction.
   *
   * @param predictedJson what {@code capacity calibrate --format json} wrote
   * @throws InvalidConfigException naming all that is missing in it
   */
  public static EnforcementForecast of(String predictedJson) {
    PredictedJson json = PredictedJson.parse(predictedJson);
    List<String> problems = new ArrayList<>();
    SortedMap<String, Estimate> shares = new TreeMap<>();
    put(shares, ALL, json, "predicted");
    if (json.at("predicted.by.tier") instanceof Map<?, ?> tiers) {
      tiers.keySet().forEach(t -> put(shares, "tier." + t, json, "predicted.by.tier." + t));
    }
    if (!shares.containsKey(ALL)) {
      problems.add("predicted.refused_attempts and predicted.attempts are missing");
    }
    SortedMap<String, Set<Integer>> limits = limits(json.at("config.asked"));
    if (limits.isEmpty()) {
      problems.add("config.asked is missing: without its limits nothing can be held against it");
    }
    if (!problems.isEmpty()) {
      throw new InvalidConfigException(problems);
    }
    return new EnforcementForecast(
        shares,
        limits,
        word(json.at("assumptions.enforce_for")),
        (word(json.at("program.name")) + " " + word(json.at("program.version"))).strip());
  }

  private static String word(@Nullable Object at) {
    return at instanceof String text ? text : "";
  }

  private static void put(
      Map<String, Estimate> shares, String group, PredictedJson json, String path) {
    Estimate refused = json.figure(path + "." + Metric.REFUSED_ATTEMPTS.path());
    double through = json.figure(path + "." + Metric.ATTEMPTS.path()).value() - refused.value();
    double value = share(refused.value(), through);
    if (!Double.isNaN(value)) {
      shares.put(
          group,
          new Estimate(value, share(refused.low(), through), share(refused.high(), through)));
    }
  }

  /** What gets through is the demand's; the refusals around it are what is uncertain. */
  private static double share(double refused, double through) {
    return refused / (refused + through);
  }

  private static SortedMap<String, Set<Integer>> limits(@Nullable Object asked) {
    SortedMap<String, Set<Integer>> limits = new TreeMap<>();
    if (asked instanceof Map<?, ?> config) {
      LimiterConfig read = LimiterConfig.starting().with(ConfigText.flat(ConfigText.named(config)));
      int cluster = read.cluster();
      // Calls that aren't single-row see the cluster limit less the reserve.
      limits.put("api_heavy", new TreeSet<>(Set.of(cluster)));
      limits.get("api_heavy").add(cluster - read.reserveSingleRow());
      limits.put("api_heavy_task", Set.of(read.perTask()));
      limits.put("es2_knn", Set.of(read.es2Knn()));
      tiered(limits, "tier.", config.get("tiers"));
      tiered(limits, "user.", config.get("per_user"));
    }
    return limits;
  }

  private static void tiered(
      Map<String, Set<Integer>> limits, String prefix, @Nullable Object byTier) {
    if (byTier instanceof Map<?, ?> tiers) {
      tiers.forEach(
          (tier, limit) -> {
            if (limit instanceof Integer number) {
              limits.put(prefix + tier, Set.of(number));
            }
          });
    }
  }
}
