package org.capacityobservatory.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class ShipProgressTest {
  private static final long MIB = 1 << 20;
  private static final long SECOND = 1_000_000_000;

  @Test
  void ratesAndTheTimeLeftCountFromTheFirstLook() {
    ShipProgress progress = new ShipProgress(10 * SECOND);
    assertThat(progress.words(5_000, 2 * MIB, 8 * MIB, 10 * SECOND))
        .isEqualTo("2.0 of 10.0 MiB, 0 lines/s");
    // 2 MiB and 3,000 lines in 4 s: 6 MiB are left, at half a MiB a second.
    assertThat(progress.words(8_000, 4 * MIB, 6 * MIB, 14 * SECOND))
        .isEqualTo("4.0 of 10.0 MiB, 750 lines/s, 12 s left");
  }

  @Test
  void nothingIsShownWhereThereIsNoTerminal() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    TerminalProgress terminal = new TerminalProgress(new PrintStream(out), false);
    terminal.say("words");
    terminal.done();
    assertThat(out.size()).isZero();
  }
}
