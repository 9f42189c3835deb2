package org.capacityobservatory.streams;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.capacityobservatory.metrics.Dimensions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the job counts of itself; lines = calls + config changes + dead letters. */
final class StreamsMeters implements Dimensions.Listener {
  private static final Logger log = LoggerFactory.getLogger(StreamsMeters.class);
  private static final int NAMED_OFFENDERS = 100;

  private final MeterRegistry registry;
  private final Counter calls;
  private final Counter configChanges;
  private final Counter lateLines;
  private final Counter lostLines;
  private final Map<String, Counter> byLabel = new ConcurrentHashMap<>();
  private final Map<String, Boolean> offenders = new ConcurrentHashMap<>();

  StreamsMeters(MeterRegistry registry) {
    this.registry = registry;
    this.calls = counter("calls", "Lines read as calls");
    this.configChanges = counter("config.changes", "Lines read as config changes");
    this.lateLines = counter("late.lines", "Lines that came after their minute was closed");
    this.lostLines = counter("lost.lines", "Lines removed by retention before they were read");
  }

  private Counter counter(String name, String description) {
    return Counter.builder("capacity.streams." + name).description(description).register(registry);
  }

  void countCall() {
    calls.increment();
  }

  void countConfigChange() {
    configChanges.increment();
  }

  void countLateLine() {
    lateLines.increment();
  }

  void countLostLines(long lines) {
    lostLines.increment((double) lines);
  }

  void countDeadLetter(String reason) {
    labelled("dead.letters", "Records that are no line of the limiter", "reason", reason)
        .increment();
  }

  void countTypeError(String field) {
    labelled("type.errors", "Known keys whose value was of another type", "field", field)
        .increment();
  }

  @Override
  public void unknown(String dimension, String value) {
    labelled("unknown.values", "Values that this version doesn't know", "field", dimension)
        .increment();
  }

  @Override
  public void overflowed(String dimension, String value) {
    labelled("overflowed.values", "Values counted as other for want of room", "field", dimension)
        .increment();
    if (offenders.size() < NAMED_OFFENDERS
        && offenders.putIfAbsent(dimension + '=' + value, true) == null) {
      log.warn(
          "There is no room left for {} '{}': it is counted as other, its rows keep it",
          dimension,
          value.length() <= 100 ? value : value.substring(0, 100) + "…");
    }
  }

  /** Labels come from closed sets: reasons, known keys and dimensions. */
  private Counter labelled(String name, String description, String label, String value) {
    return byLabel.computeIfAbsent(
        name + '/' + value,
        k ->
            Counter.builder("capacity.streams." + name)
                .description(description)
                .tag(label, value)
                .register(registry));
  }
}
