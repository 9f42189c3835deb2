package org.capacityobservatory.benchmarks.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** People with an open page, each with a token of their own. */
final class Users {
  /** A browser opens so many connections to one host. */
  private static final int CONNECTIONS = 6;

  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final long MOST_MILLIS = 120_000;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Histogram millis = new ConcurrentHistogram(MOST_MILLIS * 1000, 3);
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();

  /** What was measured: microseconds of each request that was answered, and how many weren't. */
  record Measured(Histogram micros, int refused, int failed) {
    double millis(double percentile) {
      return micros.getValueAtPercentile(percentile) / 1000.0;
    }
  }

  /**
   * Lets each user ask all questions at once, as the page does, and again after a while.
   *
   * @param tokens one a user
   * @param pause between two rounds of a user; they begin at any moment within the first
   */
  static Measured ask(List<String> tokens, List<URI> questions, Duration pause, Duration length)
      throws IOException {
    Users users = new Users();
    long endNanos = System.nanoTime() + length.toNanos();
    ExecutorService threads = Executors.newFixedThreadPool(tokens.size());
    List<Future<?>> running = new ArrayList<>();
    for (String token : tokens) {
      running.add(
          threads.submit(
              () -> {
                users.rounds(token, questions, pause, endNanos);
                return null;
              }));
    }
    threads.shutdown();
    try {
      for (Future<?> one : running) {
        one.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException("A user failed", e);
    }
    return new Measured(users.millis, users.refused.get(), users.failed.get());
  }

  private void rounds(String token, List<URI> questions, Duration pause, long endNanos)
      throws InterruptedException {
    if (!pause.isZero()) {
      Thread.sleep(ThreadLocalRandom.current().nextLong(pause.toMillis()));
    }
    while (System.nanoTime() < endNanos) {
      round(token, questions);
      Thread.sleep(pause.toMillis());
    }
  }

  private void round(String token, List<URI> questions) throws InterruptedException {
    Semaphore connections = new Semaphore(CONNECTIONS);
    for (URI question : questions) {
      connections.acquire();
      HttpRequest request =
          HttpRequest.newBuilder(question)
              .header("Authorization", "Bearer " + token)
              .timeout(LONGEST)
              .build();
      long askedNanos = System.nanoTime();
      CompletableFuture<HttpResponse<String>> answer =
          client.sendAsync(request, BodyHandlers.ofString(UTF_8));
      CompletableFuture<HttpResponse<String>> unused =
          answer.whenComplete(
              (response, failure) -> {
                if (failure == null && response.statusCode() == 200) {
                  millis.recordValue(
                      Math.min(MOST_MILLIS * 1000, (System.nanoTime() - askedNanos) / 1000));
                } else if (failure == null && response.statusCode() == 429) {
                  refused.incrementAndGet();
                } else {
                  failed.incrementAndGet();
                }
                connections.release();
              });
    }
    connections.acquire(CONNECTIONS);
  }
}
