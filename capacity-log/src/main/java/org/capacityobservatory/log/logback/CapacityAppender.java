package org.capacityobservatory.log.logback;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.nio.file.Path;
import java.time.Duration;
import org.capacityobservatory.log.CapacityEvent;
import org.capacityobservatory.log.sink.BoundedSink;
import org.capacityobservatory.log.sink.LineOutput;
import org.capacityobservatory.log.sink.SinkConfig;
import org.capacityobservatory.log.sink.SinkStats;
import org.jspecify.annotations.Nullable;

/**
 * Hands what is logged to a {@link BoundedSink}: each event becomes one line, without level, time
 * or logger, since the line's time is that of its envelope.
 *
 * <p>Where the first argument is a {@link CapacityEvent} ({@code log.info("{}", call)}) that record
 * is the line; else the formatted message is, which should be one JSON object. Give the appender to
 * a logger of its own with {@code additivity="false"}.
 *
 * <p>Settings: {@code file} (stdout when left out), {@code capacityLines} (1,000), {@code
 * closeWaitMillis} (2,000).
 */
public final class CapacityAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
  private @Nullable String file;
  private int capacityLines = SinkConfig.DEFAULT.capacityLines();
  private long closeWaitMillis = SinkConfig.DEFAULT.closeWait().toMillis();
  private @Nullable BoundedSink sink;

  /** The file to append to. */
  public void setFile(String file) {
    this.file = file;
  }

  /** Most lines queued, 1–1,048,576. */
  public void setCapacityLines(int capacityLines) {
    this.capacityLines = capacityLines;
  }

  /** How long stopping waits for lines queued, ms, 0–2,000. */
  public void setCloseWaitMillis(long closeWaitMillis) {
    this.closeWaitMillis = closeWaitMillis;
  }

  /**
   * Starts the sink; with settings that can't be used it says so in Logback's status, and stays
   * off.
   */
  @Override
  public void start() {
    try {
      SinkConfig config = new SinkConfig(capacityLines, Duration.ofMillis(closeWaitMillis));
      LineOutput output = file == null ? LineOutput.stdout() : LineOutput.file(Path.of(file));
      sink = BoundedSink.open(output, config);
      super.start();
    } catch (IllegalArgumentException e) {
      addError("appender " + getName() + ": " + e.getMessage(), e);
    }
  }

  @Override
  protected void append(ILoggingEvent event) {
    BoundedSink open = sink;
    if (open == null) {
      return;
    }
    @Nullable Object[] arguments = event.getArgumentArray();
    if (arguments != null && arguments.length > 0 && arguments[0] instanceof CapacityEvent call) {
      open.put(call);
    } else {
      open.put(event.getFormattedMessage());
    }
  }

  @Override
  public void stop() {
    super.stop();
    if (sink != null) {
      sink.close();
    }
  }

  /** The sink's counters; null before the start. */
  public @Nullable SinkStats stats() {
    return sink == null ? null : sink.stats();
  }
}
