package org.capacityobservatory.benchmarks.path;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** How many lines have come past one point of the path, as time goes on. */
final class Curve {
  private record Sample(long nanos, long lines) {}

  private final List<Sample> samples = new ArrayList<>();

  /** Adds what was seen; times and lines never go back. */
  synchronized void add(long nanos, long lines) {
    samples.add(new Sample(nanos, lines));
  }

  /** Lines at the last look. */
  synchronized long lines() {
    return samples.isEmpty() ? 0 : samples.get(samples.size() - 1).lines();
  }

  /**
   * The same curve without what is counted besides lines, where its number at the end is known and
   * it comes evenly: Kafka's offsets count the ends of transactions too.
   *
   * @param lines how many lines the last sample stands for
   */
  synchronized Curve endingAt(long lines) {
    Curve corrected = new Curve();
    Sample first = samples.get(0);
    Sample last = samples.get(samples.size() - 1);
    double over = (double) (last.lines() - lines) / Math.max(1, last.nanos() - first.nanos());
    for (Sample sample : samples) {
      corrected.add(
          sample.nanos(), Math.round(sample.lines() - over * (sample.nanos() - first.nanos())));
    }
    return corrected;
  }

  /**
   * How much later than this curve another one has come as far, ms.
   *
   * @param fromLines samples of this curve up to here are left out
   */
  synchronized Histogram millisUntil(Curve later, long fromLines) {
    Histogram millis = new Histogram(3);
    int at = 0;
    List<Sample> arrivals = later.samples;
    for (Sample sample : samples) {
      while (at < arrivals.size() && arrivals.get(at).lines() < sample.lines()) {
        at++;
      }
      if (at < arrivals.size() && sample.lines() > fromLines) {
        millis.recordValue(Math.max(0, arrivals.get(at).nanos() - sample.nanos()) / 1_000_000);
      }
    }
    return millis;
  }
}
