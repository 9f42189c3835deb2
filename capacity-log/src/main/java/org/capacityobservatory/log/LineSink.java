package org.capacityobservatory.log;

import org.jspecify.annotations.Nullable;

/** Takes the logical lines that a {@link LineAssembler} makes. */
@FunctionalInterface
public interface LineSink {
  /**
   * One logical line with its verdict, in the order in which the lines end.
   *
   * @param line valid during the call only; the assembler uses it again
   */
  void line(JudgedLine line);

  /**
   * A piece was taken, the last one of its line too; the line itself comes by {@link #line}.
   *
   * @param linePosition where the line's first piece starts
   * @param name what the transport calls the piece, or null where it doesn't name its entries
   */
  default void piece(long linePosition, @Nullable EntryName name) {}
}
