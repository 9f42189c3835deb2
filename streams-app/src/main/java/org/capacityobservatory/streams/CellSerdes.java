package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.capacityobservatory.metrics.DecisionKey;
import org.capacityobservatory.metrics.Histogram;
import org.capacityobservatory.metrics.LatencyKey;
import org.capacityobservatory.metrics.LatencyKey.Measure;
import org.capacityobservatory.metrics.LatencyTally;
import org.jspecify.annotations.Nullable;

/**
 * How cells stand in their stores and changelogs.
 *
 * <p>Each form starts with a version byte: a changelog outlives the program that wrote it.
 */
final class CellSerdes {
  private static final byte VERSION = 1;

  private CellSerdes() {}

  static Serde<CellKey<DecisionKey>> decisionKey() {
    return serde(
        (key, out) -> {
          out.writeLong(key.minuteMillis());
          writeText(key.key().decision(), out);
          writeText(key.key().mode(), out);
          writeText(key.key().endpoint(), out);
          writeFlag(key.key().singleRow(), out);
          writeText(key.key().tier(), out);
          writeText(key.key().scope(), out);
        },
        in -> {
          long minute = in.readLong();
          String decision = readText(in);
          if (decision == null) {
            throw new IOException("a cell without a decision");
          }
          return new CellKey<>(
              minute,
              new DecisionKey(
                  decision, readText(in), readText(in), readFlag(in), readText(in), readText(in)));
        });
  }

  static Serde<CellKey<LatencyKey>> latencyKey() {
    return serde(
        (key, out) -> {
          out.writeLong(key.minuteMillis());
          writeText(key.key().measure().word(), out);
          writeText(key.key().endpoint(), out);
          writeFlag(key.key().singleRow(), out);
          writeText(key.key().tier(), out);
        },
        in ->
            new CellKey<>(
                in.readLong(),
                new LatencyKey(
                    Measure.ofWord(String.valueOf(readText(in))),
                    readText(in),
                    readFlag(in),
                    readText(in))));
  }

  static Serde<Cell<Long>> calls() {
    return serde(
        (cell, out) -> {
          out.writeLong(cell.partial());
          out.writeLong(cell.lastOffset());
          out.writeLong(cell.tally());
        },
        in -> new Cell<>(in.readLong(), in.readLong(), in.readLong()));
  }

  static Serde<Cell<LatencyTally>> latency() {
    return serde(
        (cell, out) -> {
          out.writeLong(cell.partial());
          out.writeLong(cell.lastOffset());
          out.writeLong(cell.tally().missing());
          out.writeLong(cell.tally().sum());
          int[] buckets = cell.tally().histogram().buckets();
          long[] counts = cell.tally().histogram().counts();
          out.writeShort(buckets.length);
          for (int i = 0; i < buckets.length; i++) {
            out.writeShort(buckets[i]);
            out.writeLong(counts[i]);
          }
        },
        in -> {
          long partial = in.readLong();
          long lastOffset = in.readLong();
          long missing = in.readLong();
          long sum = in.readLong();
          Histogram histogram = new Histogram();
          int used = in.readUnsignedShort();
          for (int i = 0; i < used; i++) {
            histogram.addToBucket(in.readUnsignedShort(), in.readLong());
          }
          return new Cell<>(partial, lastOffset, new LatencyTally(histogram, missing, sum));
        });
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

  private static void writeFlag(@Nullable Boolean flag, DataOutputStream out) throws IOException {
    out.writeByte(flag == null ? -1 : flag ? 1 : 0);
  }

  private static @Nullable Boolean readFlag(DataInputStream in) throws IOException {
    byte flag = in.readByte();
    return flag < 0 ? null : flag == 1;
  }
}
