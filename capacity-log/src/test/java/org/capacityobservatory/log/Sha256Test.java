package org.capacityobservatory.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.MessageDigest;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Sha256Test {
  /** Held against the platform's, in pieces of any size and with a new start at any place. */
  @Test
  void isThePlatformsHash() throws Exception {
    Random random = new Random(3);
    for (int length = 0; length < 400; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      Sha256 hash = new Sha256();
      int at = 0;
      while (at < length) {
        int to = Math.min(length, at + 1 + random.nextInt(150));
        hash.update(bytes, at, to);
        at = to;
        if (random.nextInt(3) == 0) {
          at = (int) hash.wholeBlocks();
          hash = new Sha256(hash.state(), at);
        }
      }
      assertThat(hash.digest()).isEqualTo(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
  }

  @Test
  void refusesWhatIsNoState() {
    assertThatThrownBy(() -> new Sha256("00", 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Sha256(new Sha256().state(), 63))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
