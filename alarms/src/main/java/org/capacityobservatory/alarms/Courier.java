package org.capacityobservatory.alarms;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one receiver's notices to it, one at a time and in order, so that a kill repeats one at
 * most, and a resolved never comes before its firing.
 *
 * <p>The book is touched by the evaluator's thread only; the receiver by the executor's.
 */
final class Courier {
  private static final Logger log = LoggerFactory.getLogger(Courier.class);

  private final Receiver receiver;
  private final EvaluatorConfig config;
  private final Backoff backoff;
  private final Executor executor;
  private final AlarmMeters meters;
  private @Nullable Notice underWay;
  private CompletableFuture<@Nullable DeliveryException> outcome =
      CompletableFuture.completedFuture(null);
  private int tries;
  private Instant notBefore = Instant.MIN;
  private Instant nextReminder = Instant.MIN;

  Courier(
      Receiver receiver,
      EvaluatorConfig config,
      Backoff backoff,
      Executor executor,
      AlarmMeters meters) {
    this.receiver = receiver;
    this.config = config;
    this.backoff = backoff;
    this.executor = executor;
    this.meters = meters;
  }

  String name() {
    return receiver.name();
  }

  /**
   * Goes on: takes in what has come of a try, and begins the next one when it is due.
   *
   * @param firing alarms that the receiver may have to be reminded of
   */
  void tick(Book book, Supplier<List<Transition>> firing, Instant now) {
    if (!outcome.isDone()) {
      return;
    }
    if (underWay != null) {
      takeIn(book, underWay, now);
    }
    Notice next = book.next(receiver.name());
    if (next != null) {
      if (!now.isBefore(notBefore)) {
        begin(next);
      }
    } else if (!now.isBefore(nextReminder)) {
      nextReminder = now.plus(config.remindEvery());
      remind(firing.get(), now);
    }
  }

  /** Whether a try is under way or due. */
  boolean isTelling(Book book, Instant now) {
    return underWay != null || (!now.isBefore(notBefore) && book.next(receiver.name()) != null);
  }

  private void begin(Notice notice) {
    underWay = notice;
    outcome = CompletableFuture.supplyAsync(() -> attempt(notice), executor);
  }

  private @Nullable DeliveryException attempt(Notice notice) {
    try {
      receiver.deliver(notice);
      return null;
    } catch (DeliveryException e) {
      return e;
    } catch (RuntimeException e) {
      log.error("Receiver {} failed in a way it should not", receiver.name(), e);
      return DeliveryException.passing(e.toString(), e);
    }
  }

  private void remind(List<Transition> firing, Instant now) {
    if (firing.isEmpty()) {
      return;
    }
    outcome =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                receiver.remind(firing, now);
              } catch (DeliveryException e) {
                log.warn("Receiver {} wasn't reminded: {}", receiver.name(), e.getMessage());
              }
              return null;
            },
            executor);
  }

  private void takeIn(Book book, Notice notice, Instant now) {
    DeliveryException failure = outcome.join();
    underWay = null;
    if (failure == null) {
      decided(book, notice, HistoryRow.DELIVERED, now);
      return;
    }
    tries++;
    meters.failed(receiver.name());
    boolean tooOld = !now.isBefore(notice.createdAt().plus(config.giveUpAfter()));
    if (failure.isLasting() || tooOld) {
      log.error(
          "Gave up telling {} of {}: {}", receiver.name(), notice.rule(), failure.getMessage());
      decided(book, notice, HistoryRow.GIVEN_UP, now);
      return;
    }
    Duration wait = backoff.after(tries, failure.retryAfter());
    notBefore = now.plus(wait);
    log.warn(
        "Receiver {} wasn't told of {}, again in {}: {}",
        receiver.name(),
        notice.rule(),
        wait,
        failure.getMessage());
  }

  private void decided(Book book, Notice notice, String delivery, Instant now) {
    tries = 0;
    notBefore = Instant.MIN;
    book.decided(notice, delivery, now);
    // What was decided is committed before the next notice goes out.
    book.commit();
    meters.decided(receiver.name(), delivery);
  }
}
