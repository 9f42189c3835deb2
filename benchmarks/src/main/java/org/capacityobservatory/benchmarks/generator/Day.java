package org.capacityobservatory.benchmarks.generator;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * One day of made-up traffic, UTC.
 *
 * @param number 0 for the first
 * @param start its midnight, epoch seconds
 * @param first the number of its first call
 * @param calls how many calls it has
 * @param loads how busy each hour is: 1 where lanes are about as full as their limits
 * @param cumulated the share of the day's calls that lies before each hour's end; the last is 1
 */
record Day(
    int number, long start, long first, long calls, List<Double> loads, List<Double> cumulated) {
  private static final int HOURS = 24;
  private static final long SECONDS = 86_400;

  /** Days with a peak in the afternoon and quiet weekends, the last of them cut at an hour. */
  static List<Day> of(int days, long calls, Instant until) {
    long lastStart = Math.floorDiv(until.getEpochSecond() - 1, SECONDS) * SECONDS;
    int lastHours = (int) Math.max(1, (until.getEpochSecond() - lastStart) / 3_600);
    List<double[]> weights = new ArrayList<>();
    for (int day = 0; day < days; day++) {
      long start = lastStart - (days - 1 - day) * SECONDS;
      weights.add(weights(start, day == days - 1 ? lastHours : HOURS));
    }
    double all = weights.stream().flatMapToDouble(DoubleStream::of).sum();
    List<Day> made = new ArrayList<>();
    double before = 0;
    for (int day = 0; day < days; day++) {
      double weight = DoubleStream.of(weights.get(day)).sum();
      long first = Math.round(calls * before / all);
      before += weight;
      long next = day == days - 1 ? calls : Math.round(calls * before / all);
      made.add(
          new Day(
              day,
              lastStart - (days - 1 - day) * SECONDS,
              first,
              next - first,
              DoubleStream.of(weights.get(day)).map(w -> 0.3 + 0.75 * w).boxed().toList(),
              cumulated(weights.get(day), weight)));
    }
    return made;
  }

  private static double[] weights(long start, int hours) {
    // The epoch was a Thursday.
    boolean weekend = Math.floorMod(start / SECONDS + 4, 7) % 6 == 0;
    double[] weights = new double[HOURS];
    for (int hour = 0; hour < hours; hour++) {
      weights[hour] =
          (weekend ? 0.35 : 1) * (0.3 + 0.7 * Math.exp(-Math.pow((hour - 14) / 5.0, 2)));
    }
    return weights;
  }

  private static List<Double> cumulated(double[] weights, double all) {
    List<Double> cumulated = new ArrayList<>();
    double sum = 0;
    for (double weight : weights) {
      sum += weight;
      cumulated.add(sum / all);
    }
    // Hours that the day hasn't got lie behind everything; rounding must leave no call without one.
    return cumulated.stream().map(share -> share > 1 - 1e-9 ? 1.000001 : share).toList();
  }

  /** Numbers as the elements of an array in SQL. */
  static String elements(List<Double> numbers) {
    return numbers.stream()
        .map(number -> String.format(Locale.ROOT, "%.9f", number))
        .collect(Collectors.joining(", "));
  }
}
