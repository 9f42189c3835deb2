package org.capacityobservatory.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.capacityobservatory.log.CapacityCall;
import org.jspecify.annotations.Nullable;

/**
 * From a call to the names of the cells that it counts in.
 *
 * <p>Every name comes from a set that stays small; a value that no longer fits is named to the
 * listener and counted as {@link #OTHER}, while its row keeps it verbatim. Not safe for several
 * threads.
 */
public final class Dimensions {
  /** What stands for every value that has no cell of its own. */
  public static final String OTHER = "other";

  private static final int MORE_VALUES = 16;
  private static final int TASKS = 64;
  private static final int FULL_SETS = 64;
  private static final int ERROR_KINDS = 32;

  private static final Set<String> LANES =
      Set.of("api_heavy", "api_heavy_task", "es2_knn", "tier", "user");

  /** Hears of values that nobody foresaw. */
  public interface Listener {
    /** A value that this version doesn't know. */
    void unknown(String dimension, String value);

    /** A value for which there was no room left. */
    void overflowed(String dimension, String value);
  }

  private final MetricsConfig config;
  private final ClosedSet decisions;
  private final ClosedSet modes;
  private final ClosedSet endpoints;
  private final ClosedSet tiers;
  private final ClosedSet scopes;
  private final ClosedSet lanes;
  private final ClosedSet tasks;
  private final ClosedSet fullSets;
  private final ClosedSet errors;
  private final Map<List<String>, String> fullSetNames = new HashMap<>();
  private long nowMillis;

  /** Dimensions without any value yet. */
  public Dimensions(MetricsConfig config, Listener listener) {
    this.config = config;
    Listener overflowOnly =
        new Listener() {
          @Override
          public void unknown(String dimension, String value) {
            // Nobody knows these beforehand.
          }

          @Override
          public void overflowed(String dimension, String value) {
            listener.overflowed(dimension, value);
          }
        };
    Set<String> decisionWords = Set.of("admitted", "shadow-refused", "refused", "unavailable");
    decisions = new ClosedSet("decision", decisionWords, MORE_VALUES, listener);
    modes = new ClosedSet("mode", Set.of("shadow", "enforce"), MORE_VALUES, listener);
    endpoints = new ClosedSet("endpoint", Set.of("$match", "$rerank"), MORE_VALUES, listener);
    Set<String> tierWords = Set.of("staff", "core", "early_access", "preview");
    tiers = new ClosedSet("tier", tierWords, MORE_VALUES, listener);
    scopes = new ClosedSet("scope", LANES, MORE_VALUES, listener);
    lanes = new ClosedSet("full", Set.of(), MORE_VALUES, listener);
    tasks = new ClosedSet("task", Set.of(), TASKS, overflowOnly);
    fullSets = new ClosedSet("full_set", Set.of(), FULL_SETS, overflowOnly);
    errors = new ClosedSet("error", Set.of(), ERROR_KINDS, overflowOnly);
  }

  /** Tells the time, by which values that nobody brings any more make room; epoch ms. */
  public void setNow(long epochMillis) {
    nowMillis = epochMillis;
  }

  /** From which share of its limit a lane counts as near it. */
  public double nearLimitShare() {
    return config.nearLimitShare();
  }

  /** The cell of decisions that a call counts in. */
  public DecisionKey decision(CapacityCall call) {
    return new DecisionKey(
        decisions.admit(call.decision(), nowMillis),
        modes.admitted(call.mode(), nowMillis),
        call.enforced(),
        endpoints.admitted(call.endpoint(), nowMillis),
        call.singleRow(),
        tiers.admitted(call.tier(), nowMillis),
        scopes.admitted(call.scope(), nowMillis),
        config.requestSources().classOf(call.requestSource()));
  }

  /** The name of a call's task; null when the line didn't have it. */
  public @Nullable String task(CapacityCall call) {
    return tasks.admitted(call.task(), nowMillis);
  }

  /** The class of a call's algorithm; null when the line didn't have it. */
  public @Nullable String algorithmClass(CapacityCall call) {
    return config.algorithms().classOf(call.algorithmId());
  }

  /** The name under which a lane that this version doesn't know is counted. */
  String unknownLane(String word) {
    return lanes.admit(word, nowMillis);
  }

  /** The name of an error's kind; null when there was none. */
  public @Nullable String error(@Nullable String error) {
    return error == null ? null : errors.admit(ErrorKind.of(error), nowMillis);
  }

  /**
   * The name of a set of full lanes: known ones in the limiter's order, then others by name, with
   * {@code +} between; null when none was full.
   */
  public @Nullable String fullSet(List<String> full) {
    if (full.isEmpty()) {
      return null;
    }
    String name = fullSetNames.get(full);
    if (name == null) {
      name = nameOf(full);
      // There are few honest sets; dishonest ones mustn't fill the memory.
      if (fullSetNames.size() >= 4 * FULL_SETS) {
        fullSetNames.clear();
      }
      fullSetNames.put(full, name);
    }
    return fullSets.admit(name, nowMillis);
  }

  private static String nameOf(List<String> full) {
    Set<String> others = new TreeSet<>(full);
    List<String> ordered = new ArrayList<>();
    for (Lane lane : Lane.values()) {
      if (others.remove(lane.word())) {
        ordered.add(lane.word());
      }
    }
    ordered.addAll(others);
    return String.join("+", ordered);
  }
}
