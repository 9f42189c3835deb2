package org.capacityobservatory.localstack;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The child's side of {@link ChildProcess}: a main method calls {@link #arm} first, {@link #ready}
 * when it can be used, or {@link #refuse} when it can't start, and {@link #awaitStop} at its end.
 *
 * <p>Started by hand, without a parent, the same main runs until SIGTERM or Ctrl-C: its stdin is
 * watched only when a {@link ChildProcess} asked for that through the environment.
 */
public final class ChildMain {
  private static final Logger LOG = LoggerFactory.getLogger(ChildMain.class);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(25);

  private final PrintStream out;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicReference<@Nullable Runnable> atStop = new AtomicReference<>();

  private ChildMain(PrintStream out) {
    this.out = out;
  }

  /**
   * Takes over stdout for the protocol (what the program prints itself goes to stderr from now on),
   * and, when a parent watches, ends this process once its stdin does.
   */
  public static ChildMain arm() {
    ChildMain child = new ChildMain(System.out);
    System.setOut(System.err);
    Runtime.getRuntime().addShutdownHook(new Thread(child::runStop, "stop"));
    if (System.getenv(ChildProcess.WATCHED) != null) {
      Thread watch = new Thread(child::exitAtEndOfStdin, "parent-watch");
      watch.setDaemon(true);
      watch.start();
    }
    return child;
  }

  /**
   * Says what closes the program; runs once, at SIGTERM, Ctrl-C (when started by hand) or the
   * parent's death. A close that takes longer than 25 s is cut short.
   */
  public void onStop(Runnable close) {
    atStop.set(close);
  }

  /** Tells the parent that the program can be used; keys and values hold no blanks. */
  public void ready(Map<String, ?> values) {
    StringBuilder line = new StringBuilder(ChildProcess.READY);
    values.forEach((key, value) -> line.append(' ').append(key).append('=').append(value));
    out.println(line);
    out.flush();
  }

  /**
   * Tells the parent, or the person at the terminal, why the program can't start; doesn't return.
   */
  public void refuse(String sentence) {
    String oneLine = sentence.replaceAll("\\s+", " ").trim();
    out.println(
        System.getenv(ChildProcess.WATCHED) == null
            ? oneLine
            : ChildProcess.REFUSED + " " + oneLine);
    out.flush();
    System.exit(1);
  }

  /** Waits until the program is told to stop, and has stopped. */
  public void awaitStop() {
    boolean interrupted = true;
    while (interrupted) {
      try {
        stopping.await();
        stopped.await();
        interrupted = false;
      } catch (InterruptedException e) {
        LOG.debug("interrupted while waiting to be stopped");
      }
    }
  }

  private void runStop() {
    stopping.countDown();
    Thread limit = new Thread(ChildMain::haltLater, "stop-limit");
    limit.setDaemon(true);
    limit.start();
    Runnable close = atStop.getAndSet(null);
    try {
      if (close != null) {
        close.run();
      }
    } catch (RuntimeException e) {
      LOG.error("the program did not close cleanly", e);
    } finally {
      stopped.countDown();
    }
  }

  private static void haltLater() {
    try {
      Thread.sleep(STOP_LIMIT.toMillis());
      LOG.error("the program did not close in {}: ending it", STOP_LIMIT);
      Runtime.getRuntime().halt(3);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void exitAtEndOfStdin() {
    try {
      while (System.in.read() >= 0) {
        // A parent sends nothing; only the end of it matters.
      }
      // A parent that closes this process ends its stdin too, right after SIGTERM.
      if (stopping.await(500, TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (IOException e) {
      LOG.debug("stdin broke", e);
    } catch (InterruptedException e) {
      LOG.debug("interrupted while watching the parent", e);
    }
    LOG.info("the parent process is gone: closing");
    System.exit(0);
  }
}
