package org.capacityobservatory.calibration;

import java.util.Arrays;

/** Mean number of calls in flight over the life of each of a set of calls, itself included. */
final class MeanConcurrency {
  private final long[] acquired;
  private final long[] ended;
  private final long[] times;
  private final double[] integral;
  private final int[] count;

  MeanConcurrency(long[] acquired, long[] ended) {
    this.acquired = acquired;
    this.ended = ended;
    long[] begins = acquired.clone();
    long[] ends = ended.clone();
    Arrays.sort(begins);
    Arrays.sort(ends);
    int n = begins.length;
    times = new long[2 * n];
    integral = new double[2 * n];
    count = new int[2 * n];
    int b = 0;
    int e = 0;
    int inFlight = 0;
    double sum = 0;
    for (int i = 0; i < 2 * n; i++) {
      boolean begin = b < n && begins[b] < ends[e];
      long now = begin ? begins[b++] : ends[e++];
      if (i > 0) {
        sum += (double) inFlight * (now - times[i - 1]);
      }
      inFlight += begin ? 1 : -1;
      times[i] = now;
      integral[i] = sum;
      count[i] = inFlight;
    }
  }

  double of(int call) {
    long length = ended[call] - acquired[call];
    return length <= 0 ? 1 : Math.max(1, (at(ended[call]) - at(acquired[call])) / length);
  }

  private double at(long time) {
    int found = Arrays.binarySearch(times, time);
    int before = found >= 0 ? found : -found - 2;
    return before < 0 ? 0 : integral[before] + (double) count[before] * (time - times[before]);
  }
}
