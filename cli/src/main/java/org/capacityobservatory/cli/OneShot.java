package org.capacityobservatory.cli;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.capacityobservatory.shipper.Shipper;
import org.capacityobservatory.shipper.ShipperConfig;
import org.capacityobservatory.shipper.ShipperStatus;
import org.capacityobservatory.shipper.SourceStatus;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.NamedQuery;
import org.jdbi.v3.core.Jdbi;

/**
 * Ships files to their present end, waits until each of their lines can be queried, and reads the
 * numbers.
 */
final class OneShot {
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);

  /** Nothing at all arriving for this long means that a process hangs. */
  private static final Duration STANDSTILL = Duration.ofSeconds(90);

  private final Stack stack;
  private final CompletableFuture<Throwable> givenUp;
  private final Progress progress;
  private final Jdbi clickHouse;
  private final Map<String, String> unread = new TreeMap<>();

  OneShot(Stack stack, CompletableFuture<Throwable> givenUp, Progress progress) {
    this.stack = stack;
    this.givenUp = givenUp;
    this.progress = progress;
    this.clickHouse = ClickHouse.queries(stack.reader(), new Properties());
  }

  /**
   * Runs to the numbers.
   *
   * @param files paths or globs
   * @param identity the shipper's, under which its positions are kept
   * @param ownsDatabase whether the database holds nothing else that is still on its way, so that
   *     the minutes can be held against the rows
   */
  Summary run(List<String> files, String identity, boolean ownsDatabase)
      throws InterruptedException {
    CompletableFuture<Boolean> pipeline =
        Stack.together(
            () -> {
              stack.startPipeline();
              return true;
            });
    Map<String, Long> kept = ship(files, identity);
    Stack.joined(pipeline);
    if (kept.isEmpty()) {
      throw new CommandException("None of the files could be read: " + String.join(", ", files));
    }
    awaitStored(kept);
    if (ownsDatabase) {
      awaitMinutes();
    }
    return new SummaryReader(clickHouse, kept.keySet(), unread).read();
  }

  /** The lines of each source that must become rows: acknowledged and quarantined ones. */
  private Map<String, Long> ship(List<String> files, String identity) throws InterruptedException {
    ShipperConfig config =
        ShipperConfig.builder()
            .bootstrapServers(stack.kafka())
            .identity(identity)
            .files(files)
            .once(true)
            .build();
    ShipperStatus status = shipped(config);
    Map<String, Long> kept = new TreeMap<>();
    for (SourceStatus source : status.sources()) {
      if (source.problem() != null) {
        progress.say("WARNING: " + source.source() + ": " + source.problem());
        unread.put(source.source(), source.problem());
      }
      if (source.state() != SourceStatus.State.FAILED) {
        kept.put(source.source(), source.books().acknowledged() + source.books().quarantined());
      }
    }
    progress.say(shippedWords(status));
    return kept;
  }

  private ShipperStatus shipped(ShipperConfig config) throws InterruptedException {
    try (Shipper shipper = new Shipper(config, InstantSource.system(), new SimpleMeterRegistry())) {
      shipper.start();
      ShipperStatus status = shipper.awaitDone(LOOK_EVERY);
      while (status.state() != ShipperStatus.State.DONE) {
        throwIfGivenUp();
        status = shipper.awaitDone(LOOK_EVERY);
      }
      return status;
    }
  }

  private static String shippedWords(ShipperStatus status) {
    long read = status.sources().stream().mapToLong(s -> s.books().linesRead()).sum();
    long ours = status.sources().stream().mapToLong(s -> s.books().acknowledged()).sum();
    return String.format(
        Locale.ROOT,
        "Shipped %,d of the limiter's lines, of %,d in %d files",
        ours,
        read,
        status.sources().size());
  }

  private void awaitStored(Map<String, Long> kept) throws InterruptedException {
    long wanted = kept.values().stream().mapToLong(Long::longValue).sum();
    Standstill standstill = new Standstill(STANDSTILL);
    while (true) {
      throwIfGivenUp();
      Map<String, Long> stored = stored(kept);
      boolean all =
          kept.entrySet().stream()
              .allMatch(e -> stored.getOrDefault(e.getKey(), 0L) >= e.getValue());
      if (all && finishedBooks(kept) == kept.size()) {
        progress.say(String.format(Locale.ROOT, "All %,d lines can be queried", wanted));
        return;
      }
      long now = stored.values().stream().mapToLong(Long::longValue).sum();
      if (standstill.lastsAt(now)) {
        throw new CommandException(
            "Only %,d of %,d lines can be queried, and no more have come for %d s: see the logs of streams and write"
                .formatted(now, wanted, STANDSTILL.toSeconds()));
      }
      Thread.sleep(LOOK_EVERY.toMillis());
    }
  }

  private Map<String, Long> stored(Map<String, Long> kept) {
    return clickHouse.withHandle(
        handle -> {
          Map<String, Long> stored = new HashMap<>();
          handle
              .createQuery(NamedQuery.text("summary-stored"))
              .bindList("sources", List.copyOf(kept.keySet()))
              .map((row, context) -> Map.entry(row.getString("source"), row.getLong("stored")))
              .forEach(e -> stored.put(e.getKey(), e.getValue()));
          return stored;
        });
  }

  /** Sources whose newest stored book is their last one. */
  private int finishedBooks(Map<String, Long> kept) {
    return clickHouse.withHandle(
        handle ->
            (int)
                handle
                    .createQuery(NamedQuery.text("summary-books"))
                    .bindList("sources", List.copyOf(kept.keySet()))
                    .map(
                        (row, context) ->
                            !row.getString("state").equals("live")
                                && row.getLong("kept")
                                    >= kept.getOrDefault(row.getString("source"), 0L))
                    .filter(finished -> finished)
                    .stream()
                    .count());
  }

  /** The minutes come by another way than the rows: each timed call must be in one. */
  private void awaitMinutes() throws InterruptedException {
    Standstill standstill = new Standstill(STANDSTILL);
    while (true) {
      throwIfGivenUp();
      Recount recount = recount();
      if (recount.inMinutes() == recount.inCalls()) {
        progress.say(
            String.format(Locale.ROOT, "The minutes hold the same %,d calls", recount.inCalls()));
        return;
      }
      if (standstill.lastsAt(recount.inMinutes())) {
        throw new CommandException(
            "The minutes hold %,d calls and the rows %,d: they should be the same"
                .formatted(recount.inMinutes(), recount.inCalls()));
      }
      Thread.sleep(LOOK_EVERY.toMillis());
    }
  }

  private record Recount(long inCalls, long inMinutes) {}

  private Recount recount() {
    return clickHouse.withHandle(
        handle ->
            handle
                .createQuery(NamedQuery.text("minutes-recount"))
                .map(
                    (row, context) ->
                        new Recount(row.getLong("in_calls"), row.getLong("in_minutes")))
                .one());
  }

  private void throwIfGivenUp() {
    if (givenUp.isDone()) {
      throw new CommandException("Stopped without numbers: " + givenUp.join().getMessage());
    }
  }
}
