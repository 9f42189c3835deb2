package org.capacityobservatory.log;

/** Takes the logical lines that a {@link LineAssembler} makes. */
@FunctionalInterface
public interface LineSink {
  /**
   * One logical line with its verdict, in the order in which the lines end.
   *
   * @param line valid during the call only; the assembler uses it again
   */
  void line(JudgedLine line);
}
