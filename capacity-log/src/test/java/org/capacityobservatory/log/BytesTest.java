package org.capacityobservatory.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BytesTest {
  /** Held against a walk byte by byte, over bytes that differ in one bit or by one. */
  @Test
  void findsTheFirst() {
    Random random = new Random(5);
    byte[] values = {'\n', '\n' + 1, '\n' - 1, (byte) ('\n' | 0x80), 0, -1, 'x', 'y', 'z'};
    for (int k = 0; k < 20_000; k++) {
      byte[] b = new byte[40];
      for (int i = 0; i < b.length; i++) {
        b[i] = values[random.nextInt(values.length)];
        b[i] = random.nextInt(4) == 0 ? b[i] : (byte) 'x';
      }
      int from = random.nextInt(20);
      int to = from + random.nextInt(20);
      int lf = from;
      while (lf < to && b[lf] != '\n') {
        lf++;
      }
      assertThat(Bytes.indexOf(b, from, to, (byte) '\n')).isEqualTo(lf == to ? -1 : lf);
      int foreign = from;
      while (foreign < to && b[foreign] >= 0) {
        foreign++;
      }
      assertThat(Bytes.skipAscii(b, from, to)).isEqualTo(foreign);
    }
  }
}
