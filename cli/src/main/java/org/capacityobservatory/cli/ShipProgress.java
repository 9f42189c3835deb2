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

  String words(ShipperStatus status, long nowNanos) {
    long lines = 0;
    long bytes = 0;
    long behind = 0;
    for (SourceStatus source : status.sources()) {
      lines += source.books().linesRead();
      bytes += source.books().bytesRead();
      behind += source.behindBytes();
    }
    return switch (status.state()) {
      case STARTING -> "reading positions";
      case WAITING_FOR_BROKER -> "waiting for Kafka";
      default -> words(lines, bytes, behind, nowNanos);
    };
  }

  /** Rates count from the first look, so that what earlier runs shipped doesn't raise them. */
  String words(long lines, long bytes, long behindBytes, long nowNanos) {
    if (firstLines < 0) {
      firstLines = lines;
      firstBytes = bytes;
    }
    double seconds = Math.max(1e-3, (nowNanos - beganNanos) / 1e9);
    double bytesPerSecond = (bytes - firstBytes) / seconds;
    String words =
        String.format(
            Locale.ROOT,
            "%.1f of %.1f MiB, %,.0f lines/s",
            bytes / MIB,
            (bytes + behindBytes) / MIB,
            (lines - firstLines) / seconds);
    return bytesPerSecond > 0
        ? words + String.format(Locale.ROOT, ", %.0f s left", behindBytes / bytesPerSecond)
        : words;
  }
}
