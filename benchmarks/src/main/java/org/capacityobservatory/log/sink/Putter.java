package org.capacityobservatory.log.sink;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.capacityobservatory.log.CapacityCall;

/**
 * Puts lines at a steady rate and keeps two histograms in ns: how long each put took that was taken
 * in (refusing is cheaper), and how long after it was due each was done.
 *
 * <p>The second keeps what the first can't see: puts that were late because an earlier one was slow
 * (coordinated omission), or because the thread had no processor.
 */
final class Putter extends Thread {
  private final Contender contender;
  private final List<CapacityCall> calls;
  private final List<String> lines;
  private final long startNanos;
  private final long intervalNanos;
  private final int puts;
  final Histogram took = new Histogram(10_000_000_000L, 3);
  final Histogram afterDue = new Histogram(10_000_000_000L, 3);

  Putter(
      Contender contender,
      List<CapacityCall> calls,
      List<String> lines,
      long startNanos,
      long intervalNanos,
      int puts) {
    this.contender = contender;
    this.calls = calls;
    this.lines = lines;
    this.startNanos = startNanos;
    this.intervalNanos = intervalNanos;
    this.puts = puts;
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // yields, so that few processors serve all threads
  public void run() {
    for (int put = 0; put < puts; put++) {
      CapacityCall call = calls.get(put % calls.size());
      String line = lines.get(put % lines.size());
      long due = startNanos + put * intervalNanos;
      long before = System.nanoTime();
      while (before < due) {
        Thread.yield();
        before = System.nanoTime();
      }
      boolean taken = contender.put(call, line);
      long after = System.nanoTime();
      if (taken) {
        took.recordValue(after - before);
      }
      afterDue.recordValue(after - due);
    }
  }
}
