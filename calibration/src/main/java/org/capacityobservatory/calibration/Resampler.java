package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws another demand that could as well have come: whole runs and whole sessions, with
 * replacement, each in place of one of the same kind, tier and about the same size; never cut by
 * time.
 *
 * <p>A drawn unit keeps its times and its calls, and belongs to the user in whose place it comes.
 * Strata of size hold the amount of demand where it was: how much came is known, and what the
 * interval asks is how far the answer hangs on which calls came together.
 */
final class Resampler {
  /** Units of about the same size that stand in for one another. */
  private static final int STRATUM = 4;

  private final Demand d;
  private final int[] firstCallOfUnit;
  private final int[] callsByUnit;
  private final int[] poolOfUnit;
  private final List<int[]> pools = new ArrayList<>();

  Resampler(Demand demand) {
    d = demand;
    firstCallOfUnit = new int[d.units + 1];
    for (int unit : d.unit) {
      firstCallOfUnit[unit + 1]++;
    }
    for (int u = 0; u < d.units; u++) {
      firstCallOfUnit[u + 1] += firstCallOfUnit[u];
    }
    int[] next = firstCallOfUnit.clone();
    callsByUnit = new int[d.calls];
    for (int c = 0; c < d.calls; c++) {
      callsByUnit[next[d.unit[c]]++] = c;
    }
    poolOfUnit = new int[d.units];
    Map<String, List<Integer>> byKind = new TreeMap<>();
    for (int u = 0; u < d.units; u++) {
      int call = callsByUnit[firstCallOfUnit[u]];
      String kind =
          d.tier[call] + (d.stage[call] == Demand.NONE ? " session " + d.source[call] : " run");
      byKind.computeIfAbsent(kind, k -> new ArrayList<>()).add(u);
    }
    byKind.values().forEach(this::addStrata);
  }

  private void addStrata(List<Integer> alike) {
    alike.sort(Comparator.<Integer>comparingInt(this::sizeOf).thenComparing(u -> u));
    int strata = Math.max(1, alike.size() / STRATUM);
    for (int s = 0; s < strata; s++) {
      List<Integer> stratum =
          alike.subList(share(alike.size(), s, strata), share(alike.size(), s + 1, strata));
      stratum.forEach(u -> poolOfUnit[u] = pools.size());
      pools.add(stratum.stream().mapToInt(u -> u).toArray());
    }
  }

  /** The first {@code part} of {@code of} equal parts; the product passes an int. */
  private static int share(int size, int part, int of) {
    return (int) ((long) size * part / of);
  }

  private int sizeOf(int unit) {
    return firstCallOfUnit[unit + 1] - firstCallOfUnit[unit];
  }

  /** The demand of one draw. */
  Demand draw(long seed) {
    int[] drawn = new int[d.units];
    int calls = 0;
    for (int u = 0; u < d.units; u++) {
      int[] pool = pools.get(poolOfUnit[u]);
      drawn[u] = pool[(int) (Draws.uniform(seed, u, 0) * pool.length)];
      calls += firstCallOfUnit[drawn[u] + 1] - firstCallOfUnit[drawn[u]];
    }
    return new Copy(calls, drawn).build();
  }

  /** Copies the drawn units one after another into a new demand. */
  private final class Copy {
    private final DemandDraft to;
    private final int[] drawn;
    private final List<Integer> stageFrom = new ArrayList<>();
    private final List<int[]> stageCalls = new ArrayList<>();
    private final List<Integer> stageRun = new ArrayList<>();
    private final List<Long> spans = new ArrayList<>();

    Copy(int calls, int[] drawn) {
      to = new DemandDraft(calls);
      this.drawn = drawn;
      to.names = d.names;
      to.service = d.service;
      to.dealsInTurn = d.dealsInTurn;
    }

