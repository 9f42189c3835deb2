package org.capacityobservatory.alarms;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** What the evaluator says of itself on {@code /metrics}. */
final class AlarmMeters {
  private final MeterRegistry registry;
  private final AtomicLong active = new AtomicLong();
  private final AtomicLong firing = new AtomicLong();
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicLong behindSeconds = new AtomicLong();
  private final AtomicLong seriesLeftOut = new AtomicLong();

  AlarmMeters(MeterRegistry registry) {
    this.registry = registry;
    registry.gauge("capacity.alarms.active", active);
    registry.gauge("capacity.alarms.firing", firing);
    registry.gauge("capacity.alarms.notices.waiting", waiting);
    registry.gauge("capacity.alarms.behind.seconds", behindSeconds);
    registry.gauge("capacity.alarms.series.left.out", seriesLeftOut);
  }

  void active(boolean isActive) {
    active.set(isActive ? 1 : 0);
  }

  void round(long firingNow, int noticesWaiting, Duration behind, long leftOut) {
    firing.set(firingNow);
    waiting.set(noticesWaiting);
    behindSeconds.set(behind.toSeconds());
    seriesLeftOut.set(leftOut);
  }

  void transition(String severity) {
    registry.counter("capacity.alarms.transitions", "severity", severity).increment();
  }

  void failed(String receiver) {
    registry.counter("capacity.alarms.delivery.failures", "receiver", receiver).increment();
  }

  void decided(String receiver, String delivery) {
    registry
        .counter("capacity.alarms.notices", "receiver", receiver, "delivery", delivery)
        .increment();
  }

  void trouble(String with) {
    registry.counter("capacity.alarms.trouble", "with", with).increment();
  }

  void minutesSkipped(long minutes) {
    registry.counter("capacity.alarms.minutes.skipped").increment((double) minutes);
  }
}
