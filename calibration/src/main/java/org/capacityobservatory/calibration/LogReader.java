package org.capacityobservatory.calibration;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.capacityobservatory.log.CapacityCall;
import org.capacityobservatory.log.CapacityEvent;
import org.capacityobservatory.log.ConfigChange;
import org.capacityobservatory.log.JudgedLine;
import org.capacityobservatory.log.LineAssembler;
import org.capacityobservatory.log.LineException;
import org.capacityobservatory.log.LineParser;

/** Reads one log, plain or gzipped, in any envelope that the pipeline knows, into a recording. */
public final class LogReader {
  private static final int MAX_LINE_BYTES = 1 << 20;
  private static final int GZIP_MAGIC_1 = 0x1f;
  private static final int GZIP_MAGIC_2 = 0x8b;

  private final Recording.Builder into;

  /** A reader that adds to a recording. */
  public LogReader(Recording.Builder into) {
    this.into = into;
  }

  /**
   * Reads a log to its end.
   *
   * @param source the log's name
   * @throws IOException when the stream can't be read
   */
  public void read(String source, InputStream stream) throws IOException {
    LineAssembler assembler =
        new LineAssembler(MAX_LINE_BYTES, Duration.ofDays(1), line -> take(source, line));
    InputStream plain = unzipped(stream);
    byte[] chunk = new byte[1 << 16];
    for (int n = plain.read(chunk); n >= 0; n = plain.read(chunk)) {
      assembler.feed(chunk, 0, n, 0);
    }
    assembler.finish();
  }

  private static InputStream unzipped(InputStream stream) throws IOException {
    PushbackInputStream peeked = new PushbackInputStream(stream, 2);
    byte[] magic = peeked.readNBytes(2);
    peeked.unread(magic);
    boolean gzip =
        magic.length == 2 && (magic[0] & 0xff) == GZIP_MAGIC_1 && (magic[1] & 0xff) == GZIP_MAGIC_2;
    return gzip ? new GZIPInputStream(peeked, 1 << 16) : peeked;
  }

  private void take(String source, JudgedLine line) {
    into.line();
    into.dropped(line.droppedAtSource());
    switch (line.kind()) {
      case NOT_OURS -> into.notOurs();
      case QUARANTINED -> {
        var reason = line.reason();
        into.unusable(reason == null ? "quarantined" : reason.wireName());
      }
      case OURS -> parse(source, line);
    }
  }

  private void parse(String source, JudgedLine line) {
    try {
      CapacityEvent event =
          LineParser.parse(Arrays.copyOfRange(line.bytes(), line.from(), line.to()));
      if (!line.hasTime()) {
        into.untimed();
      } else if (event instanceof CapacityCall call) {
        into.call(line.timeMillis(), source, call);
      } else if (event instanceof ConfigChange change) {
        into.change(new RecordedChange(line.timeMillis(), change));
      }
    } catch (LineException e) {
      into.unusable(e.reason().word());
    }
  }
}
