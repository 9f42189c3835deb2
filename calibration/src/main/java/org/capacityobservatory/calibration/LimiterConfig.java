package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The limiter's config: limits are calls in flight, times are seconds (docs/lines.md, "The
 * limiter's rules").
 *
 * <p>Dotted paths name the values as the limiter's own change lines do ({@code tiers.preview},
 * {@code api_heavy.cluster}); the nested form is the limiter's PATCH body.
 *
 * @param cluster lane {@code api_heavy}; calls that aren't single-row see cluster − reserve
 * @param perTask lane {@code api_heavy_task}
 * @param es2Knn lane {@code es2_knn}
 * @param reserveSingleRow cluster slots kept for single-row calls, at most {@code cluster}
 * @param tiers lane "tier", by plan; a plan that isn't here has no such lane
 * @param perUser lane "user", by the plan of the user
 * @param leaseSeconds a lease that isn't renewed is gone after this; at least 15
 * @param renewSeconds between renewals; 1 … lease/3
 * @param maxHoldSeconds no renewal after this; at least the lease
 * @param retryBase seconds for each call ahead; at least 1
 * @param retryMax seconds at most; at least the base
 * @param retryPaused seconds while a full lane's limit is 0; at least 1
 * @param mode {@code off}, {@code shadow} or {@code enforce}
 * @param enforceFor {@code all} or {@code aware}
 */
