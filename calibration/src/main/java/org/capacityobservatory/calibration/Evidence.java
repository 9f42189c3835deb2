package org.capacityobservatory.calibration;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.capacityobservatory.calibration.Finding.Weight;
import org.capacityobservatory.log.CapacityCall;

/** What the lines are worth as evidence: findings beside those of the demand and of the audit. */
final class Evidence {
  private static final int FEW_CALLS = 200;
  private static final Set<String> LANES = Set.of(LanePolicy.LANE_NAMES);
  private static final Set<String> DECISIONS =
      Set.of("admitted", "shadow-refused", "refused", "unavailable");

  /** A task that logs nothing for this long, and for this many of its usual gaps, fell silent. */
  private static final long SILENT_MILLIS = 120_000;

  private static final int SILENT_GAPS = 30;

  private final Recording recording;
  private final List<Finding> findings = new ArrayList<>();

  private Evidence(Recording recording) {
    this.recording = recording;
  }

  static List<Finding> of(Recording recording) {
    Evidence evidence = new Evidence(recording);
    evidence.readCounts();
    evidence.readDecisions();
    evidence.readWords();
    evidence.readVersions();
    evidence.readSilence();
    return evidence.findings;
  }

  private void add(String code, Weight weight, long count, String text) {
    findings.add(new Finding(code, weight, count, text));
  }

  private void readCounts() {
    Recording.Read read = recording.read();
    long unusable = read.unusable().values().stream().mapToLong(n -> n).sum();
    if (unusable > 0) {
      add(
          "unreadable_lines",
          Weight.HOLE,
          unusable,
          unusable
              + " lines of the limiter can't be read ("
              + new TreeMap<>(read.unusable())
              + "): their calls are missing.");
    }
    if (read.untimed() > 0) {
      add(
          "no_time",
          recording.calls().isEmpty() ? Weight.BLOCKS : Weight.HOLE,
          read.untimed(),
          read.untimed()
              + " lines have no time in their envelope and are left out: without one nothing can be"
              + " said about what was in flight together. Give the log as the container runtime"
              + " wrote it.");
    }
    if (read.dropped() > 0) {
      add(
          "lines_dropped",
          Weight.HOLE,
          read.dropped(),
          read.dropped() + " lines were dropped by the API's own sink: their calls are missing.");
    }
    if (read.repeated() > 0) {
      add(
          "repeated_lines",
          Weight.NOTE,
          read.repeated(),
          read.repeated()
              + " lines stood twice (same time, same bytes) and count once: was a log given twice?");
    }
  }

  private void readDecisions() {
    long refused = 0;
    long unavailable = 0;
    long lost = 0;
    long enforced = 0;
    long untold = 0;
    long unstamped = 0;
    for (RecordedCall recorded : recording.calls()) {
      CapacityCall call = recorded.call();
      refused += "refused".equals(call.decision()) ? 1 : 0;
      unavailable += "unavailable".equals(call.decision()) ? 1 : 0;
      untold += DECISIONS.contains(call.decision()) ? 0 : 1;
      lost += RecordedCall.is(call.leaseLost()) ? 1 : 0;
      enforced += "enforce".equals(call.mode()) ? 1 : 0;
      unstamped += call.queueMs() == null ? 1 : 0;
    }
    long lines = recording.calls().size();
    long calls = lines - refused;
    if (lines == 0) {
      add("no_calls", Weight.BLOCKS, 0, "There are no calls in these lines: nothing to conclude.");
    } else if (calls == 0) {
      add(
          "only_refused",
          Weight.BLOCKS,
          refused,
          "All "
              + refused
              + " lines are refusals: no call that ran, so neither demand nor service times can be"
              + " told from them.");
    } else if (calls < FEW_CALLS) {
      add(
          "few_calls",
          Weight.BLOCKS,
          calls,
          "Only "
              + calls
              + " calls: too few to say how service times stretch or how demand comes together. The"
              + " figures are no ground for a decision; give at least "
              + FEW_CALLS
              + " calls.");
    }
    if (enforced > 0) {
      add(
          "enforce_mode",
          Weight.BLOCKS,
          enforced,
          enforced
              + " of "
              + lines
              + " lines were written under enforcement, "
              + refused
              + " of them refusals: a refused attempt can't be joined to the call that it became,"
              + " and what clients would have sent without refusals isn't in these lines. Demand"
              + " here is what got through; predict from shadow lines, and use these with the"
              + " scorecard.");
    }
    if (unavailable > 0) {
      add(
          "unavailable",
          Weight.HOLE,
          unavailable,
          unavailable
              + " calls went through uncounted because the limiter was unavailable; meanwhile its"
              + " counts were too low.");
    }
    if (lost > 0) {
      add(
          "lease_lost",
          Weight.HOLE,
          lost,
          lost + " calls lost their leases while they ran and were not counted from then on.");
    }
    if (untold > 0) {
      add(
          "unknown_decision",
          Weight.HOLE,
          untold,
          untold + " lines have a decision that this version doesn't know; they run as calls.");
    }
    if (unstamped > 0 && unstamped < lines) {
      add(
          "no_queue_time",
          Weight.NOTE,
          unstamped,
          unstamped + " lines have no queue time: taken as requested when they began.");
    }
  }

