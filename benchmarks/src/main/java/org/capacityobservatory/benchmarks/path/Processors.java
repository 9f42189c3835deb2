package org.capacityobservatory.benchmarks.path;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How many processors each process of the path kept busy over a while, and everything else on the
 * machine, without which no figure by the clock can be judged.
 */
final class Processors {
  private static final double TICKS_PER_SECOND = 100;

  private final Stack stack;
  private final Map<String, Double> before;
  private final long beganNanos = System.nanoTime();
  private final Map<String, Double> busy = new LinkedHashMap<>();

  /** Begins the while. */
  Processors(Stack stack) throws IOException {
    this.stack = stack;
    before = seconds();
  }

  /** Ends it. */
  void stop() throws IOException {
    double passed = (System.nanoTime() - beganNanos) / 1e9;
    seconds()
        .forEach(
            (name, seconds) -> busy.put(name, (seconds - before.getOrDefault(name, 0.0)) / passed));
    double ofOthers = 2 * busy.getOrDefault("machine", 0.0);
    for (double one : busy.values()) {
      ofOthers -= one;
    }
    busy.remove("machine");
    busy.put("others", ofOthers);
  }

  String inWords() {
    return busy.entrySet().stream()
        .map(e -> String.format(Locale.ROOT, "%s %.2f", e.getKey(), e.getValue()))
        .collect(Collectors.joining(", "));
  }

  private Map<String, Double> seconds() throws IOException {
    Map<String, Double> seconds = new LinkedHashMap<>(stack.cpuSeconds());
    seconds.put(
        "benchmark",
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime()
            / 1e9);
    seconds.put("machine", ofMachine());
    return seconds;
  }

  /**
   * User, nice, system, interrupts: the first words of the machine's line less idle and waiting.
   */
  private static double ofMachine() throws IOException {
    String[] words = Files.readAllLines(Path.of("/proc/stat")).get(0).trim().split(" +", -1);
    double ticks = 0;
    for (int i = 1; i <= 7; i++) {
      if (i != 4 && i != 5) {
        ticks += Double.parseDouble(words[i]);
      }
    }
    return ticks / TICKS_PER_SECOND;
  }
}
