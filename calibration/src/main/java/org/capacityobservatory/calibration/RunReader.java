package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes closed loops of runs: what each run keeps in flight, which call waits for which, and how
 * long the client thinks in between; all from overlaps.
 *
 * <p>A run's calls to one endpoint are a stage. A stage's width is the least that its overlaps
 * prove: before the i-th call at least i − width + 1 calls had ended, even if each call was sent as
 * late as it can have been. A stage with no more calls than another, whose k-th call never comes
 * before the other's k-th end, waits for those ends (a rerank follows its batch); any other stage
 * only follows itself.
 */
final class RunReader {
  /** Ends are cut to the ms and come through another clock's hands. */
  private static final long TOLERANCE_MICROS = 20_000;

  private static final int BATCHES = 5;
  private static final int PREVIEW_BATCHES = 2;
  private static final int RERANKS = 2;

  /** The share of a stage's calls that may seem to come before what they wait for. */
  private static final double OUT_OF_ORDER = 0.1;

  private final DemandDraft d;
  private final long[] ended;
  private final List<int[]> stageCalls = new ArrayList<>();
  private final List<Integer> width = new ArrayList<>();
  private final List<Boolean> linked = new ArrayList<>();
  private final List<Integer> run = new ArrayList<>();

  RunReader(DemandDraft draft, long[] endedMicros) {
    this.d = draft;
    this.ended = endedMicros;
  }

  /** Takes the calls of one run. */
  void add(int runIndex, int[] calls) {
    Map<Integer, List<Integer>> byEndpoint = new TreeMap<>();
    for (int call : calls) {
      byEndpoint.computeIfAbsent(d.endpoint[call], e -> new ArrayList<>()).add(call);
    }
    List<int[]> stages = new ArrayList<>();
    byEndpoint.values().forEach(list -> stages.add(inSendingOrder(list)));
    // The stage that starts first leads; of two that start together the longer one.
    stages.sort(
        Comparator.<int[]>comparingLong(stage -> d.latest[stage[0]])
            .thenComparing(stage -> -stage.length));
    int[] lead = stages.get(0);
    addStage(runIndex, lead, null);
    for (int[] stage : stages.subList(1, stages.size())) {
      addStage(runIndex, stage, leaders(lead, stage));
    }
  }

  /** Calls of one second are told apart by when they began. */
  private int[] inSendingOrder(List<Integer> calls) {
    return calls.stream()
        .sorted(
            Comparator.<Integer>comparingLong(c -> d.latest[c])
                .thenComparingLong(c -> d.earliest[c])
                .thenComparing(c -> c))
        .mapToInt(c -> c)
        .toArray();
  }

  /** What Auto Match never passes, whatever late lines make it look like. */
  private int ruledWidth(int call, boolean isLinked) {
    if (!d.names.sources().get(d.source[call]).startsWith("automatch")) {
      return Integer.MAX_VALUE;
    }
    boolean preview = d.names.tiers().get(d.tier[call]).equals("preview");
    return isLinked ? RERANKS : preview ? PREVIEW_BATCHES : BATCHES;
  }

  private void addStage(int runIndex, int[] calls, int @org.jspecify.annotations.Nullable [] from) {
    int index = stageCalls.size();
    stageCalls.add(calls);
    run.add(runIndex);
    linked.add(from != null);
    long[] ends = endsOf(calls);
    Arrays.sort(ends);
    int wide = 1;
    for (int i = 0; i < calls.length; i++) {
      wide = Math.max(wide, i - endedBy(ends, d.latest[calls[i]] + TOLERANCE_MICROS) + 1);
    }
    wide = Math.min(wide, ruledWidth(calls[0], from != null));
    width.add(wide);
    for (int i = 0; i < calls.length; i++) {
      int call = calls[i];
      d.stage[call] = index;
      long after = i >= wide ? ends[i - wide] : Long.MIN_VALUE;
      if (from != null) {
        d.link[from[i]] = call;
        after = Math.max(after, ended[from[i]]);
      }
      if (after != Long.MIN_VALUE) {
        d.follower[call] = true;
        d.thinkLow[call] = Math.max(0, d.earliest[call] - after);
        d.thinkHigh[call] = Math.max(d.thinkLow[call], d.latest[call] - after);
      }
    }
  }

  /** For each call of a stage the leading call whose end it waits for; null when it waits not. */
  private int @org.jspecify.annotations.Nullable [] leaders(int[] lead, int[] stage) {
    if (stage.length > lead.length) {
      return null;
    }
    Integer[] byEnd = Arrays.stream(lead).boxed().toArray(Integer[]::new);
    Arrays.sort(byEnd, Comparator.<Integer>comparingLong(c -> ended[c]).thenComparing(c -> c));
    int[] leaders = new int[stage.length];
    int early = 0;
    int next = lead.length - 1;
    for (int k = stage.length - 1; k >= 0; k--) {
      // With as many as leading calls the k-th follows the k-th; with fewer, the latest that fits.
      next = Math.min(next, lead.length - stage.length + k);
      while (next > k && endsTooLate(byEnd[next], stage[k])) {
        next--;
      }
      early += endsTooLate(byEnd[next], stage[k]) ? 1 : 0;
      leaders[k] = byEnd[next--];
    }
    return early > OUT_OF_ORDER * stage.length ? null : leaders;
  }

  private boolean endsTooLate(int leading, int call) {
    return ended[leading] > d.latest[call] + TOLERANCE_MICROS;
  }

  private long[] endsOf(int[] calls) {
    long[] ends = new long[calls.length];
    for (int i = 0; i < calls.length; i++) {
      ends[i] = ended[calls[i]];
    }
    return ends;
  }

  private static int endedBy(long[] sortedEnds, long time) {
    int low = 0;
    int high = sortedEnds.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sortedEnds[middle] <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The stages, with think times fitted over all stages of a kind. */
  Demand.Stages build() {
    int stages = stageCalls.size();
    int[] first = new int[stages + 1];
    for (int s = 0; s < stages; s++) {
      first[s + 1] = first[s] + stageCalls.get(s).length;
    }
    int[] order = new int[first[stages]];
    double[] mean = new double[stages];
    for (int s = 0; s < stages; s++) {
      System.arraycopy(stageCalls.get(s), 0, order, first[s], stageCalls.get(s).length);
    }
    double followOwn = meanThink(order, first, false);
    double followOther = meanThink(order, first, true);
    boolean[] isLinked = new boolean[stages];
    for (int s = 0; s < stages; s++) {
      isLinked[s] = linked.get(s);
      mean[s] = isLinked[s] ? followOther : followOwn;
    }
    return new Demand.Stages(
        first,
        order,
        width.stream().mapToInt(i -> i).toArray(),
        isLinked,
        run.stream().mapToInt(i -> i).toArray(),
        mean);
  }

  private double meanThink(int[] order, int[] first, boolean ofLinked) {
    int[] members = new int[order.length];
    int count = 0;
    for (int s = 0; s < linked.size(); s++) {
      for (int i = first[s]; i < first[s + 1]; i++) {
        if (linked.get(s) == ofLinked && d.follower[order[i]]) {
          members[count++] = order[i];
        }
      }
    }
    return ThinkTimes.mean(d.thinkLow, d.thinkHigh, members, count);
  }
}
