package org.capacityobservatory.streams.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;

class ProgressTest {
  @Test
  void isReadAsItWasCommitted() {
    Progress idle = new Progress(7, "xyz", null);
    Progress busy = new Progress(7, "xyz", new Intent(9, 12, 3, -2));

    assertThat(busy.committed().metadata()).isEqualTo("v1 xyz 9 12 3 fffffffe");
    assertThat(Progress.of(idle.committed())).isEqualTo(idle);
    assertThat(Progress.of(busy.committed())).isEqualTo(busy);
  }

  @Test
  void anOffsetWithoutMetadataSaysOnlyWhatIsStored() {
    assertThat(Progress.of(new OffsetAndMetadata(7))).isEqualTo(new Progress(7, null, null));
  }

  @Test
  void whatANewerVersionCommittedIsRefused() {
    for (String metadata : new String[] {"v2 xyz", "v1", "v1 xyz 9 12 3", "v1 xyz 9 12 x 0"}) {
      assertThatThrownBy(() -> Progress.of(new OffsetAndMetadata(7, metadata)))
          .isInstanceOf(WriterException.class)
          .hasMessageContaining("'" + metadata + "'")
          .hasMessageContaining("--group");
    }
  }
}
