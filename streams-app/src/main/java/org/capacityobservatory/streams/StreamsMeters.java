package org.capacityobservatory.streams;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What the job counts of itself; lines = calls + config changes + dead letters. */
final class StreamsMeters {
  private final MeterRegistry registry;
  private final Counter calls;
  private final Counter configChanges;

  StreamsMeters(MeterRegistry registry) {
    this.registry = registry;
    this.calls =
        Counter.builder("capacity.streams.calls")
            .description("Lines read as calls")
            .register(registry);
    this.configChanges =
        Counter.builder("capacity.streams.config.changes")
            .description("Lines read as config changes")
            .register(registry);
  }

  void countCall() {
    calls.increment();
  }

  void countConfigChange() {
    configChanges.increment();
  }

  void countDeadLetter(String reason) {
    Counter.builder("capacity.streams.dead.letters")
        .description("Records that are no line of the limiter")
        .tag("reason", reason)
        .register(registry)
        .increment();
  }
}