    Demand build() {
      int at = 0;
      Map<Integer, Integer> place = new HashMap<>();
      for (int slot = 0; slot < drawn.length; slot++) {
        place.clear();
        int user = d.user[callsByUnit[firstCallOfUnit[slot]]];
        for (int i = firstCallOfUnit[drawn[slot]]; i < firstCallOfUnit[drawn[slot] + 1]; i++) {
          int from = callsByUnit[i];
          copy(from, at, user, slot);
          place.put(from, at++);
        }
        tie(place);
      }
      to.units = drawn.length;
      to.tabs = drawn.length;
      to.runSpanMicros = spans.stream().mapToLong(l -> l).toArray();
      to.stages = stages();
      return new Demand(to);
    }

    private void copy(int from, int at, int user, int slot) {
      to.tier[at] = d.tier[from];
      to.user[at] = user;
      to.endpoint[at] = d.endpoint[from];
      to.source[at] = d.source[from];
      to.stretchClass[at] = d.stretchClass[from];
      to.recordedTask[at] = d.recordedTask[from];
      to.rows[at] = d.rows[from];
      to.singleRow[at] = d.singleRow[from];
      to.knn[at] = d.knn[from];
      to.match[at] = d.match[from];
      to.tab[at] = d.tab[from] == Demand.NONE ? Demand.NONE : slot;
      to.baseMicros[at] = d.baseMicros[from];
      to.heldMicros[at] = d.heldMicros[from];
      to.recordedConcurrency[at] = d.recordedConcurrency[from];
      to.earliest[at] = d.earliest[from];
      to.latest[at] = d.latest[from];
      to.follower[at] = d.follower[from];
      to.thinkLow[at] = d.thinkLow[from];
      to.thinkHigh[at] = d.thinkHigh[from];
      to.unit[at] = slot;
    }

    /** Stages and links of the unit just copied. */
    private void tie(Map<Integer, Integer> place) {
      Map<Integer, Integer> newStage = new HashMap<>();
      int before = stageCalls.size();
      place.keySet().stream()
          .sorted()
          .forEach(
              from -> {
                int stage = d.stage[from];
                if (stage != Demand.NONE && !newStage.containsKey(stage)) {
                  newStage.put(stage, stageCalls.size());
                  stageFrom.add(stage);
                  stageRun.add(spans.size());
                  int first = d.stages.first()[stage];
                  int[] calls = new int[d.stages.first()[stage + 1] - first];
                  for (int i = 0; i < calls.length; i++) {
                    calls[i] = at(place, d.stages.order()[first + i]);
                  }
                  stageCalls.add(calls);
                }
              });
      if (stageCalls.size() > before) {
        spans.add(d.runSpanMicros[d.stages.run()[stageFrom.get(before)]]);
      }
      place.forEach(
          (from, at) -> {
            to.stage[at] = newStage.getOrDefault(d.stage[from], Demand.NONE);
            to.link[at] = d.link[from] == Demand.NONE ? Demand.NONE : at(place, d.link[from]);
          });
    }

    private static int at(Map<Integer, Integer> place, int call) {
      Integer at = place.get(call);
      if (at == null) {
        throw new IllegalStateException("A run reaches beyond its unit");
      }
      return at;
    }

    private Demand.Stages stages() {
      int count = stageCalls.size();
      int[] first = new int[count + 1];
      for (int s = 0; s < count; s++) {
        first[s + 1] = first[s] + stageCalls.get(s).length;
      }
      int[] order = new int[first[count]];
      int[] width = new int[count];
      boolean[] linked = new boolean[count];
      int[] run = new int[count];
      double[] mean = new double[count];
      for (int s = 0; s < count; s++) {
        int from = stageFrom.get(s);
        System.arraycopy(stageCalls.get(s), 0, order, first[s], stageCalls.get(s).length);
        width[s] = d.stages.width()[from];
        linked[s] = d.stages.linked()[from];
        run[s] = stageRun.get(s);
        mean[s] = d.stages.meanThinkMicros()[from];
      }
      return new Demand.Stages(first, order, width, linked, run, mean);
    }
  }
}
