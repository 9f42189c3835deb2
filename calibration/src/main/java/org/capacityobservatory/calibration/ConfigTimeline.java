package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.capacityobservatory.log.CapacityCall;
import org.jspecify.annotations.Nullable;

/**
 * The config in force over a recording, step by step.
 *
 * @param steps at least one; the first holds from the beginning
 * @param assumed paths that no line told: their values are the starting config's
 * @param unannounced steps that the lines' limits show and no change line announced
 */
public record ConfigTimeline(List<Step> steps, List<String> assumed, int unannounced) {
  /** Each API process picks a change up within this; so long both configs log. */
  static final long PICK_UP_MILLIS = 10_000;

  /**
   * A config from a time on.
   *
   * @param fromMillis epoch ms
   */
  public record Step(long fromMillis, LimiterConfig config) {}

  /** Copies the lists. */
  public ConfigTimeline {
    steps = List.copyOf(steps);
    assumed = List.copyOf(assumed);
  }

  /** The config at the end. */
  public LimiterConfig last() {
    return steps.get(steps.size() - 1).config();
  }

  /** The same steps with values laid over each of them. */
  public ConfigTimeline with(Map<String, Object> changes) {
    List<Step> changed = new ArrayList<>();
    for (Step step : steps) {
      LimiterConfig config = step.config().with(changes);
      if (changed.isEmpty() || !changed.get(changed.size() - 1).config().equals(config)) {
        changed.add(new Step(step.fromMillis(), config));
      }
    }
    return new ConfigTimeline(changed, assumed, unannounced);
  }

  /** Reads the config from a recording's change lines and from the limits in its calls. */
  static ConfigTimeline of(Recording recording) {
    return new Reader(recording).read();
  }

  private static final class Reader {
    private final Recording recording;
    private final Map<String, Object> base = new LinkedHashMap<>();
    private final TreeMap<Long, Map<String, Object>> announced = new TreeMap<>();

    Reader(Recording recording) {
      this.recording = recording;
    }

    ConfigTimeline read() {
      for (RecordedChange change : recording.changes()) {
        readChange(change);
      }
      int unannounced = readLimits();
      List<String> assumed = new ArrayList<>();
      LimiterConfig starting = LimiterConfig.starting();
      starting.paths().keySet().stream()
          .filter(path -> !base.containsKey(path))
          .forEach(assumed::add);
      List<Step> steps = new ArrayList<>();
      // Reserve and cluster move together: laid over the starting config one by one they could
      // break a rule on the way that the whole keeps.
      LimiterConfig config = starting.with(base);
      steps.add(new Step(Long.MIN_VALUE, config));
      for (Map.Entry<Long, Map<String, Object>> step : announced.entrySet()) {
        LimiterConfig next = lenient(config, step.getValue());
        if (!next.equals(config)) {
          steps.add(new Step(step.getKey(), next));
          config = next;
        }
      }
      return new ConfigTimeline(steps, assumed, unannounced);
    }

    private static LimiterConfig lenient(LimiterConfig config, Map<String, Object> changes) {
      try {
        return config.with(changes);
      } catch (InvalidConfigException e) {
        return config;
      }
    }

    private void readChange(RecordedChange recorded) {
      Map<String, Object> changes = new LinkedHashMap<>();
      ConfigText.tree(recorded.change().changes())
          .forEach(
              (path, value) -> {
                if (value instanceof List<?> pair && pair.size() == 2 && isKnown(path)) {
                  Object before = pair.get(0);
                  Object after = pair.get(1);
                  if (before != null) {
                    base.putIfAbsent(path, before);
                  }
                  if (after != null) {
                    changes.put(path, after);
                  }
                }
              });
      announced.merge(
          recorded.atMillis(),
          changes,
          (one, two) -> {
            one.putAll(two);
            return one;
          });
    }

    private static boolean isKnown(String path) {
      return LimiterConfig.starting().paths().containsKey(path)
          || path.startsWith(LimiterConfig.TIERS)
          || path.startsWith(LimiterConfig.PER_USER);
    }

