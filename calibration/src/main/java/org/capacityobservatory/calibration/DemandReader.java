package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.capacityobservatory.calibration.Finding.Weight;
import org.capacityobservatory.calibration.ServiceModel.Driver;
import org.capacityobservatory.log.CapacityCall;

/**
 * Reads demand out of recorded lines; the rules are told in docs/calibration.md.
 *
 * <p>Refused attempts are no calls: the call that they belong to appears when it is let through.
 */
final class DemandReader {
  static final String UNKNOWN = "unknown";
  static final String MATCH = "$match";

  /** A user's open calls further apart than this belong to two sessions. */
  private static final long SESSION_GAP_MILLIS = 600_000;

  /** The API kills a call at 600 s and it writes no line; calls this near show that it happens. */
  private static final long NEAR_TIMEOUT_MILLIS = 500_000;

  private static final int MAX_FITTED = 40_000;
  private static final int MIN_SECONDS_FOR_BALANCE = 20;

  private final Recording recording;
  private final int workers;
  private final List<Finding> findings;
  private final List<RecordedCall> calls = new ArrayList<>();
  private final Map<Long, String> tierOfUser = new HashMap<>();

  private DemandReader(Recording recording, int workers, List<Finding> findings) {
    this.recording = recording;
    this.workers = workers;
    this.findings = findings;
  }

  /**
   * Reads the demand.
   *
   * @param workers per task as the lines were written; 0 for no limit
   * @param findings takes what the reader of a result must know
   */
  static Demand read(Recording recording, int workers, List<Finding> findings) {
    return new DemandReader(recording, workers, findings).read();
  }

  private Demand read() {
    for (RecordedCall recorded : recording.calls()) {
      if (!"refused".equals(recorded.call().decision())) {
        calls.add(recorded);
      }
      Long user = recorded.call().userId();
      String tier = recorded.call().tier();
      if (user != null && tier != null) {
        tierOfUser.put(user, tier);
      }
    }
    Classes classes = new Classes(calls);
    long[] held = heldMillis(classes);
    Placed placed = place(held);
    DemandDraft draft = new DemandDraft(calls.size());
    draft.names = names(classes);
    fill(draft, placed, classes, held);
    draft.dealsInTurn = dealsInTurn();
    draft.service = fitService(draft, placed);
    for (int i = 0; i < draft.calls; i++) {
      draft.recordedConcurrency[i] = concurrencyAt(draft, placed, i);
      draft.baseMicros[i] =
          draft.heldMicros[i]
              / draft.service.stretch(draft.stretchClass[i], draft.recordedConcurrency[i]);
    }
    readRunsAndSessions(draft, placed);
    return new Demand(draft);
  }

  /** What is about as long as one another: endpoint, single-row, kind of search, size. */
  private static final class Classes {
    final List<String> names = new ArrayList<>();
    final List<String> endpoints = new ArrayList<>();
    final int[] of;

    Classes(List<RecordedCall> calls) {
      TreeMap<String, String> endpointOfName = new TreeMap<>();
      for (RecordedCall recorded : calls) {
        endpointOfName.put(name(recorded.call()), text(recorded.call().endpoint()));
      }
      names.addAll(endpointOfName.keySet());
      endpoints.addAll(endpointOfName.values());
      of = new int[calls.size()];
      for (int i = 0; i < of.length; i++) {
        of[i] = names.indexOf(name(calls.get(i).call()));
      }
    }

    private static String name(CapacityCall call) {
      return text(call.endpoint())
          + (RecordedCall.is(call.singleRow()) ? " single-row" : "")
          + (RecordedCall.is(call.semantic()) ? " semantic" : "")
          + (RecordedCall.is(call.reranker()) ? " reranker" : "")
          + size(call);
    }

    /** Sizes by powers of two: 16 … 31 rows are one class. */
    private static String size(CapacityCall call) {
      Long rows = call.rows();
      if (rows == null || rows < 2) {
        return "";
      }
      long from = Long.highestOneBit(rows);
      return " " + from + "–" + (2 * from - 1) + " rows";
    }
  }

  private static String text(@org.jspecify.annotations.Nullable String word) {
    return word == null ? UNKNOWN : word;
  }

  private String tierOf(CapacityCall call) {
    String tier = call.tier();
    Long user = call.userId();
    return tier != null || user == null ? text(tier) : tierOfUser.getOrDefault(user, UNKNOWN);
  }

  private static long userOf(CapacityCall call) {
    Long user = call.userId();
    return user == null ? -1 : user;
  }

