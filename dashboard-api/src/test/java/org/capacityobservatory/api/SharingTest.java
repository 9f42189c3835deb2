package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SharingTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger made = new AtomicInteger();
  private final Sharing sharing = new Sharing(Duration.ofSeconds(1), nanos::get);

  private Object ask(String question) {
    return sharing.to(question, made::incrementAndGet);
  }

  @Test
  void theSameQuestionIsAnsweredOnceWithinASecond() {
    assertThat(ask("a")).isEqualTo(1);
    nanos.addAndGet(SECOND);
    assertThat(ask("a")).isEqualTo(1);
    assertThat(ask("b")).isEqualTo(2);
    nanos.addAndGet(SECOND + 1);
    assertThat(ask("a")).isEqualTo(3);
  }

  @Test
  void whoeverAsksMeanwhileWaitsForTheSameAnswer() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    CompletableFuture<Object> first =
        CompletableFuture.supplyAsync(
            () ->
                sharing.to(
                    "a",
                    () -> {
                      begun.countDown();
                      waitFor(go);
                      return made.incrementAndGet();
                    }));
    begun.await();
    // Longer than an answer is kept: one that is still being made is not old.
    nanos.addAndGet(5 * SECOND);
    CompletableFuture<Object> second = CompletableFuture.supplyAsync(() -> ask("a"));
    go.countDown();

    assertThat(List.of(first.join(), second.join())).containsExactly(1, 1);
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFailureIsNotKept() {
    assertThatThrownBy(
            () ->
                sharing.to(
                    "a",
                    () -> {
                      throw new IllegalArgumentException("as asked");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(ask("a")).isEqualTo(1);
  }

  @Test
  void oneCallersQuestionsWaitForEachOtherAndKeepNobodyElse() {
    Turns turns = new Turns(1, Duration.ofMillis(20));
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    CompletableFuture<Integer> first =
        CompletableFuture.supplyAsync(
            () ->
                turns.take(
                    "one",
                    () -> {
                      int now = running.incrementAndGet();
                      waitFor(go);
                      return now;
                    }));
    await().until(() -> running.get() == 1);

    assertThatThrownBy(() -> turns.take("one", () -> 2))
        .isInstanceOfSatisfying(
            ProblemException.class, e -> assertThat(e.problem().status()).isEqualTo(429));
    assertThat(turns.<Integer>take("other", () -> 3)).isEqualTo(3);
    go.countDown();
    assertThat(first.join()).isEqualTo(1);
    assertThat(turns.<Integer>take("one", () -> 4)).isEqualTo(4);
  }
}