public record LimiterConfig(
    int cluster,
    int perTask,
    int es2Knn,
    int reserveSingleRow,
    Map<String, Integer> tiers,
    Map<String, Integer> perUser,
    int leaseSeconds,
    int renewSeconds,
    int maxHoldSeconds,
    int retryBase,
    int retryMax,
    int retryPaused,
    String mode,
    String enforceFor) {
  /** The highest value of a limit. */
  public static final int MAX_LIMIT = 100_000;

  static final String CLUSTER = "api_heavy.cluster";
  static final String PER_TASK = "api_heavy.per_task";
  static final String ES2_KNN = "es2_knn";
  static final String RESERVE = "reserve_single_row";
  static final String TIERS = "tiers.";
  static final String PER_USER = "per_user.";
  static final String MODE = "mode";
  static final String ENFORCE_FOR = "enforce_for";

  /** Sorts the maps and checks the rules, all at once. */
  public LimiterConfig {
    tiers = sorted(tiers);
    perUser = sorted(perUser);
    List<String> problems = new ArrayList<>();
    check(problems, CLUSTER, cluster, 0, MAX_LIMIT);
    check(problems, PER_TASK, perTask, 0, MAX_LIMIT);
    check(problems, ES2_KNN, es2Knn, 0, MAX_LIMIT);
    check(problems, RESERVE, reserveSingleRow, 0, Math.min(MAX_LIMIT, Math.max(cluster, 0)));
    tiers.forEach((tier, limit) -> check(problems, TIERS + tier, limit, 0, MAX_LIMIT));
    perUser.forEach((tier, limit) -> check(problems, PER_USER + tier, limit, 0, MAX_LIMIT));
    check(problems, "lease_seconds", leaseSeconds, 15, MAX_LIMIT);
    check(problems, "renew_seconds", renewSeconds, 1, Math.max(1, leaseSeconds / 3));
    check(problems, "max_hold_seconds", maxHoldSeconds, Math.max(15, leaseSeconds), MAX_LIMIT);
    check(problems, "retry_after.base", retryBase, 1, MAX_LIMIT);
    check(problems, "retry_after.max", retryMax, Math.max(1, retryBase), MAX_LIMIT);
    check(problems, "retry_after.paused", retryPaused, 1, MAX_LIMIT);
    word(problems, MODE, mode, List.of("off", "shadow", "enforce"));
    word(problems, ENFORCE_FOR, enforceFor, List.of("all", "aware"));
    if (!problems.isEmpty()) {
      throw new InvalidConfigException(problems);
    }
  }

  /** The config that the limiter starts with. */
  public static LimiterConfig starting() {
    return new LimiterConfig(
        4,
        2,
        3,
        1,
        Map.of("staff", 4, "core", 4, "early_access", 3, "preview", 2),
        Map.of("staff", 4, "core", 3, "early_access", 2, "preview", 1),
        60,
        20,
        900,
        5,
        30,
        120,
        "shadow",
        "aware");
  }

  /**
   * This config with some values changed.
   *
   * @param changes dotted path to an int or a word
   * @throws InvalidConfigException naming every unknown path, wrong type and broken rule
   */
  public LimiterConfig with(Map<String, Object> changes) {
    Map<String, Object> values = new LinkedHashMap<>(paths());
    List<String> problems = new ArrayList<>();
    changes.forEach(
        (path, value) -> {
          String problem = problemOf(path, value);
          if (problem == null) {
            values.put(path, value);
          } else {
            problems.add(problem);
          }
        });
    if (!problems.isEmpty()) {
      throw new InvalidConfigException(problems);
    }
    return ofPaths(values);
  }

  private @Nullable String problemOf(String path, Object value) {
    boolean tiered =
        (path.startsWith(TIERS) && path.length() > TIERS.length())
            || (path.startsWith(PER_USER) && path.length() > PER_USER.length());
    Object now = paths().get(path);
    if (now == null && !tiered) {
      return path
          + " isn't a value of the limiter's config; there are "
          + String.join(", ", paths().keySet());
    }
    boolean wantsWord = now instanceof String;
    if (wantsWord != (value instanceof String) || !(wantsWord || value instanceof Integer)) {
      return path + " must be " + (wantsWord ? "a word" : "a whole number") + ", not " + value;
    }
    return null;
  }

  /** Every value by its dotted path, in the limiter's order. */
  public Map<String, Object> paths() {
    Map<String, Object> paths = new LinkedHashMap<>();
    paths.put(MODE, mode);
    paths.put(ENFORCE_FOR, enforceFor);
    paths.put(CLUSTER, cluster);
    paths.put(PER_TASK, perTask);
    paths.put(ES2_KNN, es2Knn);
    paths.put(RESERVE, reserveSingleRow);
    tiers.forEach((tier, limit) -> paths.put(TIERS + tier, limit));
    perUser.forEach((tier, limit) -> paths.put(PER_USER + tier, limit));
    paths.put("lease_seconds", leaseSeconds);
    paths.put("renew_seconds", renewSeconds);
    paths.put("max_hold_seconds", maxHoldSeconds);
    paths.put("retry_after.base", retryBase);
    paths.put("retry_after.max", retryMax);
    paths.put("retry_after.paused", retryPaused);
    return paths;
  }

  /** The values by which this differs from another config, as dotted paths. */
  public Map<String, Object> changesFrom(LimiterConfig other) {
    Map<String, Object> before = other.paths();
    Map<String, Object> changes = new LinkedHashMap<>();
    paths()
        .forEach(
            (path, value) -> {
              if (!value.equals(before.get(path))) {
                changes.put(path, value);
              }
            });
    return changes;
  }

  private static LimiterConfig ofPaths(Map<String, Object> v) {
    Map<String, Integer> tiers = new TreeMap<>();
    Map<String, Integer> perUser = new TreeMap<>();
    v.forEach(
        (path, value) -> {
          if (path.startsWith(TIERS)) {
            tiers.put(path.substring(TIERS.length()), (Integer) value);
          } else if (path.startsWith(PER_USER)) {
            perUser.put(path.substring(PER_USER.length()), (Integer) value);
          }
        });
    return new LimiterConfig(
        number(v, CLUSTER),
        number(v, PER_TASK),
        number(v, ES2_KNN),
        number(v, RESERVE),
        tiers,
        perUser,
        number(v, "lease_seconds"),
        number(v, "renew_seconds"),
        number(v, "max_hold_seconds"),
        number(v, "retry_after.base"),
        number(v, "retry_after.max"),
        number(v, "retry_after.paused"),
        String.valueOf(v.get(MODE)),
        String.valueOf(v.get(ENFORCE_FOR)));
  }

  private static int number(Map<String, Object> values, String path) {
    return values.get(path) instanceof Integer number ? number : 0;
  }

  private static Map<String, Integer> sorted(Map<String, Integer> map) {
    return java.util.Collections.unmodifiableMap(new TreeMap<>(map));
  }

  private static void check(List<String> problems, String path, int value, int min, int max) {
    if (value < min || value > max) {
      problems.add(path + " must be " + min + " to " + max + ", not " + value);
    }
  }

  private static void word(List<String> problems, String path, String value, List<String> words) {
    if (!words.contains(value)) {
      problems.add(path + " must be one of " + String.join(", ", words) + ", not " + value);
    }
  }
}