  /**
   * Held times; where a line has none, one of its class drawn by the call's place, moved so that
   * the stamp falls on a whole second as every stamp does.
   */
  private long[] heldMillis(Classes classes) {
    List<List<Long>> known = new ArrayList<>();
    classes.names.forEach(name -> known.add(new ArrayList<>()));
    List<Long> any = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      Long held = calls.get(i).call().heldMs();
      if (held != null) {
        known.get(classes.of[i]).add(held);
        any.add(held);
      }
    }
    long[] held = new long[calls.size()];
    long unknown = 0;
    for (int i = 0; i < held.length; i++) {
      Long said = calls.get(i).call().heldMs();
      if (said != null) {
        held[i] = said;
        continue;
      }
      unknown++;
      List<Long> pool = known.get(classes.of[i]).isEmpty() ? any : known.get(classes.of[i]);
      long drawn = pool.isEmpty() ? 1000 : pool.get((int) (Draws.uniform(1, i, 0) * pool.size()));
      held[i] = onStamp(calls.get(i), drawn);
    }
    if (unknown > 0) {
      findings.add(
          new Finding(
              "no_held_time",
              Weight.HOLE,
              unknown,
              unknown
                  + " calls have no held time (the limiter was unavailable): they run through the"
                  + " replay with a held time drawn from their own kind."));
    }
    return held;
  }

  private static long onStamp(RecordedCall recorded, long held) {
    Long queue = recorded.call().queueMs();
    if (queue == null) {
      return held;
    }
    long over = Math.floorMod(recorded.endedAtMillis() - queue - held, 1000L);
    long moved = over <= 500 ? held + over : held - (1000 - over);
    return moved > 0 ? moved : moved + 1000;
  }

  /** Calls placed in time and put in order of the earliest moment of their request. */
  @SuppressWarnings("ArrayRecordComponent") // Plain columns; nobody compares them.
  private record Placed(
      int[] order,
      long[] acquired,
      long[] ended,
      RequestWindows windows,
      int[] task,
      MeanConcurrency mean) {}

  private Placed place(long[] held) {
    int n = calls.size();
    Map<String, Integer> tasks = index(c -> text(c.task()), recording.calls());
    long[] ended = new long[n];
    long[] acquired = new long[n];
    long[] stamp = new long[n];
    boolean[] stamped = new boolean[n];
    int[] task = new int[n];
    for (int i = 0; i < n; i++) {
      RecordedCall recorded = calls.get(i);
      Long queue = recorded.call().queueMs();
      ended[i] = recorded.endedAtMillis();
      acquired[i] = ended[i] - held[i];
      stamped[i] = queue != null;
      stamp[i] = acquired[i] - (queue == null ? 0 : queue);
      task[i] = tasks.getOrDefault(text(recorded.call().task()), 0);
    }
    RequestWindows windows =
        RequestWindows.of(task, tasks.size(), acquired, ended, stamp, stamped, workers);
    report(windows);
    Integer[] order = new Integer[n];
    Arrays.setAll(order, i -> i);
    Arrays.sort(
        order,
        Comparator.<Integer>comparingLong(i -> windows.earliestMillis[i])
            .thenComparingLong(i -> acquired[i])
            .thenComparing(i -> i));
    return new Placed(
        Arrays.stream(order).mapToInt(i -> i).toArray(),
        acquired,
        ended,
        windows,
        task,
        new MeanConcurrency(acquired, ended));
  }

  private void report(RequestWindows windows) {
    int n = calls.size();
    if (windows.offStamp > 0) {
      findings.add(
          new Finding(
              "late_envelope_time",
              Weight.HOLE,
              windows.offStamp,
              windows.offStamp
                  + " lines carry a time that doesn't fit the load balancer's whole-second stamp:"
                  + " they were written late (a blocked stdout), so their place is uncertain."));
    }
    if (workers > 0 && windows.unexplainedWaits > 0) {
      findings.add(
          new Finding(
              "light_calls",
              windows.unexplainedWaits > n / 20 ? Weight.HOLE : Weight.NOTE,
              windows.unexplainedWaits,
              windows.unexplainedWaits
                  + " calls waited for a worker though heavy calls left one free: light calls hold"
                  + " workers too and aren't in the lines. Queue times are understated by that."));
    }
    if (workers > 0 && windows.mostOnTask > workers) {
      findings.add(
          new Finding(
              "more_than_workers",
              Weight.HOLE,
              windows.mostOnTask,
              "Up to "
                  + windows.mostOnTask
                  + " heavy calls ran at once on a task, more than its "
                  + workers
                  + " workers: give --workers, or look for tasks that share one name or for late"
                  + " lines."));
    }
  }

  private static Map<String, Integer> index(
      Function<CapacityCall, String> word, List<RecordedCall> calls) {
    Set<String> words = new TreeSet<>();
    calls.forEach(c -> words.add(word.apply(c.call())));
    Map<String, Integer> index = new TreeMap<>();
    words.forEach(w -> index.put(w, index.size()));
    return index;
  }

  private Demand.Names names(Classes classes) {
    Set<Long> users = new TreeSet<>();
    calls.forEach(c -> users.add(userOf(c.call())));
    return new Demand.Names(
        List.copyOf(index(this::tierOf, calls).keySet()),
        List.copyOf(users),
        List.copyOf(index(c -> text(c.endpoint()), calls).keySet()),
        List.copyOf(index(c -> text(c.requestSource()), calls).keySet()),
        List.copyOf(classes.names),
        List.copyOf(index(c -> text(c.task()), recording.calls()).keySet()));
  }

  private void fill(DemandDraft d, Placed placed, Classes classes, long[] held) {
    Map<String, Integer> tiers = positions(d.names.tiers());
    Map<Long, Integer> users = positions(d.names.userIds());
    Map<String, Integer> endpoints = positions(d.names.endpoints());
    Map<String, Integer> sources = positions(d.names.sources());
    for (int i = 0; i < d.calls; i++) {
      int from = placed.order()[i];
      CapacityCall call = calls.get(from).call();
      d.tier[i] = tiers.getOrDefault(tierOf(call), 0);
      d.user[i] = users.getOrDefault(userOf(call), 0);
      d.endpoint[i] = endpoints.getOrDefault(text(call.endpoint()), 0);
      d.source[i] = sources.getOrDefault(text(call.requestSource()), 0);
      d.stretchClass[i] = classes.of[from];
      d.recordedTask[i] = placed.task()[from];
      Long rows = call.rows();
      d.rows[i] = rows == null ? 0 : (int) Math.min(rows, Integer.MAX_VALUE);
      d.singleRow[i] = RecordedCall.is(call.singleRow());
      d.match[i] = MATCH.equals(call.endpoint());
      d.knn[i] = d.match[i] && RecordedCall.is(call.semantic());
      d.heldMicros[i] = Math.max(1, held[from] * 1000);
      d.earliest[i] = placed.windows().earliestMillis[from] * 1000;
      d.latest[i] = placed.windows().latestMillis[from] * 1000;
    }
  }

  static <T> Map<T, Integer> positions(List<T> words) {
    Map<T, Integer> positions = new HashMap<>();
    for (int i = 0; i < words.size(); i++) {
      positions.put(words.get(i), i);
    }
    return positions;
  }

  /**
   * Whether the load balancer deals in turn: then the tasks' shares of each second's requests
   * differ far less than chance makes them.
   */
  private boolean dealsInTurn() {
    Map<String, Integer> tasks = index(c -> text(c.task()), recording.calls());
    Map<Long, int[]> perSecond = new TreeMap<>();
    for (RecordedCall recorded : recording.calls()) {
      if (recorded.call().queueMs() != null) {
        long second = Math.floorDiv(recorded.requestedAtMillis() + 20, 1000L);
        perSecond
            .computeIfAbsent(second, s -> new int[tasks.size()])[
            tasks.getOrDefault(text(recorded.call().task()), 0)]++;
      }
    }
    double seen = 0;
    double expected = 0;
    int seconds = 0;
    for (int[] counts : perSecond.values()) {
      int n = Arrays.stream(counts).sum();
      if (n < 2) {
        continue;
      }
      seconds++;
      double mean = n / (double) counts.length;
      for (int count : counts) {
        seen += (count - mean) * (count - mean);
      }
      expected += n * (1 - 1.0 / counts.length);
    }
    return seconds < MIN_SECONDS_FOR_BALANCE || expected <= 0 || seen < expected / 2;
  }

  private ServiceModel fitService(DemandDraft d, Placed placed) {
    int step = 1 + d.calls / MAX_FITTED;
    int[] members = new int[d.calls];
    int count = 0;
    for (int i = 0; i < d.calls; i += step) {
      CapacityCall call = calls.get(placed.order()[i]).call();
      if (call.heldMs() != null && call.inFlight() != null && call.inFlight() > 0) {
        members[count++] = i;
      }
    }
    int[] stretchClass = new int[count];
    double[] logHeld = new double[count];
    double[] cluster = new double[count];
    double[] task = new double[count];
    double[] sharing = new double[count];
    for (int j = 0; j < count; j++) {
      int from = placed.order()[members[j]];
      CapacityCall call = calls.get(from).call();
      Long inFlight = call.inFlight();
      Long onTask = call.taskInFlight();
      stretchClass[j] = d.stretchClass[members[j]];
      logHeld[j] = Math.log((double) d.heldMicros[members[j]]);
      cluster[j] = orOne(inFlight);
      task[j] = onTask == null ? cluster[j] : orOne(onTask);
      sharing[j] = placed.mean().of(from);
    }
    Map<Driver, double[]> n = new EnumMap<>(Driver.class);
    n.put(Driver.CLUSTER, cluster);
    n.put(Driver.TASK, task);
    n.put(Driver.SHARING, sharing);
    List<String> endpoints = new ArrayList<>();
    Classes classes = new Classes(calls);
    endpoints.addAll(classes.endpoints);
    ServiceModel model =
        ServiceFit.fit(
            new ServiceFit.Samples(stretchClass, logHeld, n), d.names.stretchClasses(), endpoints);
    long nearTimeout = 0;
    for (long held : d.heldMicros) {
      nearTimeout += held >= NEAR_TIMEOUT_MILLIS * 1000 ? 1 : 0;
    }
    if (nearTimeout > 0) {
      findings.add(
          new Finding(
              "censored",
              Weight.HOLE,
              nearTimeout,
              nearTimeout
                  + " calls held longer than "
                  + NEAR_TIMEOUT_MILLIS / 1000
                  + " s: the API kills calls at 600 s and those write no line, so the longest calls"
                  + " are missing here."));
    }
    return model;
  }

  private double concurrencyAt(DemandDraft d, Placed placed, int i) {
    int from = placed.order()[i];
    CapacityCall call = calls.get(from).call();
    return switch (d.service.driver()) {
      case CLUSTER -> orOne(call.inFlight());
      case TASK -> orOne(call.taskInFlight());
      case SHARING -> placed.mean().of(from);
    };
  }

  private static double orOne(@org.jspecify.annotations.Nullable Long count) {
    return count == null ? 1 : (double) Math.max(1L, count);
  }

  private void readRunsAndSessions(DemandDraft d, Placed placed) {
    long[] endedMicros = new long[d.calls];
    Map<String, List<Integer>> runs = new TreeMap<>();
    Map<String, List<Integer>> open = new TreeMap<>();
    Map<String, Integer> tabs = new HashMap<>();
    for (int i = 0; i < d.calls; i++) {
      int from = placed.order()[i];
      endedMicros[i] = placed.ended()[from] * 1000;
      CapacityCall call = calls.get(from).call();
      String owner = userOf(call) + "/";
      if (call.automatchRunId() != null) {
        String key = owner + call.automatchRunId();
        runs.computeIfAbsent(key, k -> new ArrayList<>()).add(i);
        d.tab[i] = tabs.computeIfAbsent("run " + key, k -> tabs.size());
      } else {
        String source = text(call.requestSource());
        open.computeIfAbsent(owner + source, k -> new ArrayList<>()).add(i);
        if (isMapper(source)) {
          d.tab[i] = tabs.computeIfAbsent("tab " + owner + source, k -> tabs.size());
        }
      }
    }
    d.tabs = tabs.size();
    RunReader reader = new RunReader(d, endedMicros);
    d.runSpanMicros = new long[runs.size()];
    int unit = 0;
    for (List<Integer> members : runs.values()) {
      int[] run = members.stream().mapToInt(i -> i).toArray();
      reader.add(unit, run);
      long start = Long.MAX_VALUE;
      long end = Long.MIN_VALUE;
      for (int call : run) {
        d.unit[call] = unit;
        start = Math.min(start, d.earliest[call]);
        end = Math.max(end, endedMicros[call]);
      }
      d.runSpanMicros[unit++] = end - start;
    }
    d.stages = reader.build();
    for (List<Integer> session : open.values()) {
      long last = Long.MIN_VALUE;
      for (int call : session) {
        if (last != Long.MIN_VALUE && d.earliest[call] - last > SESSION_GAP_MILLIS * 1000) {
          unit++;
        }
        last = d.earliest[call];
        d.unit[call] = unit;
      }
      unit++;
    }
    d.units = unit;
  }

  /** The Mapper's sources: its tabs pause on a 429. Other clients wait call by call. */
  private static boolean isMapper(String source) {
    return source.startsWith("mapper") || source.startsWith("automatch");
  }
}