    /** Compares each line's limits with what is in force, and adds the steps that are missing. */
    private int readLimits() {
      List<RecordedCall> byArrival = new ArrayList<>(recording.calls());
      byArrival.sort(java.util.Comparator.comparingLong(RecordedCall::acquiredAtMillis));
      Reserve reserve = new Reserve();
      int unannounced = 0;
      for (RecordedCall recorded : byArrival) {
        reserve.see(recorded.call());
        for (Map.Entry<String, Object> seen : limitsOf(recorded.call()).entrySet()) {
          String path = seen.getKey();
          if (!base.containsKey(path)) {
            base.put(path, seen.getValue());
          } else if (!inForce(path, recorded.acquiredAtMillis(), seen.getValue())) {
            announced
                .computeIfAbsent(recorded.acquiredAtMillis(), at -> new LinkedHashMap<>())
                .put(path, seen.getValue());
            unannounced++;
          }
        }
      }
      readReserve(reserve);
      readEnforceFor();
      return unannounced;
    }

    private void readReserve(Reserve reserve) {
      int assumed = LimiterConfig.starting().reserveSingleRow();
      Integer told = reserve.mostFrequent();
      if (told != null) {
        base.putIfAbsent(LimiterConfig.RESERVE, told);
      } else if (reserve.batchLimit != null) {
        // Batches alone show cluster − reserve; the starting reserve is assumed.
        int most = LimiterConfig.MAX_LIMIT;
        base.putIfAbsent(LimiterConfig.CLUSTER, Math.min(most, reserve.batchLimit + assumed));
      } else if (base.get(LimiterConfig.CLUSTER) instanceof Integer cluster && cluster < assumed) {
        base.putIfAbsent(LimiterConfig.RESERVE, cluster);
      }
    }

    private void readEnforceFor() {
      boolean enforced = false;
      boolean passed = false;
      for (RecordedCall recorded : recording.calls()) {
        Boolean flag = recorded.call().enforced();
        if ("enforce".equals(recorded.call().mode()) && flag != null) {
          enforced |= flag;
          passed |= !flag;
        }
      }
      if (enforced || passed) {
        base.putIfAbsent(LimiterConfig.ENFORCE_FOR, passed ? "aware" : "all");
      }
    }

    private boolean inForce(String path, long atMillis, Object value) {
      Object current = base.get(path);
      boolean found = value.equals(current);
      for (Map.Entry<Long, Map<String, Object>> step : announced.entrySet()) {
        // A little ahead too: the change's line may come after the first call that it governs.
        if (step.getKey() > atMillis + PICK_UP_MILLIS) {
          break;
        }
        Object next = step.getValue().get(path);
        if (next != null) {
          if (step.getKey() < atMillis - PICK_UP_MILLIS) {
            found = false;
          }
          current = next;
          found |= value.equals(current);
        }
      }
      return found;
    }

    /** Single-row calls see the cluster's limit, all others see it less the reserve. */
    private static final class Reserve {
      private final TreeMap<Integer, Integer> differences = new TreeMap<>();
      private @Nullable Integer singleLimit;
      private @Nullable Integer batchLimit;

      void see(CapacityCall call) {
        Long limit = call.limit();
        if (limit == null) {
          return;
        }
        if (RecordedCall.is(call.singleRow())) {
          singleLimit = limit.intValue();
        } else {
          batchLimit = limit.intValue();
        }
        Integer single = singleLimit;
        Integer batch = batchLimit;
        if (single != null && batch != null && single >= batch) {
          differences.merge(single - batch, 1, Integer::sum);
        }
      }

      /** While a change spreads the two limits belong to two configs, so the most seen counts. */
      @Nullable Integer mostFrequent() {
        return differences.entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse(null);
      }
    }

    private static Map<String, Object> limitsOf(CapacityCall call) {
      Map<String, Object> limits = new LinkedHashMap<>();
      Long limit = call.limit();
      if (limit != null && RecordedCall.is(call.singleRow())) {
        limits.put(LimiterConfig.CLUSTER, (int) Math.min(limit, LimiterConfig.MAX_LIMIT));
      }
      put(limits, LimiterConfig.PER_TASK, call.taskLimit());
      put(limits, LimiterConfig.ES2_KNN, call.es2KnnLimit());
      if (call.tier() != null) {
        put(limits, LimiterConfig.TIERS + call.tier(), call.tierLimit());
        put(limits, LimiterConfig.PER_USER + call.tier(), call.userLimit());
      }
      String mode = call.mode();
      if ("shadow".equals(mode) || "enforce".equals(mode)) {
        limits.put(LimiterConfig.MODE, mode);
      }
      return limits;
    }

    private static void put(Map<String, Object> limits, String path, @Nullable Long value) {
      if (value != null && value <= LimiterConfig.MAX_LIMIT) {
        limits.put(path, value.intValue());
      }
    }
  }
}
