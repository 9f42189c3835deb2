package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EventIdsTest {
  /** The first is {@code printf '/l/ä.log\0003\0000' | sha256sum}, cut and with its hyphens. */
  @Test
  void tellsTheSameIdsAsEventId() {
    EventIds ids = new EventIds("/l/ä.log", 3);
    assertThat(text(ids, 0)).isEqualTo("0f5ecaa1-f9d6-9a33-6d56-4c9598dcef9a");
    for (long position : new long[] {0, 9, 10, 123_456_789_012L, Long.MAX_VALUE}) {
      assertThat(text(ids, position)).isEqualTo(EventId.of("/l/ä.log", 3, position).toString());
    }
  }

  private static String text(EventIds ids, long position) {
    return new String(ids.at(Long.toString(position).getBytes(US_ASCII)), US_ASCII);
  }
}
