package org.capacityobservatory.api;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The points of a time series: equal steps counted from the epoch, so that a step stays the same
 * step however the request's ends move.
 *
 * @param stepSeconds the length of a step, a multiple of 60
 * @param times the start of each step
 */
record Steps(long stepSeconds, List<Instant> times) {
  /** No series has more points. */
  static final int MAX_POINTS = 1_000;

  /**
   * Hours are added up already: from four days on, shorter steps would cost more than they show.
   */
  private static final Duration BY_HOURS_FROM = Duration.ofDays(4);

  private static final long HOUR_SECONDS = 3_600;
  private static final long MAX_STEP_SECONDS = 366L * 86_400;
  private static final long[] NICE_SECONDS = {
    60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400
  };

  /** Reads {@code step}, or null for one that is chosen. */
  static @Nullable Long requested(Parameters parameters) {
    Long step = parameters.integer("step", 60, MAX_STEP_SECONDS);
    if (step != null && step % 60 != 0) {
      parameters.error("step", "it is " + step, "use a multiple of 60: the data is per minute");
      return null;
    }
    return step;
  }

  /**
   * The steps over a period.
   *
   * @param requested the step asked for, in seconds, or null to choose one
   * @throws ProblemException when the step asked for makes too many points
   */
  static Steps over(Period period, @Nullable Long requested, Parameters parameters) {
    long step = requested != null ? requested : chosen(period);
    long points = points(period, step);
    if (points > MAX_POINTS) {
      parameters.error(
          "step",
          "it makes " + points + " points of this range",
          "use at least " + chosen(period) + ", or a shorter range: at most 1000 points");
      parameters.check();
    }
    List<Instant> times = new ArrayList<>((int) points);
    long first = Math.floorDiv(period.from().getEpochSecond(), step);
    for (int i = 0; i < points; i++) {
      times.add(Instant.ofEpochSecond((first + i) * step));
    }
    return new Steps(step, List.copyOf(times));
  }

  /** Reads {@code series}: whether there is to be a series at all. */
  static boolean wanted(Parameters parameters) {
    return !"false".equals(parameters.choice("series", List.of("true", "false")));
  }

  /** No steps, of this length. */
  Steps none() {
    return new Steps(stepSeconds, List.of());
  }

  private static long chosen(Period period) {
    boolean byHours = period.length().compareTo(BY_HOURS_FROM) >= 0;
    for (long step : NICE_SECONDS) {
      if (points(period, step) <= MAX_POINTS && !(byHours && step < HOUR_SECONDS)) {
        return step;
      }
    }
    long days = 1;
    while (points(period, days * 86_400) > MAX_POINTS) {
      days++;
    }
    return days * 86_400;
  }

  private static long points(Period period, long step) {
    if (!period.from().isBefore(period.to())) {
      return 0;
    }
    long first = Math.floorDiv(period.from().getEpochSecond(), step);
    long last = Math.floorDiv(period.to().getEpochSecond() - 1, step);
    return last - first + 1;
  }

  /** Where the step that starts at this time stands in the series. */
  int index(long startMs) {
    return Math.toIntExact((startMs / 1_000 - times.get(0).getEpochSecond()) / stepSeconds);
  }

  private Instant end(int index) {
    return times.get(index).plusSeconds(stepSeconds);
  }

  /**
   * Which steps can't change any more and lie wholly within the period.
   *
   * @param completeUntil every call before is stored, or null when that isn't known
   */
  List<Boolean> complete(Period period, @Nullable Instant completeUntil) {
    List<Boolean> complete = new ArrayList<>(times.size());
    for (int i = 0; i < times.size(); i++) {
      complete.add(
          completeUntil != null
              && !end(i).isAfter(completeUntil)
              && !end(i).isAfter(period.to())
              && !times.get(i).isBefore(period.from()));
    }
    return complete;
  }

  /** Whether a step touches a period. */
  boolean touches(int index, @Nullable Period known) {
    return known != null
        && times.get(index).isBefore(known.to())
        && end(index).isAfter(known.from());
  }
}
