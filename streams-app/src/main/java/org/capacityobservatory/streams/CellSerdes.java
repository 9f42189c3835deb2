package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.capacityobservatory.metrics.CallKind;
import org.capacityobservatory.metrics.Count;
import org.capacityobservatory.metrics.DecisionKey;
import org.capacityobservatory.metrics.EventKey;
import org.capacityobservatory.metrics.Histogram;
import org.capacityobservatory.metrics.LaneKey;
import org.capacityobservatory.metrics.LaneTallies;
import org.capacityobservatory.metrics.LaneTally;
import org.capacityobservatory.metrics.Measure;
import org.capacityobservatory.metrics.MeasureTallies;
import org.capacityobservatory.metrics.UsageKey;
import org.capacityobservatory.metrics.UsageTally;
import org.capacityobservatory.metrics.ValueTally;
import org.jspecify.annotations.Nullable;

/**
 * How cells and clocks stand in their stores and changelogs.
 *
 * <p>Each form starts with a version byte: a changelog outlives the program that wrote it.
 */
final class CellSerdes {
  private static final byte VERSION = 1;

  private CellSerdes() {}

  static Serde<CellKey<DecisionKey>> decisionKey() {
    return key(
        (key, out) -> {
          writeText(key.decision(), out);
          writeText(key.mode(), out);
          writeFlag(key.enforced(), out);
          writeText(key.endpoint(), out);
          writeFlag(key.singleRow(), out);
          writeText(key.tier(), out);
          writeText(key.scope(), out);
          writeText(key.sourceClass(), out);
        },
        in ->
            new DecisionKey(
                requiredText(in),
                readText(in),
                readFlag(in),
                readText(in),
                readFlag(in),
                readText(in),
                readText(in),
                readText(in)));
  }

  static Serde<CellKey<CallKind>> callKind() {
    return key(
        (key, out) -> {
          writeText(key.endpoint(), out);
          writeFlag(key.singleRow(), out);
          writeText(key.tier(), out);
        },
        in -> new CallKind(readText(in), readFlag(in), readText(in)));
  }

  static Serde<CellKey<LaneKey>> laneKey() {
    return key(
        (key, out) -> {
          writeText(key.tier(), out);
          writeText(key.task(), out);
        },
        in -> new LaneKey(readText(in), readText(in)));
  }

  static Serde<CellKey<UsageKey>> usageKey() {
    return key(
        (key, out) -> {
          writeText(key.tier(), out);
          writeText(key.algorithmClass(), out);
          writeText(key.sourceClass(), out);
        },
        in -> new UsageKey(readText(in), readText(in), readText(in)));
  }

  static Serde<CellKey<EventKey>> eventKey() {
    return key(
        (key, out) -> {
          writeText(key.kind().name(), out);
          writeText(key.value(), out);
        },
        in -> new EventKey(EventKey.Kind.valueOf(requiredText(in)), requiredText(in)));
  }

  static Serde<Cell<Count>> count() {
    return cell((count, out) -> out.writeLong(count.n()), in -> new Count(in.readLong()));
  }

  static Serde<Cell<MeasureTallies>> measures() {
    return cell(
        (tallies, out) -> {
          out.writeByte(Measure.values().length);
          for (Measure measure : Measure.values()) {
            writeText(measure.name(), out);
            writeValues(tallies.of(measure), out);
          }
        },
        in -> {
          MeasureTallies tallies = new MeasureTallies();
          for (int left = in.readUnsignedByte(); left > 0; left--) {
            tallies.put(Measure.valueOf(requiredText(in)), readValues(in));
          }
          return tallies;
        });
  }

  static Serde<Cell<LaneTallies>> lanes() {
    return cell(
        (lanes, out) -> {
          List<String> words = new ArrayList<>();
          lanes.forEach((word, tally) -> words.add(word));
          out.writeShort(words.size());
          for (String word : words) {
            writeText(word, out);
            writeLane(lanes.of(word), out);
          }
        },
        in -> {
          LaneTallies lanes = new LaneTallies();
          for (int left = in.readUnsignedShort(); left > 0; left--) {
            lanes.put(requiredText(in), readLane(in));
          }
          return lanes;
        });
  }

  static Serde<Cell<UsageTally>> usage() {
    return cell(
        (usage, out) -> {
          out.writeLong(usage.calls());
          out.writeLong(usage.held());
          out.writeLong(usage.leaseMs());
        },
        in -> new UsageTally(in.readLong(), in.readLong(), in.readLong()));
  }

  static Serde<SourceClock> sourceClock() {
    return serde(
        (clock, out) -> {
          out.writeLong(clock.eventMillis());
          out.writeLong(clock.readMillis());
        },
        in -> new SourceClock(in.readLong(), in.readLong()));
  }

  static Serde<PartitionClock> partitionClock() {
    return serde(
        (clock, out) -> {
          writeText(clock.topicId(), out);
          out.writeLong(clock.readMillis());
          out.writeLong(clock.passedMillis());
          out.writeLong(clock.futureTimes());
          out.writeLong(clock.lateLines());
          out.writeLong(clock.revision());
        },
        in ->
            new PartitionClock(
                requiredText(in),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong()));
  }

