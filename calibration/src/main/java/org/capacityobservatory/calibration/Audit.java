package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.capacityobservatory.calibration.Finding.Weight;

/**
 * Holds the limiter to its own log: rebuilds what was in flight from the calls' intervals and
 * compares it with the counts that the limiter logged.
 *
 * <p>Logged above rebuilt: leases that leaked or lines that are lost. Logged below rebuilt: leases
 * that expired early, calls that the limiter didn't count, or lines of another cluster.
 */
public final class Audit {
  private static final int MAX_SAMPLED = 4000;
  private static final long SHIFT_STEP_MILLIS = 250;
  private static final long MAX_SHIFT_MILLIS = 10_000;
  private static final long NOTABLE_SHIFT_MILLIS = 750;

  /** Of a pair's samples this share may disagree before it means something. */
  private static final double DISAGREE = 0.2;

  private static final int MIN_SAMPLES = 20;

  /**
   * One minute's drift.
   *
   * @param minute epoch ms of its start
   * @param calls leases taken in it
   * @param meanDrift mean of logged − rebuilt in flight, cluster-wide
   */
  public record Drift(long minute, long calls, double meanDrift) {}

  private final List<Drift> drift = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();
  private double agreeing = Double.NaN;
  private double meanDrift = Double.NaN;
  private long leases;

  private Audit() {}

  /** Share of leases at whose acquire the logged count is the rebuilt one; NaN of none. */
  public double agreeingShare() {
    return agreeing;
  }

  /** Mean of logged − rebuilt; NaN of none. */
  public double meanDrift() {
    return meanDrift;
  }

  /** Leases compared. */
  public long leases() {
    return leases;
  }

  /** Drift minute by minute. */
  public List<Drift> drift() {
    return List.copyOf(drift);
  }

  /** What the comparison says about the evidence. */
  public List<Finding> findings() {
    return List.copyOf(findings);
  }

  private record Lease(String task, long acquired, long ended, long inFlight, long taskInFlight) {}

  /** Audits a recording. */
  public static Audit of(Recording recording) {
    Audit audit = new Audit();
    List<Lease> leases = new ArrayList<>();
    for (RecordedCall recorded : recording.calls()) {
      Long inFlight = recorded.call().inFlight();
      Long onTask = recorded.call().taskInFlight();
      if (recorded.call().heldMs() != null && inFlight != null && onTask != null) {
        String task = recorded.call().task();
        long late = RequestWindows.latenessMillis(recorded);
        leases.add(
            new Lease(
                task == null ? DemandReader.UNKNOWN : task,
                recorded.acquiredAtMillis() - late,
                recorded.endedAtMillis() - late,
                inFlight,
                onTask));
      }
    }
    audit.leases = leases.size();
    if (!leases.isEmpty()) {
      audit.compare(leases);
    }
    return audit;
  }

  /** Leases of some calls, ready to be counted at any moment. */
  private static final class Intervals {
    private final long[] begins;
    private final long[] ends;

    Intervals(List<Lease> leases) {
      begins = leases.stream().mapToLong(Lease::acquired).sorted().toArray();
      ends = leases.stream().mapToLong(Lease::ended).sorted().toArray();
    }

    int at(long time) {
      return upTo(begins, time) - upTo(ends, time);
    }

    private static int upTo(long[] sorted, long time) {
      int low = 0;
      int high = sorted.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (sorted[middle] <= time) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    /** How far a count is outside what this was in the few ms round a moment. */
    long distance(long count, long time) {
      long least = Long.MAX_VALUE;
      for (long t = time - 3; t <= time + 3; t += 3) {
        long now = at(t);
        if (now == count) {
          return 0;
        }
        long off = count - now;
        least = Math.abs(off) < Math.abs(least) || least == Long.MAX_VALUE ? off : least;
      }
      return least;
    }
  }

  private void compare(List<Lease> leases) {
    Intervals all = new Intervals(leases);
    TreeMap<Long, long[]> minutes = new TreeMap<>();
    long agreed = 0;
    double sum = 0;
    for (Lease lease : leases) {
      long off = all.distance(lease.inFlight(), lease.acquired());
      agreed += off == 0 ? 1 : 0;
      sum += off;
      long[] minute =
          minutes.computeIfAbsent(Math.floorDiv(lease.acquired(), 60_000L), m -> new long[2]);
      minute[0]++;
      minute[1] += off;
    }
    agreeing = agreed / (double) leases.size();
    meanDrift = sum / leases.size();
    minutes.forEach(
        (minute, m) -> drift.add(new Drift(minute * 60_000, m[0], m[1] / (double) m[0])));
    Map<String, List<Lease>> byTask = new LinkedHashMap<>();
    leases.stream()
        .sorted(java.util.Comparator.comparing(Lease::task))
        .forEach(l -> byTask.computeIfAbsent(l.task(), t -> new ArrayList<>()).add(l));
    byTask.forEach(this::checkOwnTask);
    checkPairs(byTask);
  }

