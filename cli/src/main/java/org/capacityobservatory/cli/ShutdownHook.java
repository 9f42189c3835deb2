package org.capacityobservatory.cli;

/** Closes something at Ctrl-C or SIGTERM, unless it has been closed before. */
final class ShutdownHook {
  private final Thread hook;
  private final Runnable close;

  ShutdownHook(Runnable close) {
    this.close = close;
    this.hook = new Thread(close, "stop");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Closes now, since the end came without a signal. */
  void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // the signal was quicker, and its thread closes
    }
    close.run();
  }
}
