package org.capacityobservatory.api;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One answer for all who ask the same at the same time, and for a moment after: many people watch
 * the same page, and its answers say themselves of when they are.
 */
final class Sharing {
  private final Duration kept;
  private final LongSupplier nanoClock;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();

  /** An answer that is being made or was. */
  private static final class Answer {
    final CompletableFuture<Object> made = new CompletableFuture<>();
    volatile long madeNanos;
  }

  /**
   * Shares answers.
   *
   * @param kept for how long an answer is given to others after it was made
   */
  Sharing(Duration kept, LongSupplier nanoClock) {
    this.kept = kept;
    this.nanoClock = nanoClock;
  }

  /**
   * The answer to a question, made by one of those who ask it; a failure is told to those who wait
   * for it, and kept for nobody.
   *
   * @param question all that the answer follows from
   */
  @SuppressWarnings("unchecked") // one question always has answers of one type
  <T> T to(String question, Supplier<T> make) {
    forgetOld();
    Answer mine = new Answer();
    Answer known = answers.putIfAbsent(question, mine);
    if (known == null) {
      return made(question, mine, make);
    }
    try {
      return (T) known.made.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }

  private <T> T made(String question, Answer mine, Supplier<T> make) {
    try {
      T answer = make.get();
      mine.madeNanos = nanoClock.getAsLong();
      mine.made.complete(answer);
      return answer;
    } catch (RuntimeException | Error e) {
      answers.remove(question, mine);
      mine.made.completeExceptionally(e);
      throw e;
    }
  }

  private void forgetOld() {
    long now = nanoClock.getAsLong();
    answers.values().removeIf(one -> one.made.isDone() && now - one.madeNanos > kept.toNanos());
  }
}