  /** A task that shows more calls at once than it logged is two tasks under one name. */
  private void checkOwnTask(String task, List<Lease> leases) {
    if (leases.size() < MIN_SAMPLES) {
      return;
    }
    Intervals own = new Intervals(leases);
    int more = 0;
    int fewer = 0;
    for (Lease lease : leases) {
      long off = own.distance(lease.taskInFlight(), lease.acquired());
      more += off < 0 ? 1 : 0;
      fewer += off > 0 ? 1 : 0;
    }
    if (more > DISAGREE * leases.size()) {
      findings.add(
          new Finding(
              "clusters_mixed",
              Weight.BLOCKS,
              more,
              "On task "
                  + task
                  + " the lines hold more calls at once than the limiter counted, at "
                  + more
                  + " of "
                  + leases.size()
                  + " calls: these are lines of two clusters, or one log given in two forms. Nothing"
                  + " can be concluded: give the logs of one cluster."));
    } else if (fewer > DISAGREE * leases.size()) {
      findings.add(
          new Finding(
              "lines_lost",
              Weight.HOLE,
              fewer,
              "On task "
                  + task
                  + " the limiter counted more calls than the lines hold, at "
                  + fewer
                  + " of "
                  + leases.size()
                  + " calls: lines are lost, or leases leaked."));
    }
  }

  private void checkPairs(Map<String, List<Lease>> byTask) {
    List<String> tasks = new ArrayList<>(byTask.keySet());
    boolean pairOnly = tasks.size() == 2;
    for (int a = 0; a < tasks.size(); a++) {
      for (int b = a + 1; b < tasks.size(); b++) {
        checkPair(tasks.get(a), tasks.get(b), byTask, pairOnly);
      }
    }
  }

  /** Whether a task's logs know of another task's calls, and at which offset of the clocks. */
  private void checkPair(String a, String b, Map<String, List<Lease>> byTask, boolean pairOnly) {
    List<Lease> ofA = byTask.getOrDefault(a, List.of());
    List<Lease> ofB = byTask.getOrDefault(b, List.of());
    if (ofA.size() < MIN_SAMPLES || ofB.size() < MIN_SAMPLES || !overlap(ofA, ofB)) {
      return;
    }
    double atZero = disagreement(ofA, ofB, 0, pairOnly);
    if (atZero <= DISAGREE) {
      return;
    }
    long best = 0;
    double least = atZero;
    for (long s = -MAX_SHIFT_MILLIS; s <= MAX_SHIFT_MILLIS; s += SHIFT_STEP_MILLIS) {
      double now = disagreement(ofA, ofB, s, pairOnly);
      if (now < least) {
        least = now;
        best = s;
      }
    }
    if (Math.abs(best) >= NOTABLE_SHIFT_MILLIS && least < atZero * 0.6) {
      findings.add(
          new Finding(
              "clocks_apart",
              Weight.BLOCKS,
              Math.abs(best),
              "The clocks of "
                  + a
                  + " and "
                  + b
                  + " are about "
                  + String.format(java.util.Locale.ROOT, "%.1f", Math.abs(best) / 1000.0)
                  + " s apart: what was in flight together, and in which order calls came, can't be"
                  + " concluded. Put the clocks right or shift one log."));
    } else {
      findings.add(
          new Finding(
              "clusters_mixed",
              Weight.BLOCKS,
              Math.round(atZero * ofA.size()),
              "The counts that "
                  + a
                  + " logged don't know of the calls on "
                  + b
                  + ": these are tasks of two clusters (or many lines are lost). Nothing can be"
                  + " concluded: give the logs of one cluster."));
    }
  }

  private static boolean overlap(List<Lease> a, List<Lease> b) {
    return a.get(0).acquired() < b.get(b.size() - 1).ended()
        && b.get(0).acquired() < a.get(a.size() - 1).ended();
  }

  private static double disagreement(List<Lease> a, List<Lease> b, long shift, boolean pairOnly) {
    return (oneWay(a, b, shift, pairOnly) + oneWay(b, a, -shift, pairOnly)) / 2;
  }

  private static double oneWay(List<Lease> a, List<Lease> b, long shift, boolean pairOnly) {
    Intervals other = new Intervals(b);
    long first = Arrays.stream(other.begins).min().orElse(0);
    long last = Arrays.stream(other.ends).max().orElse(0);
    int step = 1 + a.size() / MAX_SAMPLED;
    int seen = 0;
    int wrong = 0;
    for (int i = 0; i < a.size(); i += step) {
      Lease lease = a.get(i);
      long when = lease.acquired() + shift;
      if (when < first || when > last) {
        continue;
      }
      long elsewhere = lease.inFlight() - lease.taskInFlight();
      long off = other.distance(elsewhere, when);
      seen++;
      wrong += off < 0 || (pairOnly && off > 0) ? 1 : 0;
    }
    return seen == 0 ? 0 : wrong / (double) seen;
  }
}
