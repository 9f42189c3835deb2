package org.capacityobservatory.streams.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class StartPointTest {
  private static final TopicPartition PARTITION = new TopicPartition("rows", 0);

  @Test
  void aNewGroupOfAnEmptyDatabaseBeginsWithTheFirstRecordThereIs() {
    assertThat(StartPoint.of(PARTITION, null, null, 7, 20)).isEqualTo(new StartPoint(7, 0, null));
  }

  @Test
  void whatWasAboutToBeStoredIsFormedAgain() {
    Intent intent = new Intent(100, 199, 100, 5);

    assertThat(StartPoint.of(PARTITION, new Progress(100, "id", intent), 120L, 0, 250))
        .isEqualTo(new StartPoint(100, 0, intent));
  }

  @Test
  void whatKafkaRemovedBeforeItWasStoredIsCountedAsLost() {
    // Stored are 0 to 99, removed 100 to 120.
    assertThat(StartPoint.of(PARTITION, new Progress(100, "id", null), null, 121, 150))
        .isEqualTo(new StartPoint(121, 21, null));
    assertThat(StartPoint.of(PARTITION, null, 99L, 121, 150))
        .isEqualTo(new StartPoint(121, 21, null));
    assertThat(
            StartPoint.of(
                PARTITION, new Progress(100, "id", new Intent(100, 140, 41, 5)), null, 121, 150))
        .isEqualTo(new StartPoint(121, 21, null));
  }

  @Test
  void withoutAnOffsetOfTheGroupItGoesBackByWhatABatchCanReachOver() {
    assertThat(StartPoint.of(PARTITION, null, 99L, 0, 150)).isEqualTo(new StartPoint(0, 0, null));
    assertThat(StartPoint.of(PARTITION, null, 999_999L, 0, 1_000_050))
        .isEqualTo(new StartPoint(800_000, 0, null));
  }

  @Test
  void aTopicThatEndsBeforeWhatIsStoredIsAnotherOne() {
    assertThatThrownBy(() -> StartPoint.of(PARTITION, new Progress(150, "id", null), null, 0, 50))
        .isInstanceOf(WriterException.class)
        .hasMessageContaining("rows-0 ends at offset 50 and rows up to offset 149 are stored");
    assertThatThrownBy(() -> StartPoint.of(PARTITION, null, 149L, 0, 50))
        .isInstanceOf(WriterException.class);
  }
}
