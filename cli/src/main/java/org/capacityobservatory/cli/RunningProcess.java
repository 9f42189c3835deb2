package org.capacityobservatory.cli;

import java.util.concurrent.CompletableFuture;
import org.capacityobservatory.localstack.ChildMain;

/** A process of ours that runs until it is told to stop, or until its work fails. */
final class RunningProcess {
  private RunningProcess() {}

  /** What a process does. */
  interface Work {
    /**
     * Starts the work, names what closes it by {@link ChildMain#onStop}, and says when it is ready.
     *
     * @return completes with what makes the work fail, if anything does
     */
    CompletableFuture<Throwable> start(ChildMain process) throws InterruptedException;
  }

  /**
   * Runs to the end.
   *
   * @return the exit code: 0 when told to stop
   */
  static int run(Work work) throws InterruptedException {
    ChildMain process = ChildMain.arm();
    CompletableFuture<Throwable> failure;
    try {
      failure = work.start(process);
    } catch (RuntimeException e) {
      if (Sentences.isSentence(e)) {
        process.refuse(String.valueOf(e.getMessage()));
      }
      throw e;
    }
    CompletableFuture<Void> unused =
        failure.thenAccept(
            cause -> {
              System.err.println(cause.getMessage());
              System.exit(1); // its shutdown hook closes what runs
            });
    process.awaitStop();
    return 0;
  }
}
