package org.capacityobservatory.localstack;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;

/**
 * Makes one answer of the pieces of a streamed result. The engine formats each piece by itself, so
 * a format's header stands in front of every one of them, and its footer behind.
 */
final class PieceJoiner {
  /** Formats that are one row after the other, or blocks that stand for themselves. */
  private static final Set<String> WITHOUT_HEADER =
      Set.of(
          "TabSeparated",
          "TSV",
          "TabSeparatedRaw",
          "TSVRaw",
          "CSV",
          "TSKV",
          "JSONEachRow",
          "JSONLines",
          "NDJSON",
          "JSONCompactEachRow",
          "JSONStringsEachRow",
          "LineAsString",
          "RowBinary",
          "Native");

  /** What the JDBC driver asks for. */
  private static final String ROW_BINARY = "RowBinaryWithNamesAndTypes";

  private static final int MORE_FOLLOWS = 0x80;

  private final boolean header;
  private boolean first = true;

  private PieceJoiner(boolean header) {
    this.header = header;
  }

  /** A joiner for one answer; empty for a format whose results can only be had whole. */
  static Optional<PieceJoiner> of(String format) {
    if (format.equals(ROW_BINARY)) {
      return Optional.of(new PieceJoiner(true));
    }
    return WITHOUT_HEADER.contains(format) ? Optional.of(new PieceJoiner(false)) : Optional.empty();
  }

  /** Moves to where the part of the next piece begins that isn't said yet. */
  void skipWhatIsSaid(ByteBuffer piece) {
    if (header && !first) {
      skipHeader(piece);
    }
    first = false;
  }

  /** The number of columns, then a name for each, then a type for each. */
  private static void skipHeader(ByteBuffer piece) {
    int columns = number(piece);
    for (int i = 0; i < 2 * columns; i++) {
      int length = number(piece);
      piece.position(piece.position() + length);
    }
  }

  /** A number of seven bits a byte, the lowest first. */
  private static int number(ByteBuffer piece) {
    int value = 0;
    int shift = 0;
    int next = MORE_FOLLOWS;
    while ((next & MORE_FOLLOWS) != 0) {
      next = piece.get();
      value |= (next & 0x7f) << shift;
      shift += 7;
    }
    return value;
  }
}
