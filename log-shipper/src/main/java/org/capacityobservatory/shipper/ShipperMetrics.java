package org.capacityobservatory.shipper;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.capacityobservatory.log.QuarantineReason;

/**
 * The shipper's figures as meters {@code capacity.ship.…}, which Prometheus shows as {@code
 * capacity_ship_…}. Each source's come from its last committed books, so they balance.
 */
final class ShipperMetrics {
  private final MeterRegistry registry;
  private final Supplier<ShipperStatus> status;
  private final Map<String, SourceStatus> bySource = new ConcurrentHashMap<>();
  private final Set<String> known = new HashSet<>();

  ShipperMetrics(MeterRegistry registry, Supplier<ShipperStatus> status) {
    this.registry = registry;
    this.status = status;
    counter("transactions.committed", ShipperStatus::transactionsCommitted);
    counter("transactions.aborted", ShipperStatus::transactionsAborted);
    counter("identity.changed", ShipperStatus::identitiesChanged);
    counter("truncations", ShipperStatus::truncations);
    counter("copies.recognised", ShipperStatus::copiesRecognised);
    counter("lost.bytes", s -> s.files().lostBytes());
    gauge("open.files", s -> s.files().open());
    gauge("held.bytes", s -> s.files().heldBytes());
    gauge("files.waiting", s -> s.files().waiting());
    Gauge.builder(
            "capacity.ship.waiting.for.broker",
            status,
            s -> s.get().state() == ShipperStatus.State.WAITING_FOR_BROKER ? 1 : 0)
        .description("1 while Kafka doesn't answer and nothing is read")
        .strongReference(true)
        .register(registry);
  }

  private void counter(String name, ToDoubleFunction<ShipperStatus> figure) {
    FunctionCounter.builder("capacity.ship." + name, status, s -> figure.applyAsDouble(s.get()))
        .register(registry);
  }

  private void gauge(String name, ToDoubleFunction<ShipperStatus> figure) {
    Gauge.builder("capacity.ship." + name, status, s -> figure.applyAsDouble(s.get()))
        .strongReference(true)
        .register(registry);
  }

  /** Shows what is committed now. */
  void committed(ShipperStatus now, Map<QuarantineReason, Long> quarantined) {
    for (SourceStatus source : now.sources()) {
      bySource.put(source.source(), source);
      if (known.add(source.source())) {
        register(source.source());
      }
    }
    quarantined.forEach(
        (reason, count) ->
            Counter.builder("capacity.ship.quarantined.by.reason")
                .tag("reason", reason.wireName())
                .register(registry)
                .increment(count));
  }

  private void register(String source) {
    sourceCounter("lines.read", source, s -> s.books().linesRead());
    sourceCounter("acknowledged", source, s -> s.books().acknowledged());
    sourceCounter("quarantined", source, s -> s.books().quarantined());
    sourceCounter("not.ours", source, s -> s.books().notOurs());
    sourceCounter("bytes.read", source, s -> s.books().bytesRead());
    sourceCounter("dropped.at.source", source, s -> s.books().droppedAtSource());
    sourceCounter("future.times", source, s -> s.books().futureTimes());
    sourceGauge("pending", source, s -> s.books().pending());
    sourceGauge("behind.bytes", source, SourceStatus::behindBytes);
    sourceGauge("failed", source, s -> s.state() == SourceStatus.State.FAILED ? 1 : 0);
  }

  private void sourceCounter(String name, String source, ToDoubleFunction<SourceStatus> figure) {
    FunctionCounter.builder("capacity.ship." + name, bySource, all -> figureOf(all, source, figure))
        .tag("source", source)
        .register(registry);
  }

  private void sourceGauge(String name, String source, ToDoubleFunction<SourceStatus> figure) {
    Gauge.builder("capacity.ship." + name, bySource, all -> figureOf(all, source, figure))
        .tag("source", source)
        .register(registry);
  }

  private static double figureOf(
      Map<String, SourceStatus> all, String source, ToDoubleFunction<SourceStatus> figure) {
    SourceStatus now = all.get(source);
    return now == null ? 0 : figure.applyAsDouble(now);
  }
}
