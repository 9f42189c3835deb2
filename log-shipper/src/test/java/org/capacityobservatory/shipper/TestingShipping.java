package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.capacityobservatory.log.JudgedLine;
import org.capacityobservatory.log.QuarantineReason;
import org.capacityobservatory.log.RawSample;
import org.jspecify.annotations.Nullable;

/**
 * A shipper over real files without Kafka: {@link #pass} is one committed transaction, {@link
 * #undonePass} one that is lost, {@link #kill} the end of the process.
 */
final class TestingShipping implements Outlet, AutoCloseable {
  record Shipped(
      String source, long generation, long position, String text, @Nullable String flag) {}

  record Letter(String source, long position, @Nullable QuarantineReason reason, String head) {}

  private final ShipperConfig config;
  private final Map<String, byte[]> positions = new TreeMap<>();
  private final List<Shipped> staged = new ArrayList<>();
  private final List<Letter> stagedLetters = new ArrayList<>();
  final List<Shipped> shipped = new ArrayList<>();
  final List<Letter> letters = new ArrayList<>();
  private final byte[] buffer;
  private long nowMillis = 1_796_040_000_000L;
  private long nowNanos;
  Sources sources;

  TestingShipping(ShipperConfig config) {
    this(config, 256 * 1024);
  }

  TestingShipping(ShipperConfig config, int bufferBytes) {
    this.config = config;
    this.buffer = new byte[bufferBytes];
    this.sources = new Sources(config, List.of(), this);
  }

  static ShipperConfig.Builder config(String... files) {
    return ShipperConfig.builder()
        .bootstrapServers("unused:9092")
        .identity("test")
        .files(List.of(files));
  }

  @Override
  public void line(Origin from, JudgedLine line, long readAtMillis) {
    staged.add(
        new Shipped(
            from.sourceName(),
            from.number(),
            line.position(),
            new String(line.bytes(), line.from(), line.to() - line.from(), UTF_8),
            line.flag()));
  }

  @Override
  public void deadLetter(Origin from, JudgedLine line, long readAtMillis) {
    RawSample raw = line.raw();
    stagedLetters.add(
        new Letter(
            from.sourceName(),
            line.position(),
            line.reason(),
            raw == null ? "" : new String(raw.head(), UTF_8)));
  }

  /** Looks, reads everything and commits. */
  void pass() {
    read();
    commit();
  }

  /** What is done while Kafka is away. */
  void look() {
    sources.look(nowNanos);
  }

  /** Looks and reads everything, and the transaction is undone. */
  void undonePass() {
    read();
    staged.clear();
    stagedLetters.clear();
    sources.rewind(records());
  }

  private void read() {
    sources.scan(nowMillis, nowNanos);
    boolean progress = true;
    while (progress) {
      progress = false;
      for (Source source : sources.active()) {
        progress |= source.read(buffer, nowMillis, nowNanos);
      }
    }
  }

  void commit() {
    sources.forget(
        gone ->
            positions.remove(
                new String(PositionCodec.key("test", gone.source().name(), gone.number()), UTF_8)));
    for (Source source : sources.active()) {
      for (Generation generation : source.generations()) {
        if (generation.isChanged()) {
          GenerationRecord at = generation.record();
          byte[] key = PositionCodec.key("test", at.source(), at.generation());
          positions.put(new String(key, UTF_8), PositionCodec.value(at));
          generation.written(at);
        }
      }
      SourceStatus status = source.status();
      assertThat(status.books().balance()).as("books %s", status).isTrue();
    }
    sources.committed();
    shipped.addAll(staged);
    letters.addAll(stagedLetters);
    staged.clear();
    stagedLetters.clear();
  }

  /** Passes until a file held open for its last bytes has been quiet long enough. */
  void settle() {
    pass();
    advance(config.rotatedQuiet());
    pass();
    pass();
  }

  void finishOnce() {
    pass();
    while (!sources.completeOnce(nowMillis)) {
      pass();
    }
    commit();
  }

  /** The process ends at once and another one starts: what isn't committed is gone. */
  void kill() {
    staged.clear();
    stagedLetters.clear();
    sources.close();
    sources = new Sources(config, records(), this);
  }

  List<GenerationRecord> records() {
    return Positions.of(
            true,
            positions.entrySet().stream()
                .map(e -> PositionCodec.read(e.getKey().getBytes(UTF_8), e.getValue(), "test"))
                .toList())
        .files();
  }

  void advance(Duration time) {
    nowMillis += time.toMillis();
    nowNanos += time.toNanos();
  }

  /** The number in each shipped line's {@code cid}, in the order shipped. */
  List<Integer> cids() {
    return shipped.stream().map(line -> cid(line.text())).toList();
  }

  static int cid(String line) {
    int from = line.indexOf("\"cid\":\"c") + 8;
    return Integer.parseInt(line.substring(from, line.indexOf('"', from)));
  }

  SourceStatus status(String source) {
    return sources.active().stream()
        .filter(each -> each.name().equals(source))
        .map(Source::status)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    sources.close();
  }
}
