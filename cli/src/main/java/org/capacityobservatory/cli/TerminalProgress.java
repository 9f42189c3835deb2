package org.capacityobservatory.cli;

import java.io.PrintStream;

/** One line on a terminal's stderr that is written over; nothing where stderr is no terminal. */
final class TerminalProgress {
  /** The launcher sets it where stderr is a terminal; Java itself can't tell. */
  private static final String TERMINAL = "capacity.terminal";

  private static final long EVERY_NANOS = 200_000_000;

  private final PrintStream out;
  private final boolean shown;
  private long last = System.nanoTime() - EVERY_NANOS;
  private int width;

  TerminalProgress() {
    this(System.err, Boolean.getBoolean(TERMINAL));
  }

  TerminalProgress(PrintStream out, boolean shown) {
    this.out = out;
    this.shown = shown;
  }

  void say(String words) {
    long now = System.nanoTime();
    if (shown && now - last >= EVERY_NANOS) {
      last = now;
      out.print("\r" + words + " ".repeat(Math.max(0, width - words.length())));
      out.flush();
      width = words.length();
    }
  }

  void done() {
    if (shown && width > 0) {
      out.print("\r" + " ".repeat(width) + "\r");
      out.flush();
    }
  }
}
