package org.capacityobservatory.localstack;

import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads that run queries, bounded in number, and the one that ends cancelled queries. */
final class QueryPool {
  private static final Logger LOG = LoggerFactory.getLogger(QueryPool.class);
  private static final int WAITING_PER_THREAD = 16;

  /** The engine parses and plans by recursion on the caller's stack. */
  private static final long STACK_BYTES = 16L << 20;

  private static final long KILL_PERIOD_MILLIS = 50;
  private static final long KILLER_JOIN_MILLIS = 2_000;

  private final Engine engine;
  private final ThreadPoolExecutor threads;
  private final Thread killer;
  private final Set<RunningQuery> running = ConcurrentHashMap.newKeySet();

  QueryPool(Engine engine, int concurrent) {
    this.engine = engine;
    AtomicInteger number = new AtomicInteger();
    threads =
        new ThreadPoolExecutor(
            concurrent,
            concurrent,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(concurrent * WAITING_PER_THREAD),
            task -> new Thread(null, task, "query-" + number.incrementAndGet(), STACK_BYTES));
    threads.allowCoreThreadTimeOut(true);
    killer = new Thread(this::killCancelled, "query-killer");
    killer.setDaemon(true);
    killer.start();
  }

  /** Runs the task when a thread is free; false when too many wait already. */
  boolean submit(RunningQuery query, Runnable task) {
    try {
      threads.execute(
          () -> {
            running.add(query);
            try {
              task.run();
            } finally {
              running.remove(query);
            }
          });
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** A kill finds nothing while a query is only about to begin, so it is repeated until the end. */
  private void killCancelled() {
    try {
      while (true) {
        Thread.sleep(KILL_PERIOD_MILLIS);
        for (RunningQuery query : running) {
          if (query.isCancelled()) {
            engine.kill(query.mark());
          }
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("no more queries to cancel");
    } catch (EngineException e) {
      LOG.error("cancelled queries can't be ended any more", e);
    }
  }

  /**
   * Takes no more queries, gives those that run a moment to end, and then cancels them.
   *
   * @return whether all have ended
   */
  boolean close(long graceMillis, long cancelMillis) {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(graceMillis, TimeUnit.MILLISECONDS)) {
        threads.getQueue().clear();
        running.forEach(RunningQuery::cancel);
      }
      return threads.awaitTermination(cancelMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      stopKiller();
    }
  }

  private void stopKiller() {
    killer.interrupt();
    try {
      // It may be in the middle of a call into the engine, which is closed next.
      killer.join(KILLER_JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
