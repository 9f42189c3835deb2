package org.capacityobservatory.calibration;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** The figures of one replay: by group and metric, and for the whole by name. */
final class Measures {
  static final int METRICS = Metric.values().length;

  final double[][] byGroup;
  final long[] callsOfGroup;
  final Map<String, Double> whole = new LinkedHashMap<>();
  final long events;

  private Measures(int groups, long events) {
    byGroup = new double[groups][METRICS];
    for (double[] metrics : byGroup) {
      // A group without calls has no figures; zeros would be figures.
      Arrays.fill(metrics, Double.NaN);
    }
    callsOfGroup = new long[groups];
    this.events = events;
  }

  static Measures of(Demand demand, Groups groups, Outcome outcome) {
    Measures measures = new Measures(groups.keys().size(), outcome.events);
    int[] all = new int[demand.calls];
    measures.fillDimension(demand, outcome, all, 1, 0);
    for (int[] dimension : groups.of(demand)) {
      measures.fillDimension(demand, outcome, dimension, groups.keys().size(), 0);
    }
    new WholeMeasures(demand, outcome).into(measures.whole);
    return measures;
  }

  /** Sorts the calls of a dimension into its groups and fills each. */
  private void fillDimension(Demand d, Outcome o, int[] groupOf, int groups, int first) {
    int[] start = new int[groups + 1];
    for (int group : groupOf) {
      start[group - first + 1]++;
    }
    for (int g = 0; g < groups; g++) {
      start[g + 1] += start[g];
    }
    int[] next = Arrays.copyOf(start, groups);
    int[] order = new int[d.calls];
    for (int c = 0; c < d.calls; c++) {
      order[next[groupOf[c] - first]++] = c;
    }
    for (int g = 0; g < groups; g++) {
      if (start[g + 1] > start[g] || groups == 1) {
        fill(o, first + g, order, start[g], start[g + 1]);
      }
    }
  }

  private void fill(Outcome o, int group, int[] order, int from, int to) {
    int calls = to - from;
    long[] waited = new long[calls];
    long[] held = new long[calls];
    long[] queue = new long[calls];
    int through = 0;
    long attempts = 0;
    long refusals = 0;
    long refusedCalls = 0;
    long gaveUp = 0;
    long failed = 0;
    double waitSum = 0;
    for (int i = from; i < to; i++) {
      int c = order[i];
      attempts += o.attempts[c];
      refusals += o.refusals[c];
      refusedCalls += o.refusals[c] > 0 ? 1 : 0;
      waited[i - from] = o.waitedMicros[c];
      waitSum += o.waitedMicros[c];
      switch (o.ending[c]) {
        case Outcome.DONE, Outcome.KILLED -> {
          held[through] = o.heldMicros[c];
          queue[through++] = o.loggedQueueMicros[c];
        }
        case Outcome.GAVE_UP -> gaveUp++;
        default -> failed++;
      }
    }
    Arrays.sort(waited);
    Arrays.sort(held, 0, through);
    Arrays.sort(queue, 0, through);
    callsOfGroup[group] = calls;
    double[] m = byGroup[group];
    m[Metric.REFUSED_CALLS_SHARE.place()] = share(refusedCalls, calls);
    m[Metric.REFUSED_ATTEMPTS.place()] = refusals;
    m[Metric.ATTEMPTS.place()] = attempts;
    m[Metric.WAIT_MEAN.place()] = calls == 0 ? Double.NaN : waitSum / calls / 1e6;
    m[Metric.WAIT_P50.place()] = percentile(waited, calls, 0.5) / 1e6;
    m[Metric.WAIT_P95.place()] = percentile(waited, calls, 0.95) / 1e6;
    m[Metric.WAIT_P99.place()] = percentile(waited, calls, 0.99) / 1e6;
    m[Metric.WAIT_MAX.place()] = percentile(waited, calls, 1) / 1e6;
    m[Metric.HELD_P50.place()] = percentile(held, through, 0.5) / 1e3;
    m[Metric.HELD_P95.place()] = percentile(held, through, 0.95) / 1e3;
    m[Metric.QUEUE_P50.place()] = percentile(queue, through, 0.5) / 1e3;
    m[Metric.QUEUE_P95.place()] = percentile(queue, through, 0.95) / 1e3;
    m[Metric.GIVEN_UP_SHARE.place()] = share(gaveUp, calls);
    m[Metric.FAILED_SHARE.place()] = share(failed, calls);
  }

  static double share(long part, long of) {
    return of == 0 ? Double.NaN : part / (double) of;
  }

  /** Nearest-rank percentile of the first values of a sorted array; NaN of none. */
  static double percentile(long[] sorted, int count, double p) {
    return count == 0 ? Double.NaN : (double) sorted[Math.max(0, (int) Math.ceil(p * count) - 1)];
  }
}
