package org.capacityobservatory.streams.writer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** The writer's meters, {@code capacity.write.…}. */
final class WriterMetrics {
  private final MeterRegistry registry;
  private final Counter failures;
  private final Counter lost;
  private volatile long behind;
  private volatile Duration blockAge = Duration.ZERO;

  WriterMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.failures =
        Counter.builder("capacity.write.failures")
            .description("Inserts that ClickHouse didn't prove stored, and that are tried again")
            .register(registry);
    this.lost =
        Counter.builder("capacity.write.lost")
            .description("Offsets that Kafka removed before they were stored")
            .register(registry);
    Gauge.builder("capacity.write.behind", () -> behind)
        .description("Records in Kafka that are not stored yet")
        .register(registry);
    Gauge.builder("capacity.write.block.age", () -> (double) blockAge.toMillis())
        .description("How long a row may wait for others; grows while ClickHouse is slow")
        .baseUnit("milliseconds")
        .register(registry);
  }

  void stored(Block block) {
    registry
        .counter("capacity.write.rows", "table", block.table().tableName())
        .increment(block.rows().rows());
  }

  void failed() {
    failures.increment();
  }

  void lost(long offsets) {
    lost.increment((double) offsets);
  }

  void stand(long behindNow, Duration blockAgeNow) {
    behind = behindNow;
    blockAge = blockAgeNow;
  }
}
