package org.capacityobservatory.cli;

import java.util.concurrent.CompletableFuture;

/** A child process under supervision: a server of the embedded stack, or a process of ours. */
interface Supervised {
  String name();

  /** Completes with the exit code of the process that runs now. */
  CompletableFuture<Integer> onExit();

  /** Starts it again, and waits until it is ready. */
  void restart();

  /** Stops it cleanly, or by force when it doesn't stop in time. */
  void close();
}
