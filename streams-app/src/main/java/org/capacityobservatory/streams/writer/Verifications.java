package org.capacityobservatory.streams.writer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.capacityobservatory.sql.NamedQuery;
import org.capacityobservatory.sql.Verification;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recounts the newest complete minutes on a schedule, and tells the result in {@code verifications}
 * and in {@code capacity.verify.…}.
 *
 * <p>A recount that can't be made is a failure that is counted, never one that agrees: the age of
 * the newest one shows on the page and in the gauges.
 */
public final class Verifications implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Verifications.class);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Duration FIRST_AFTER = Duration.ofSeconds(30);
  private static final JsonFactory JSON = new JsonFactory();

  private final VerificationSchedule schedule;
  private final Duration retention;
  private final Jdbi queries;
  private final ClickHouseHttp clickHouse;
  private final InstantSource clock;
  private final Counter failures;
  private final ScheduledExecutorService thread;
  private volatile double differingCells = Double.NaN;
  private volatile double differences = Double.NaN;
  private volatile double verifiedAtSeconds = Double.NaN;

  private Verifications(
      WriterConfig config,
      VerificationSchedule schedule,
      InstantSource clock,
      MeterRegistry registry) {
    this.schedule = schedule;
    this.retention = Duration.ofDays(config.retention().rowDays());
    Properties settings = new Properties();
    settings.setProperty("max_execution_time", Long.toString(TIMEOUT.toSeconds()));
    this.queries = ClickHouse.queries(config.clickHouse(), settings);
    this.clickHouse = new ClickHouseHttp(config.clickHouse(), TIMEOUT);
    this.clock = clock;
    this.failures =
        Counter.builder("capacity.verify.failures")
            .description("Recounts that could not be made")
            .register(registry);
    Gauge.builder("capacity.verify.differing.cells", () -> differingCells)
        .description("Cells that the newest recount doesn't confirm; NaN: there has been none")
        .register(registry);
    Gauge.builder("capacity.verify.differences", () -> differences)
        .description("All that the newest recount found to differ; NaN: there has been none")
        .register(registry);
    Gauge.builder("capacity.verify.time", () -> verifiedAtSeconds)
        .description("When the newest recount was made, by epoch; NaN: there has been none")
        .baseUnit("seconds")
        .register(registry);
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread made = new Thread(work, "verify");
              made.setDaemon(true);
              return made;
            });
  }

  /** Starts the schedule, for a database that a {@link Writer} has brought up to date. */
  public static Verifications start(
      WriterConfig config, VerificationSchedule schedule, MeterRegistry registry) {
    Verifications verifications =
        new Verifications(config, schedule, InstantSource.system(), registry);
    long every = schedule.every().toMillis();
    ScheduledFuture<?> unused =
        verifications.thread.scheduleWithFixedDelay(
            verifications::verifyNow,
            Math.min(every, FIRST_AFTER.toMillis()),
            every,
            TimeUnit.MILLISECONDS);
    return verifications;
  }

  private void verifyNow() {
    try {
      Optional<Instant> complete = completeUntil();
      if (complete.isPresent()) {
        Instant end = complete.get().truncatedTo(ChronoUnit.MINUTES);
        tell(
            Verification.lasting(
                queries,
                end.minus(schedule.period()).truncatedTo(ChronoUnit.MINUTES),
                end,
                clock,
                schedule.patience(),
                retention,
                schedule.nearLimitShare()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failures.increment();
      log.warn("The minutes could not be recounted; it is tried again: {}", e.getMessage());
    }
  }

  private Optional<Instant> completeUntil() {
    return queries.withHandle(
        handle ->
            handle
                .createQuery(NamedQuery.text("minutes-complete"))
                .map((row, context) -> row.getObject("complete_ms"))
                .findOne()
                .map(millis -> Instant.ofEpochMilli(((Number) millis).longValue())));
  }

  private void tell(Verification result) {
    Instant now = clock.instant();
    clickHouse.insertBlock(
        "verifications", List.of(row(result, now)), 1, "verification:" + now.toEpochMilli());
    differingCells = (double) result.differingCells();
    differences = (double) result.differences().size();
    verifiedAtSeconds = now.toEpochMilli() / 1e3;
    if (!result.agrees()) {
      log.warn(
          "A recount of {} to {} differs: {}", result.from(), result.to(), result.differences());
    }
  }

  private static byte[] row(Verification result, Instant now) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeNumberField("verified_at", now.toEpochMilli());
      json.writeNumberField("period_start", result.from().getEpochSecond());
      json.writeNumberField("period_end", result.to().getEpochSecond());
      json.writeNumberField("calls", result.calls());
      json.writeNumberField("hidden_doubles", result.hiddenDoubles());
      json.writeNumberField("in_flight", result.inFlight());
      json.writeNumberField("differing_cells", result.differingCells());
      json.writeFieldName("differences");
      json.writeArray(result.differences().toArray(String[]::new), 0, result.differences().size());
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException("Writing JSON to memory failed", e);
    }
    return bytes.toByteArray();
  }

  /** Ends the schedule; a recount under way is broken off. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
