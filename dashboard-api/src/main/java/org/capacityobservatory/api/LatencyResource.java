package org.capacityobservatory.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.capacityobservatory.metrics.Histogram;
import org.capacityobservatory.metrics.HistogramBuckets;
import org.jspecify.annotations.Nullable;

/**
 * How long calls were held, or waited for a worker: percentiles in all, by group, and over time.
 */
final class LatencyResource {
  static final List<String> PARAMETERS =
      List.of("from", "to", "measure", "group_by", "step", "series");
  static final List<String> MEASURES = List.of("held_ms", "queue_ms");
  static final List<String> GROUPINGS =
      List.of("endpoint", "single_row", "tier", "rows", "in_flight");

  /** Those that only the calls have. */
  private static final List<String> OF_CALLS = List.of("rows", "in_flight");

  private final Store store;
  private final Completeness completeness;
  private final InstantSource clock;

  LatencyResource(Store store, Completeness completeness, InstantSource clock) {
    this.store = store;
    this.completeness = completeness;
    this.clock = clock;
  }

  /** The answer; its parts are as the API's description has them. */
  record Answer(
      @Nullable Instant from,
      @Nullable Instant to,
      Instant asOf,
      @Nullable Instant completeUntil,
      String measure,
      String unit,
      @Nullable Bias bias,
      double maxRelativeError,
      @JsonUnwrapped Distribution distribution,
      @Nullable Ranges ranges,
      long untimed,
      @Nullable String rows,
      @Nullable String groupBy,
      List<Group> groups,
      Series series) {}

  /** By how much the measured value is higher than the true one. */
  record Bias(long highByMin, long highByMax, String reason) {
    static final Bias QUEUE =
        new Bias(
            0,
            999,
            "The load balancer's stamp has whole seconds, so every value is high by"
                + " 0 to 999 ms, evenly");
  }

  /** Where the true figures lie when the values are biased. */
  record Ranges(
      @Nullable Range mean, @Nullable Range p50, @Nullable Range p95, @Nullable Range p99) {
    static Ranges of(Distribution seen, Bias bias) {
      return new Ranges(
          range(seen.mean(), bias),
          range(seen.p50(), bias),
          range(seen.p95(), bias),
          range(seen.p99(), bias));
    }

    private static @Nullable Range range(@Nullable Number high, Bias bias) {
      return high == null
          ? null
          : new Range(Math.max(0, high.doubleValue() - bias.highByMax()), high.doubleValue());
    }
  }

  /** Both ends, in ms. */
  record Range(double low, double high) {}

  /** Percentiles over the calls that have a value; null when none has. */
  record Distribution(
      long present,
      long missing,
      long sum,
      @Nullable Double mean,
      @Nullable Long p50,
      @Nullable Long p95,
      @Nullable Long p99) {
    static final Distribution NONE = new Distribution(0, 0, 0, null, null, null, null);
  }

  /** One value of the dimension grouped by; null is the calls that have none. */
  record Group(@Nullable Object value, @JsonUnwrapped Distribution distribution, String rows) {}

  /** One number a step: null where nothing is known or no call has a value. */
  record Series(
      long step,
      List<Instant> times,
      List<Boolean> complete,
      boolean currentIncomplete,
      List<@Nullable Long> present,
      List<@Nullable Long> missing,
      List<@Nullable Double> mean,
      List<@Nullable Long> p50,
      List<@Nullable Long> p95,
      List<@Nullable Long> p99) {}

  Answer answer(Ask ask) {
    Parameters parameters = ask.parameters();
    Instant now = clock.instant();
    TimeRange range = TimeRange.of(parameters, now);
    String asked = parameters.choice("measure", MEASURES);
    String measure = asked == null ? MEASURES.get(0) : asked;
    String groupBy = parameters.choice("group_by", GROUPINGS);
    Long requestedStep = Steps.requested(parameters);
    boolean wanted = Steps.wanted(parameters);
    parameters.check();

    Period data = DataRange.read(store);
    Instant completeUntil = completeness.until(now);
    Period period = range.minutes(data, now);
    Period shown = period == null ? new Period(now, now) : period;
    Steps all = Steps.over(shown, requestedStep, parameters);
    Steps steps = wanted ? all : all.none();
    Bias bias = measure.equals("queue_ms") ? Bias.QUEUE : null;
    Distribution whole = period == null ? Distribution.NONE : whole(period, measure);
    return new Answer(
        period == null ? null : period.from(),
        period == null ? null : period.to(),
        now,
        completeUntil,
        measure,
        "ms",
        bias,
        0.008,
        whole,
        bias == null ? null : Ranges.of(whole, bias),
        Untimed.count(store, range),
        period == null ? null : RowsLink.to(period),
        groupBy,
        period == null || groupBy == null ? List.of() : groups(period, measure, groupBy),
        series(shown, steps, measure, DataRange.known(data, completeUntil), completeUntil));
  }

