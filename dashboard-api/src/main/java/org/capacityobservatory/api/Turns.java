package org.capacityobservatory.api;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Lets each caller have few questions answered at once, so that one can't keep all others waiting.
 */
final class Turns {
  private final int atOnce;
  private final Duration patience;
  private final Map<String, Semaphore> callers = new ConcurrentHashMap<>();

  /**
   * Makes the turns.
   *
   * @param atOnce how many questions of one caller are answered at once
   * @param patience how long a further one waits
   */
  Turns(int atOnce, Duration patience) {
    this.atOnce = atOnce;
    this.patience = patience;
  }

  /**
   * Does some work when it is its turn, first come first served.
   *
   * @throws ProblemException when its turn doesn't come
   */
  <T> T take(String caller, Supplier<T> work) {
    // Callers are tokens, which are few.
    Semaphore free = callers.computeIfAbsent(caller, name -> new Semaphore(atOnce, true));
    if (!acquired(free)) {
      throw new ProblemException(
          Problem.of(
              "too-many-requests",
              429,
              "Too many requests",
              atOnce
                  + " questions of one token are answered at once, and this one's turn didn't come"
                  + " within "
                  + patience.toSeconds()
                  + " s: wait a moment, or ask for less"));
    }
    try {
      return work.get();
    } finally {
      free.release();
    }
  }

  private boolean acquired(Semaphore free) {
    try {
      return free.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
