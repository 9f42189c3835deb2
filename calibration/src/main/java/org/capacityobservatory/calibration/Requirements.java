package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What must hold before a config may be enforced: read from YAML, every problem told at once.
 *
 * @param minHours length that the evidence must have at least
 * @param weeklyPeak whether it must cover a whole week, and so a weekly peak
 * @param completenessMin least share of the limiter's lines that were read
 * @param unavailableShareMax most calls that went by an unavailable limiter
 * @param awareShareMin least share of calls from clients that know 429s
 * @param tiers by protected tier, most calls refused at least once
 * @param singleRowRefusedMax most single-row calls refused at least once
 * @param allowanceUsedMax most attempts of one user in a day
 * @param constraints further bounds on the prediction
 * @param acceptedHoles findings by code that the signer accepts
 */
public record Requirements(
    @Nullable Double minHours,
    boolean weeklyPeak,
    @Nullable Double completenessMin,
    @Nullable Double unavailableShareMax,
    @Nullable Double awareShareMin,
    Map<String, Double> tiers,
    @Nullable Double singleRowRefusedMax,
    @Nullable Double allowanceUsedMax,
    List<Constraint> constraints,
    List<String> acceptedHoles) {
  private static final List<String> KEYS =
      List.of(
          "min_hours",
          "weekly_peak",
          "completeness_min",
          "unavailable_share_max",
          "aware_share_min",
          "protected_tiers",
          "single_row_refused_share_max",
          "allowance_used_max",
          "constraints",
          "accept_holes");

  /** Copies the collections. */
  public Requirements {
    tiers = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(tiers));
    constraints = List.copyOf(constraints);
    acceptedHoles = List.copyOf(acceptedHoles);
  }

  /**
   * Reads requirements.
   *
   * @throws InvalidConfigException naming every unknown key and wrong value
   */
  public static Requirements parse(String yaml) {
    Map<String, Object> tree = ConfigText.tree(yaml);
    List<String> problems = new ArrayList<>();
    for (String key : tree.keySet()) {
      if (!KEYS.contains(key)) {
        problems.add(key + " is no requirement; there are " + String.join(", ", KEYS));
      }
    }
    if (tree.isEmpty()) {
      problems.add("no requirement at all; there are " + String.join(", ", KEYS));
    }
    List<Constraint> constraints = new ArrayList<>();
    Object list = tree.get("constraints");
    if (list instanceof List<?> items) {
      try {
        constraints.addAll(Constraint.ofItems(items));
      } catch (InvalidConfigException e) {
        problems.addAll(e.problems());
      }
    } else if (list != null) {
      problems.add("constraints must be a list such as [\"wait_s.p95 <= 60\"]");
    }
    List<String> holes = new ArrayList<>();
    if (tree.get("accept_holes") instanceof List<?> items) {
      items.forEach(item -> holes.add(String.valueOf(item)));
    } else if (tree.get("accept_holes") != null) {
      problems.add("accept_holes must be a list of codes of findings");
    }
    Requirements requirements =
        new Requirements(
            number(tree, "min_hours", problems),
            flag(tree, "weekly_peak", problems),
            number(tree, "completeness_min", problems),
            number(tree, "unavailable_share_max", problems),
            number(tree, "aware_share_min", problems),
            tiers(tree, problems),
            number(tree, "single_row_refused_share_max", problems),
            number(tree, "allowance_used_max", problems),
            constraints,
            holes);
    if (!problems.isEmpty()) {
      throw new InvalidConfigException(problems);
    }
    return requirements;
  }

  private static Map<String, Double> tiers(Map<String, Object> tree, List<String> problems) {
    Map<String, Double> tiers = new LinkedHashMap<>();
    Object value = tree.get("protected_tiers");
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> named = ConfigText.named(map);
      for (String tier : named.keySet()) {
        Double most = number(named, tier, problems);
        if (most != null) {
          tiers.put(tier, most);
        }
      }
    } else if (value != null) {
      problems.add("protected_tiers must be TIER: SHARE, such as {staff: 0.05}");
    }
    return tiers;
  }

  private static @Nullable Double number(
      Map<String, Object> tree, String key, List<String> problems) {
    Object value = tree.get(key);
    if (value == null) {
      return null;
    }
    if (value instanceof Number number && number.doubleValue() >= 0) {
      return number.doubleValue();
    }
    problems.add(key + " must be a number of 0 or more, not " + value);
    return null;
  }

  private static boolean flag(Map<String, Object> tree, String key, List<String> problems) {
    Object value = tree.get(key);
    if (value == null || value instanceof Boolean) {
      return Boolean.TRUE.equals(value);
    }
    problems.add(key + " must be true or false, not " + value);
    return false;
  }
}