  private Distribution whole(Period period, String measure) {
    return store
        .list(
            "latency-total",
            Map.of("from_ms", period.fromMs(), "to_ms", period.toMs(), "measure", measure),
            (row, context) -> distribution(row))
        .get(0);
  }

  private List<Group> groups(Period period, String measure, String groupBy) {
    return store.list(
        OF_CALLS.contains(groupBy) ? "latency-by-call" : "latency-by-group",
        Map.of(
            "from_ms",
            period.fromMs(),
            "to_ms",
            period.toMs(),
            "measure",
            measure,
            "group_by",
            groupBy,
            "top",
            DecisionsResource.TOP),
        (row, context) -> {
          String value = row.getString("group_value");
          return new Group(
              RowsLink.groupValue(groupBy, value), distribution(row), rows(period, groupBy, value));
        });
  }

  private static String rows(Period period, String groupBy, @Nullable String value) {
    return switch (groupBy) {
      case "in_flight" -> RowsLink.to(period);
      case "rows" -> value == null ? RowsLink.to(period) : ofSize(period, Long.parseLong(value));
      default -> RowsLink.to(period, groupBy, value);
    };
  }

  /** Calls of a power of two of rows, up to the next. */
  private static String ofSize(Period period, long least) {
    long most = Math.max(least, 2 * least - 1);
    return RowsLink.to(period) + "&rows_min=" + least + "&rows_max=" + most;
  }

  private Series series(
      Period period,
      Steps steps,
      String measure,
      @Nullable Period known,
      @Nullable Instant completeUntil) {
    Map<Integer, Distribution> found = new HashMap<>();
    if (!steps.times().isEmpty()) {
      store.list(
          "latency-by-step",
          Map.of(
              "from_ms", period.fromMs(),
              "to_ms", period.toMs(),
              "measure", measure,
              "step_s", steps.stepSeconds()),
          (row, context) -> found.put(steps.index(row.getLong("step_ms")), step(row)));
    }
    List<Boolean> complete = steps.complete(period, completeUntil);
    List<@Nullable Long> present = new ArrayList<>();
    List<@Nullable Long> missing = new ArrayList<>();
    List<@Nullable Double> mean = new ArrayList<>();
    List<@Nullable Long> p50 = new ArrayList<>();
    List<@Nullable Long> p95 = new ArrayList<>();
    List<@Nullable Long> p99 = new ArrayList<>();
    for (int i = 0; i < steps.times().size(); i++) {
      Distribution here = found.getOrDefault(i, Distribution.NONE);
      boolean any = found.containsKey(i) || steps.touches(i, known);
      present.add(any ? (Long) here.present() : null);
      missing.add(any ? (Long) here.missing() : null);
      mean.add(here.mean());
      p50.add(here.p50());
      p95.add(here.p95());
      p99.add(here.p99());
    }
    boolean currentIncomplete = !complete.isEmpty() && !complete.get(complete.size() - 1);
    return new Series(
        steps.stepSeconds(),
        steps.times(),
        complete,
        currentIncomplete,
        present,
        missing,
        mean,
        p50,
        p95,
        p99);
  }

  /** From a histogram. */
  private static Distribution distribution(ResultSet row) throws SQLException {
    Histogram histogram = new Histogram();
    long[] buckets = numbers(row.getArray("buckets"));
    long[] counts = numbers(row.getArray("counts"));
    for (int i = 0; i < buckets.length; i++) {
      histogram.addToBucket(Math.toIntExact(buckets[i]), counts[i]);
    }
    boolean any = histogram.count() > 0;
    return distribution(
        row,
        any ? histogram.percentile(0.50) : null,
        any ? histogram.percentile(0.95) : null,
        any ? histogram.percentile(0.99) : null);
  }

  /** From the buckets of its percentiles. */
  private static Distribution step(ResultSet row) throws SQLException {
    return distribution(
        row, midpoint(row, "p50_bucket"), midpoint(row, "p95_bucket"), midpoint(row, "p99_bucket"));
  }

  private static @Nullable Long midpoint(ResultSet row, String column) throws SQLException {
    int bucket = row.getInt(column);
    return row.wasNull() ? null : HistogramBuckets.midpoint(bucket);
  }

  private static Distribution distribution(
      ResultSet row, @Nullable Long p50, @Nullable Long p95, @Nullable Long p99)
      throws SQLException {
    long present = row.getLong("with_value");
    long sum = row.getLong("sum_ms");
    Double mean = p50 == null ? null : (Double) ((double) sum / present);
    return new Distribution(present, row.getLong("without_value"), sum, mean, p50, p95, p99);
  }

  static long[] numbers(Array array) throws SQLException {
    Object values = array.getArray();
    int length = java.lang.reflect.Array.getLength(values);
    long[] numbers = new long[length];
    for (int i = 0; i < length; i++) {
      numbers[i] = ((Number) java.lang.reflect.Array.get(values, i)).longValue();
    }
    return numbers;
  }
}
