package org.capacityobservatory.shipper;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.capacityobservatory.log.EntryName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of a log group, sweep by sweep: a sweep is all pages from a time on. One page is asked
 * for at a time, in a thread of its own, and the next one when its events have been given out.
 */
final class CloudWatchTap implements Tap {
  private static final Logger log = LoggerFactory.getLogger(CloudWatchTap.class);
  private static final long FIRST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** So many passing failures in a row are no matter; more of them are told as a problem. */
  private static final int PASSING_FAILURES = 5;

  /** So many tokens in a row may be refused before it is taken for more than their age. */
  private static final int TOKENS = 3;

  private final FeedConfig.CloudWatch config;
  private final EventPages pages;
  private final CloudWatchLedger ledger;
  private final boolean once;
  private final ExecutorService asker =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "ship-cloudwatch");
            thread.setDaemon(true);
            return thread;
          });
  private final Deque<CloudWatchEvent> events = new ArrayDeque<>();
  private @Nullable Future<EventPages.Page> asked;
  private @Nullable String token;
  private boolean sweeping;
  private long sweepFromMillis;
  private long sweepBeganMillis;
  private boolean lastPage;
  private long sweepsDone;
  private boolean waiting;
  private long nextNanos;
  private int failures;
  private int tokensRefused;
  private boolean atEnd;
  private boolean over;
  private @Nullable String problem;

  CloudWatchTap(
      FeedConfig.CloudWatch config, EventPages pages, CloudWatchLedger ledger, boolean once) {
    this.config = config;
    this.pages = pages;
    this.ledger = ledger;
    this.once = once;
  }

  @Override
  public @Nullable Chunk poll(long nowMillis, long nowNanos) {
    Chunk next = nextEvent();
    if (next != null || over) {
      return next;
    }
    if (lastPage) {
      lastPage = false;
      sweeping = false;
      atEnd = true;
      sweepsDone++;
      ledger.sweepDone(sweepBeganMillis, config.overlap());
      if (once) {
        over = true;
        return null;
      }
      waitFor(config.pollInterval().toNanos(), nowNanos);
    }
    Future<EventPages.Page> answer = asked;
    if (answer == null) {
      ask(nowMillis, nowNanos);
      return null;
    }
    if (!answer.isDone()) {
      return null;
    }
    asked = null;
    take(answer, nowNanos);
    return nextEvent();
  }

  private @Nullable Chunk nextEvent() {
    for (CloudWatchEvent event = events.poll(); event != null; event = events.poll()) {
      String id = event.id();
      Long time = event.timestamp();
      if (id == null || id.isEmpty() || time == null) {
        // The service names and dates each event; without that a repeat can't be told.
        return new Chunk(event.line(), null);
      }
      EntryName name = new EntryName(EntryName.CLOUDWATCH, id);
      if (ledger.gives(name, time)) {
        return new Chunk(event.line(), name);
      }
    }
    return null;
  }

  private void ask(long nowMillis, long nowNanos) {
    if (waiting && nowNanos - nextNanos < 0) {
      return;
    }
    waiting = false;
    if (!sweeping) {
      sweeping = true;
      sweepBeganMillis = nowMillis;
      sweepFromMillis = ledger.fromMillis();
      token = null;
    }
    long from = sweepFromMillis;
    String with = token;
    asked = asker.submit(() -> pages.page(from, with));
  }

  private void waitFor(long nanos, long nowNanos) {
    waiting = true;
    nextNanos = nowNanos + nanos;
  }

  private void take(Future<EventPages.Page> answer, long nowNanos) {
    try {
      EventPages.Page page = answer.get();
      failures = 0;
      tokensRefused = token == null ? tokensRefused : 0;
      problem = null;
      events.addAll(page.events());
      atEnd &= page.events().isEmpty();
      token = page.nextToken();
      lastPage = token == null;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof EventPages.Refusal refusal) {
        refused(refusal, nowNanos);
      } else {
        throw new IllegalArgumentException("Asking CloudWatch Logs failed: " + e.getCause(), e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void refused(EventPages.Refusal refusal, long nowNanos) {
    String sentence = String.valueOf(refusal.getMessage());
    failures++;
    boolean lasting = refusal.kind() == EventPages.Refusal.Kind.LASTING;
    if (refusal.kind() == EventPages.Refusal.Kind.TOKEN) {
      // A token lives for a day: the sweep begins anew, and what is shipped of it is known.
      sweeping = false;
      tokensRefused++;
      lasting = tokensRefused > TOKENS;
      log.info("{}: the pages are asked for from the start again", sentence);
    }
    if (lasting && once) {
      throw new ShipperException(ShipperException.Kind.SOURCE_UNREADABLE, sentence);
    }
    if (lasting || failures > PASSING_FAILURES) {
      if (!sentence.equals(problem)) {
        log.warn("{}; it is tried again", sentence);
      }
      problem = sentence;
    }
    long wait = FIRST_WAIT_NANOS << Math.min(failures - 1, 10);
    waitFor(Math.min(MAX_WAIT_NANOS, wait), nowNanos);
  }

  long sweepsDone() {
    return sweepsDone;
  }

  @Override
  public void stop() {
    over = true;
  }

  @Override
  public boolean isOver() {
    return over && events.isEmpty();
  }

  @Override
  public boolean isAtEnd() {
    return atEnd && events.isEmpty();
  }

  @Override
  public long linesOnHand() {
    return 0;
  }

  @Override
  public @Nullable String problem() {
    return problem;
  }

  @Override
  public void close() {
    asker.shutdownNow();
    pages.close();
  }
}