  private static void writeValues(ValueTally tally, DataOutputStream out) throws IOException {
    out.writeLong(tally.missing());
    out.writeLong(tally.sum());
    int[] buckets = tally.histogram().buckets();
    long[] counts = tally.histogram().counts();
    out.writeShort(buckets.length);
    for (int i = 0; i < buckets.length; i++) {
      out.writeShort(buckets[i]);
      out.writeLong(counts[i]);
    }
  }

  private static ValueTally readValues(DataInputStream in) throws IOException {
    long missing = in.readLong();
    long sum = in.readLong();
    Histogram histogram = new Histogram();
    int used = in.readUnsignedShort();
    for (int i = 0; i < used; i++) {
      histogram.addToBucket(in.readUnsignedShort(), in.readLong());
    }
    return new ValueTally(histogram, missing, sum);
  }

  private static void writeLane(LaneTally lane, DataOutputStream out) throws IOException {
    out.writeLong(lane.calls());
    out.writeLong(lane.measured());
    out.writeLong(lane.full());
    out.writeLong(lane.fullAlone());
    out.writeLong(lane.nearLimit());
    writeNumber(lane.inFlightMax(), out);
    writeNumber(lane.limitMin(), out);
    writeNumber(lane.limitMax(), out);
    out.writeLong(lane.occupancyMs());
  }

  private static LaneTally readLane(DataInputStream in) throws IOException {
    return new LaneTally(
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        readNumber(in),
        readNumber(in),
        readNumber(in),
        in.readLong());
  }

  private static <K> Serde<CellKey<K>> key(Writer<K> writer, Reader<K> reader) {
    return serde(
        (key, out) -> {
          out.writeLong(key.minuteMillis());
          writer.write(key.key(), out);
        },
        in -> new CellKey<>(in.readLong(), reader.read(in)));
  }

  private static <T> Serde<Cell<T>> cell(Writer<T> writer, Reader<T> reader) {
    return serde(
        (cell, out) -> {
          out.writeLong(cell.partial());
          out.writeLong(cell.lastOffset());
          writer.write(cell.tally(), out);
        },
        in -> new Cell<>(in.readLong(), in.readLong(), reader.read(in)));
  }

  private interface Writer<V> {
    void write(V value, DataOutputStream out) throws IOException;
  }

  private interface Reader<V> {
    V read(DataInputStream in) throws IOException;
  }

  private static <V> Serde<V> serde(Writer<V> writer, Reader<V> reader) {
    return Serdes.serdeFrom(
        (topic, value) -> toBytes(value, writer), (topic, bytes) -> fromBytes(bytes, reader));
  }

  // A store asks for the bytes of a deletion and for the value of a missing key: both are null.
  @SuppressWarnings("NullAway")
  private static <V> byte[] toBytes(@Nullable V value, Writer<V> writer) {
    if (value == null) {
      return null;
    }
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeByte(VERSION);
      writer.write(value, out);
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("Writing a cell to memory failed", e);
    }
  }

  @SuppressWarnings("NullAway")
  private static <V> V fromBytes(byte @Nullable [] bytes, Reader<V> reader) {
    if (bytes == null) {
      return null;
    }
    try {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
      byte version = in.readByte();
      if (version != VERSION) {
        throw new IOException(
            "it is in form %d, and this program knows form %d".formatted(version, VERSION));
      }
      return reader.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException("A stored cell can't be read: " + e.getMessage(), e);
    }
  }

  private static void writeText(@Nullable String text, DataOutputStream out) throws IOException {
    if (text == null) {
      out.writeInt(-1);
    } else {
      byte[] bytes = text.getBytes(UTF_8);
      out.writeInt(bytes.length);
      out.write(bytes);
    }
  }

  private static @Nullable String readText(DataInputStream in) throws IOException {
    int length = in.readInt();
    return length < 0 ? null : new String(in.readNBytes(length), UTF_8);
  }

  private static String requiredText(DataInputStream in) throws IOException {
    String text = readText(in);
    if (text == null) {
      throw new IOException("a text is missing");
    }
    return text;
  }

  /** Counts are at least 0, so −1 is free to say that there is none. */
  private static void writeNumber(@Nullable Long number, DataOutputStream out) throws IOException {
    out.writeLong(number == null ? -1 : number);
  }

  private static @Nullable Long readNumber(DataInputStream in) throws IOException {
    long number = in.readLong();
    return number < 0 ? null : number;
  }

  private static void writeFlag(@Nullable Boolean flag, DataOutputStream out) throws IOException {
    out.writeByte(flag == null ? -1 : flag ? 1 : 0);
  }

  private static @Nullable Boolean readFlag(DataInputStream in) throws IOException {
    byte flag = in.readByte();
    return flag < 0 ? null : flag == 1;
  }
}