  private void readWords() {
    Set<String> lanes = new TreeSet<>();
    Set<String> tiers = new TreeSet<>();
    long inUnknownLanes = 0;
    for (RecordedCall recorded : recording.calls()) {
      boolean unknown = false;
      for (String lane : recorded.call().full()) {
        if (!LANES.contains(lane)) {
          lanes.add(lane);
          unknown = true;
        }
      }
      inUnknownLanes += unknown ? 1 : 0;
      String tier = recorded.call().tier();
      if (tier != null && recorded.call().tierLimit() == null) {
        tiers.add(tier);
      }
    }
    if (!lanes.isEmpty()) {
      add(
          "unknown_lane",
          Weight.BLOCKS,
          inUnknownLanes,
          "The lanes "
              + String.join(", ", lanes)
              + " aren't known to this version: what they would refuse can't be concluded, and the"
              + " replay leaves them out.");
    }
    tiers.removeIf(LimiterConfig.starting().tiers()::containsKey);
    if (!tiers.isEmpty()) {
      add(
          "unknown_tier",
          Weight.HOLE,
          tiers.size(),
          "The tiers "
              + String.join(", ", tiers)
              + " have no limit in the lines: the replay gives them no tier lane.");
    }
  }

  private void readVersions() {
    Long before = null;
    long missing = 0;
    for (RecordedChange change : recording.changes()) {
      Long version = change.change().version();
      if (version != null) {
        if (before != null && version > before + 1) {
          missing += version - before - 1;
        }
        before = version;
      }
    }
    if (missing > 0) {
      add(
          "config_versions_missing",
          Weight.HOLE,
          missing,
          missing + " changes of the config are missing: a gap in its version numbers.");
    }
  }

  private void readSilence() {
    TreeMap<String, List<Long>> byTask = new TreeMap<>();
    for (RecordedCall recorded : recording.calls()) {
      String task = recorded.call().task();
      byTask
          .computeIfAbsent(task == null ? DemandReader.UNKNOWN : task, t -> new ArrayList<>())
          .add(recorded.endedAtMillis());
    }
    if (byTask.size() < 2) {
      return;
    }
    long first = recording.calls().get(0).endedAtMillis();
    long last = recording.calls().get(recording.calls().size() - 1).endedAtMillis();
    byTask.forEach(
        (task, times) -> {
          long usual = Math.max(1, (last - first) / times.size());
          long from = first;
          for (int i = 0; i <= times.size(); i++) {
            long to = i < times.size() ? times.get(i) : last;
            if (to - from > SILENT_MILLIS && to - from > SILENT_GAPS * usual) {
              add(
                  "silent_task",
                  Weight.HOLE,
                  (to - from) / 1000,
                  "Task "
                      + task
                      + " logged nothing for "
                      + (to - from) / 1000
                      + " s from "
                      + Instant.ofEpochMilli(from)
                      + " while others did: lines may be lost.");
            }
            from = to;
          }
        });
  }
}
