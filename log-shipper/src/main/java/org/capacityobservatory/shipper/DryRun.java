package org.capacityobservatory.shipper;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.capacityobservatory.log.JudgedLine;
import org.capacityobservatory.log.LineAssembler;
import org.capacityobservatory.log.QuarantineReason;
import org.jspecify.annotations.Nullable;

/**
 * What a shipper would read and from where, found out without sending anything and without taking
 * over from a shipper that runs.
 *
 * @param kafkaProblem why positions could not be read; then every file looks new
 * @param files what would be read, by source
 * @param emptyPatterns globs that match no file now
 */
public record DryRun(@Nullable String kafkaProblem, List<Found> files, List<String> emptyPatterns) {
  private static final int SAMPLE_BYTES = 64 * 1024;

  /** Makes the lists immutable. */
  public DryRun {
    files = List.copyOf(files);
    emptyPatterns = List.copyOf(emptyPatterns);
  }

  /**
   * One file.
   *
   * @param source its source's name
   * @param path where it is
   * @param compressed whether it is read through decompression
   * @param known whether a shipper of this identity has read of it
   * @param generation which file of its source it is, from 1
   * @param size bytes on disk
   * @param position where reading would begin
   * @param firstLine the verdict on the first line there, in words; never the line itself
   * @param problem why it can't be read, in a sentence; null if it can
   */
  public record Found(
      String source,
      String path,
      boolean compressed,
      boolean known,
      long generation,
      long size,
      long position,
      String firstLine,
      @Nullable String problem) {}

  /** Looks at the files, and at Kafka for as long as the config lets it wait. */
  public static DryRun of(ShipperConfig config, InstantSource clock) {
    String kafkaProblem = null;
    Collection<GenerationRecord> records = List.of();
    try {
      records = positions(config);
    } catch (KafkaException e) {
      kafkaProblem = "Kafka at " + config.bootstrapServers() + " doesn't answer";
    } catch (ShipperException e) {
      kafkaProblem = e.getMessage();
    }
    return new DryRun(
        kafkaProblem,
        found(config, records, clock.millis()),
        new FilePatterns(config.files()).empty());
  }

  private static Collection<GenerationRecord> positions(ShipperConfig config) {
    long endNanos = System.nanoTime() + config.brokerTimeout().toNanos();
    return new PositionReader(config, () -> System.nanoTime() - endNanos > 0).read().files();
  }

  private static List<Found> found(
      ShipperConfig config, Collection<GenerationRecord> records, long nowMillis) {
    Sources sources = new Sources(config, records, new Nowhere());
    try {
      sources.scan(nowMillis, System.nanoTime());
      List<Found> files = new ArrayList<>();
      for (Source source : sources.active()) {
        files.add(found(config, records, source));
      }
      return files;
    } finally {
      sources.close();
    }
  }

  private static Found found(
      ShipperConfig config, Collection<GenerationRecord> records, Source source) {
    SourceStatus status = source.status();
    boolean known =
        records.stream()
            .anyMatch(
                at ->
                    at.source().equals(status.source()) && at.generation() == status.generation());
    boolean compressed = false;
    String firstLine = "none";
    String problem = status.problem();
    if (problem == null) {
      try {
        OpenFile file = OpenFile.open(Path.of(status.path()));
        try (ByteSource bytes = file.bytes()) {
          compressed = bytes.isCompressed();
          firstLine = verdict(config, bytes, status.position());
        }
      } catch (IOException e) {
        problem = "it can't be read: " + e.getMessage();
      }
    }
    return new Found(
        status.source(),
        status.path(),
        compressed,
        known,
        status.generation(),
        status.size(),
        status.position(),
        firstLine,
        problem);
  }

  private static String verdict(ShipperConfig config, ByteSource bytes, long position)
      throws IOException {
    bytes.seek(position);
    byte[] sample = new byte[SAMPLE_BYTES];
    int count = bytes.read(sample);
    if (count <= 0) {
      return "nothing new";
    }
    List<String> verdicts = new ArrayList<>();
    LineAssembler assembler =
        new LineAssembler(
            config.maxLineBytes(), config.pieceTimeout(), line -> verdicts.add(words(line)));
    assembler.feed(sample, 0, count, System.currentTimeMillis());
    return verdicts.isEmpty() ? "not whole yet" : verdicts.get(0);
  }

  private static String words(JudgedLine line) {
    String time = line.hasTime() ? ", time from its envelope" : ", no time of its own";
    QuarantineReason reason = line.reason();
    return switch (line.kind()) {
      case OURS -> "the limiter's" + time;
      case NOT_OURS -> "not the limiter's" + time;
      case QUARANTINED -> "a dead letter: " + (reason == null ? "" : reason.wireName());
    };
  }

  /** Nothing is sent: nothing is read through the sources. */
  private static final class Nowhere implements Outlet {
    @Override
    public void line(Origin from, JudgedLine line, long readAtMillis) {}

    @Override
    public void deadLetter(Origin from, JudgedLine line, long readAtMillis) {}
  }
}
