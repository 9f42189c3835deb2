package org.capacityobservatory.cli;

import java.util.Locale;
import org.capacityobservatory.shipper.ShipperStatus;
import org.capacityobservatory.shipper.SourceStatus;

/** How far a backfill has come, in words. */
final class ShipProgress {
  private static final double MIB = 1 << 20;

  private final long beganNanos;
  private long firstLines = -1;
  private long firstBytes;

  ShipProgress(long beganNanos) {
    this.beganNanos = beganNanos;
  }

  /** Rates count from the first look, so that what earlier runs shipped doesn't raise them. */
  String words(ShipperStatus status, long nowNanos) {
    long lines = 0;
    long bytes = 0;
    long behind = 0;
    for (SourceStatus source : status.sources()) {
      lines += source.books().linesRead();
      bytes += source.books().bytesRead();
      behind += source.behindBytes();
    }
    if (firstLines < 0) {
      firstLines = lines;
      firstBytes = bytes;
    }
    if (status.state() != ShipperStatus.State.SHIPPING) {
      return status.state() == ShipperStatus.State.STARTING
          ? "reading positions"
          : "waiting for Kafka";
    }
    double seconds = Math.max(1e-3, (nowNanos - beganNanos) / 1e9);
    double bytesPerSecond = (bytes - firstBytes) / seconds;
    String words =
        String.format(
            Locale.ROOT,
            "%.1f of %.1f MiB, %,.0f lines/s",
            bytes / MIB,
            (bytes + behind) / MIB,
            (lines - firstLines) / seconds);
    return bytesPerSecond > 0
        ? words + String.format(Locale.ROOT, ", %.0f s left", behind / bytesPerSecond)
        : words;
  }
}
