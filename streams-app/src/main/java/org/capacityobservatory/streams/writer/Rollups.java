package org.capacityobservatory.streams.writer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.capacityobservatory.sql.HourRollups;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes {@link HourRollups} every minute; what fails is counted and tried again. */
public final class Rollups implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Rollups.class);
  private static final Duration EVERY = Duration.ofMinutes(1);

  private final HourRollups hours;
  private final Counter made;
  private final Counter failures;
  private final ScheduledExecutorService thread;

  private Rollups(WriterConfig config, MeterRegistry registry) {
    this.hours = new HourRollups(config.clickHouse(), config.layout(), InstantSource.system());
    this.made =
        Counter.builder("capacity.rollup.hours")
            .description("Hours added up from their minutes, again ones included")
            .register(registry);
    this.failures =
        Counter.builder("capacity.rollup.failures")
            .description("Looks for hours to add up that failed, and are made again")
            .register(registry);
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread rolling = new Thread(work, "rollups");
              rolling.setDaemon(true);
              return rolling;
            });
  }

  /** Starts, for a database that a {@link Writer} has brought up to date. */
  public static Rollups start(WriterConfig config, MeterRegistry registry) {
    Rollups rollups = new Rollups(config, registry);
    ScheduledFuture<?> unused =
        rollups.thread.scheduleWithFixedDelay(
            rollups::build, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    return rollups;
  }

  private void build() {
    try {
      made.increment(hours.build());
    } catch (RuntimeException e) {
      failures.increment();
      log.warn("Hours could not be added up; it is tried again: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
