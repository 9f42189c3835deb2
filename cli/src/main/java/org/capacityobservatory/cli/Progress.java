package org.capacityobservatory.cli;

import java.io.PrintStream;
import java.util.Locale;

/** What a long command is doing, a line each on stderr with the seconds since it began. */
final class Progress {
  private final PrintStream out;
  private final long startNanos = System.nanoTime();

  Progress(PrintStream out) {
    this.out = out;
  }

  void say(String words) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    out.println(String.format(Locale.ROOT, "[%6.1f s] %s", seconds, words));
  }
}
