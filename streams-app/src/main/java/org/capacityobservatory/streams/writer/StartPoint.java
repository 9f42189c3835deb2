package org.capacityobservatory.streams.writer;

import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Where the reading of one partition begins.
 *
 * @param offset the first offset to read
 * @param lost offsets that were never stored and are no longer in Kafka; markers of transactions
 *     count among them, so that many rows at most
 * @param promised what was about to be stored and must be formed again; null for nothing
 */
record StartPoint(long offset, long lost, @Nullable Intent promised) {
  /**
   * One batch reaches over fewer offsets than this. So where only the highest stored offset is
   * known, everything that far below it belongs to earlier batches, which were stored whole.
   */
  static final int BATCH_SPAN = 200_000;

  /**
   * Decides from what the group committed, or, where that is gone, from what the tables hold.
   *
   * @param progress the group's; null when it has none
   * @param storedMaximum the highest offset in the tables; null when they hold none of it
   * @param earliest the first offset that Kafka still has
   * @param end the offset behind the last committed record
   * @throws WriterException when more is stored than Kafka ever had: another topic has its name
   */
  static StartPoint of(
      TopicPartition partition,
      @Nullable Progress progress,
      @Nullable Long storedMaximum,
      long earliest,
      long end) {
    if (progress != null) {
      refuseBeyond(partition, progress.offset(), end);
      Intent intent = progress.intent();
      boolean canForm = intent != null && intent.from() >= earliest;
      return new StartPoint(
          Math.max(progress.offset(), earliest),
          Math.max(0, earliest - progress.offset()),
          canForm ? intent : null);
    }
    if (storedMaximum == null) {
      return new StartPoint(earliest, 0, null);
    }
    long next = storedMaximum + 1;
    refuseBeyond(partition, next, end);
    return new StartPoint(
        Math.max(earliest, next - BATCH_SPAN), Math.max(0, earliest - next), null);
  }

  private static void refuseBeyond(TopicPartition partition, long next, long end) {
    if (next > end) {
      throw new WriterException(
          "%s ends at offset %d and rows up to offset %d are stored: the topic was made anew or lost records. Restore it, or write into a new --database"
              .formatted(partition, end, next - 1));
    }
  }
}
