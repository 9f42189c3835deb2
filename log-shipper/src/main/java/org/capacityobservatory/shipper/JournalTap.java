package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * systemd's journal, by a {@code journalctl} that follows it from a cursor on.
 *
 * <p>Only whole entries are given out: one that {@code journalctl}'s end has cut is asked for again
 * of the next one.
 */
final class JournalTap implements Tap {
  private static final Logger log = LoggerFactory.getLogger(JournalTap.class);
  private static final long FIRST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** An entry that is longer goes on as it comes: the line cap is for the assembler to hold. */
  private static final int MAX_HELD_BYTES = 8 * 1024 * 1024;

  private final FeedConfig.Journald config;
  private final boolean once;
  private final JournalLedger ledger;
  private final ByteArrayOutputStream cut = new ByteArrayOutputStream();
  private @Nullable Process process;
  private @Nullable PipeReader pipe;
  private volatile String lastWords = "";
  private long nextStartNanos;
  private long waitNanos = FIRST_WAIT_NANOS;
  private boolean started;
  private boolean over;
  private @Nullable String problem;

  JournalTap(FeedConfig.Journald config, boolean once, JournalLedger ledger) {
    this.config = config;
    this.once = once;
    this.ledger = ledger;
  }

  /** What is run; an empty journal is no reason to end, and no entry is too long. */
  List<String> command() {
    List<String> command = new ArrayList<>(List.of(config.command(), "--output=json", "--all"));
    command.add("--no-pager");
    if (!config.unit().isEmpty()) {
      command.add("--unit=" + config.unit());
    }
    if (!once) {
      command.add("--follow");
      // Following begins ten entries before the end unless it is told not to.
      command.add("--no-tail");
    }
    String cursor = ledger.newest();
    if (!cursor.isEmpty()) {
      command.add("--after-cursor=" + cursor);
    }
    return command;
  }

  @Override
  public @Nullable Chunk poll(long nowMillis, long nowNanos) {
    PipeReader reading = pipe;
    if (reading == null) {
      if (!over && (!started || nowNanos - nextStartNanos >= 0)) {
        start(nowNanos);
      }
      return null;
    }
    byte[] bytes = reading.poll();
    while (bytes != null) {
      waitNanos = FIRST_WAIT_NANOS;
      problem = null;
      byte[] whole = wholeLines(bytes);
      if (whole.length > 0) {
        return new Chunk(whole, null);
      }
      bytes = reading.poll();
    }
    if (reading.isOver()) {
      ended(nowNanos);
    }
    return null;
  }

  private void start(long nowNanos) {
    started = true;
    cut.reset();
    try {
      Process begun =
          new ProcessBuilder(command()).redirectInput(ProcessBuilder.Redirect.PIPE).start();
      begun.getOutputStream().close();
      process = begun;
      listen(begun.getErrorStream());
      pipe = new PipeReader(begun.getInputStream(), "ship-journal");
    } catch (IOException e) {
      fail(
          "%s can't be started (%s): the journal is read by systemd's journalctl; on a host without"
                  .formatted(config.command(), e.getMessage())
              + " it, ship files, or an export made by journalctl -o json --all",
          nowNanos);
    }
  }

  private void listen(InputStream errors) {
    Thread listener =
        new Thread(
            () -> {
              try (BufferedReader lines =
                  new BufferedReader(new java.io.InputStreamReader(errors, UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  lastWords = line;
                  log.info("journalctl: {}", line);
                }
              } catch (IOException e) {
                log.debug("journalctl's errors can't be read", e);
              }
            },
            "ship-journal-errors");
    listener.setDaemon(true);
    listener.start();
  }

  private byte[] wholeLines(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n' && cut.size() < MAX_HELD_BYTES) {
      end--;
    }
    if (end == 0) {
      cut.write(bytes, 0, bytes.length);
      return new byte[0];
    }
    cut.write(bytes, 0, end);
    byte[] whole = cut.toByteArray();
    cut.reset();
    cut.write(bytes, end, bytes.length - end);
    return whole;
  }

  private void ended(long nowNanos) {
    Process gone = process;
    int code = gone == null ? -1 : exitCode(gone);
    process = null;
    pipe = null;
    if (once && code == 0) {
      over = true;
      return;
    }
    fail(
        "journalctl ended with code %d%s"
            .formatted(code, lastWords.isEmpty() ? "" : ": " + lastWords),
        nowNanos);
  }

  private static int exitCode(Process gone) {
    try {
      return gone.waitFor(5, TimeUnit.SECONDS) ? gone.exitValue() : -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  private void fail(String sentence, long nowNanos) {
    if (once) {
      throw new ShipperException(ShipperException.Kind.SOURCE_UNREADABLE, sentence);
    }
    if (!sentence.equals(problem)) {
      log.warn("{}; it is tried again, from the last entry on", sentence);
    }
    problem = sentence;
    nextStartNanos = nowNanos + waitNanos;
    waitNanos = Math.min(MAX_WAIT_NANOS, waitNanos * 2);
  }

  /**
   * Begins at once, so that a host without {@code journalctl} is told of at the start.
   *
   * @throws ShipperException if there is none
   */
  void startOrRefuse(long nowNanos) {
    start(nowNanos);
    String sentence = problem;
    if (sentence != null) {
      throw new ShipperException(ShipperException.Kind.SOURCE_UNREADABLE, sentence);
    }
  }

  @Override
  public void stop() {
    close();
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public boolean isAtEnd() {
    PipeReader reading = pipe;
    return reading != null && reading.isEmpty();
  }

  @Override
  public long linesOnHand() {
    return 0;
  }

  @Override
  public @Nullable String problem() {
    return problem;
  }

  @Override
  public void close() {
    over = true;
    Process running = process;
    PipeReader reading = pipe;
    process = null;
    pipe = null;
    if (running != null) {
      running.destroy();
      if (exitCode(running) == -1) {
        running.destroyForcibly();
      }
    }
    if (reading != null) {
      reading.close();
    }
  }
}
