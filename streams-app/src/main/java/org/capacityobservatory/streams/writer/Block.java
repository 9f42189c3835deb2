package org.capacityobservatory.streams.writer;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Rows of one Kafka partition that go into one partition of one table, in one insert.
 *
 * @param token the same for the same rows: made from where they stand in Kafka
 * @param jsonEachRow pieces that together are the rows, one a line
 */
record Block(Table table, String token, List<byte[]> jsonEachRow, int rows) {

  /**
   * Cuts a contiguous range of one Kafka partition into blocks, in the order of their first rows;
   * but what says that minutes are complete comes last, so that it is never stored before the
   * minutes.
   */
  static List<Block> of(List<ConsumerRecord<byte[], byte[]>> range) {
    Map<Target, Rows> targets = new LinkedHashMap<>();
    byte[] place = placeBeforeOffset(range.get(0));
    for (ConsumerRecord<byte[], byte[]> record : range) {
      Table table = Table.of(record);
      targets
          .computeIfAbsent(new Target(table, table.partitionOf(record)), target -> new Rows(place))
          .add(record);
    }
    String from =
        range.get(0).topic()
            + ":"
            + range.get(0).partition()
            + ":"
            + range.get(0).offset()
            + "-"
            + range.get(range.size() - 1).offset();
    List<Block> blocks = new ArrayList<>();
    targets.forEach(
        (target, rows) ->
            blocks.add(
                new Block(
                    target.table(),
                    from + ":" + target.table().tableName() + ":" + target.partition(),
                    rows.pieces(),
                    rows.count)));
    blocks.sort(Comparator.comparing(block -> block.table() == Table.MINUTES_STATE));
    return blocks;
  }

  private static byte[] placeBeforeOffset(ConsumerRecord<?, ?> record) {
    return ",\"kafka_topic\":\"%s\",\"kafka_partition\":%d,\"kafka_offset\":"
        .formatted(record.topic(), record.partition())
        .getBytes(US_ASCII);
  }

  private record Target(Table table, int partition) {}

  /** Rows as they came, each with its place in Kafka spliced in before the closing brace. */
  private static final class Rows {
    /** Few large pieces: an HTTP client handles each by itself. */
    private static final int PIECE_BYTES = 1 << 20;

    private final byte[] place;
    private final List<byte[]> full = new ArrayList<>();
    private byte[] piece = new byte[1 << 12];
    private int used;
    private int count;

    Rows(byte[] place) {
      this.place = place;
    }

    void add(ConsumerRecord<byte[], byte[]> record) {
      byte[] row = record.value();
      int end = row.length - 1;
      while (end >= 0 && row[end] != '}') {
        end--;
      }
      byte[] offset = Long.toString(record.offset()).getBytes(US_ASCII);
      makeRoom(end + place.length + offset.length + 2);
      append(row, end);
      append(place, place.length);
      append(offset, offset.length);
      piece[used++] = '}';
      piece[used++] = '\n';
      count++;
    }

    private void makeRoom(int bytes) {
      if (used + bytes <= piece.length) {
        return;
      }
      if (used >= PIECE_BYTES / 2) {
        full.add(Arrays.copyOf(piece, used));
        used = 0;
      }
      if (used + bytes > piece.length) {
        int wanted = Math.max(used + bytes, Math.min(PIECE_BYTES, piece.length * 2));
        piece = Arrays.copyOf(piece, wanted);
      }
    }

    private void append(byte[] from, int length) {
      System.arraycopy(from, 0, piece, used, length);
      used += length;
    }

    List<byte[]> pieces() {
      List<byte[]> all = new ArrayList<>(full);
      all.add(Arrays.copyOf(piece, used));
      return all;
    }
  }
}
