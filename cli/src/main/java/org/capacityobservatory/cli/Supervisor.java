package org.capacityobservatory.cli;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches processes, starts the dead again or gives up, and stops all in the reverse order.
 *
 * <p>Safe for several threads.
 */
final class Supervisor implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Supervisor.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** What a death means. */
  enum AtDeath {
    /** For a service: start it again, for as long as it takes. */
    RESTART,
    /** For a job: its result couldn't be trusted. */
    GIVE_UP
  }

  private final AtDeath atDeath;
  private final Progress progress;
  private final Deque<Supervised> watched = new ArrayDeque<>();
  private final CompletableFuture<Throwable> givenUp = new CompletableFuture<>();
  private boolean closed;

  Supervisor(AtDeath atDeath, Progress progress) {
    this.atDeath = atDeath;
    this.progress = progress;
  }

  /** Takes over a process that runs; stops it at once when all is being stopped already. */
  void watch(Supervised process) {
    boolean tooLate;
    synchronized (this) {
      tooLate = closed;
      if (!closed) {
        watched.push(process);
      }
    }
    if (tooLate) {
      process.close();
      throw new CommandException(process.name() + " was started while all is being stopped");
    }
    awaitDeath(process);
  }

  /** Completes when a process died and that is the end. */
  CompletableFuture<Throwable> givenUp() {
    return givenUp;
  }

  private void awaitDeath(Supervised process) {
    CompletableFuture<Void> unused =
        process
            .onExit()
            .thenAcceptAsync(
                exitCode -> {
                  if (isClosed()) {
                    return;
                  }
                  if (atDeath == AtDeath.GIVE_UP) {
                    givenUp.complete(
                        new CommandException(
                            process.name()
                                + " ended with exit code "
                                + exitCode
                                + " before its time"));
                  } else {
                    progress.say(
                        process.name()
                            + " ended with exit code "
                            + exitCode
                            + ": starting it again");
                    restart(process);
                  }
                },
                command -> new Thread(command, "restart-" + process.name()).start());
  }

  private void restart(Supervised process) {
    Duration pause = FIRST_PAUSE;
    while (!isClosed()) {
      try {
        Thread.sleep(pause.toMillis());
        process.restart();
        progress.say(process.name() + " runs again");
        awaitDeath(process);
        return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException e) {
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
        progress.say(
            "%s did not start (%s): trying again in %d s"
                .formatted(process.name(), e.getMessage(), pause.toSeconds()));
        log.debug("The whole story", e);
      }
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** Stops the last started first: whoever uses a server ends before it. */
  @Override
  public void close() {
    List<Supervised> lastFirst;
    synchronized (this) {
      closed = true;
      lastFirst = List.copyOf(watched);
      watched.clear();
    }
    lastFirst.forEach(Supervised::close);
  }
}
