package org.capacityobservatory.streams;

import java.util.Locale;

/**
 * What a contender's turn took.
 *
 * @param linesPerSecond by the clock
 * @param threadMicros CPU time of the one thread that works, µs a line
 * @param processMicros CPU time of its whole process, µs a line
 * @param brokerMicros CPU time of the broker meanwhile, µs a line
 */
record Figures(
    double linesPerSecond, double threadMicros, double processMicros, double brokerMicros) {

  String asLine() {
    return String.format(
        Locale.ROOT, "%f %f %f %f", linesPerSecond, threadMicros, processMicros, brokerMicros);
  }

  static Figures of(String line) {
    String[] words = line.split(" ", -1);
    return new Figures(
        Double.parseDouble(words[0]),
        Double.parseDouble(words[1]),
        Double.parseDouble(words[2]),
        Double.parseDouble(words[3]));
  }

  /** How many lines the thread could do in a second that it has to itself. */
  double linesForSecondOfThread() {
    return 1e6 / threadMicros;
  }
}
