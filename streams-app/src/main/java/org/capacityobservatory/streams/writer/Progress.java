package org.capacityobservatory.streams.writer;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/**
 * What the group's offset of one partition says: everything before {@code offset} is stored, and
 * what the writer was about to store then.
 *
 * @param offset the first offset not proven stored
 * @param topicId of the topic that it counts in; null where an older version committed
 * @param intent null when nothing was under way
 */
record Progress(long offset, @Nullable String topicId, @Nullable Intent intent) {
  private static final String VERSION = "v1";

  /** As it is committed: the offset, and the rest as its metadata. */
  OffsetAndMetadata committed() {
    StringBuilder text = new StringBuilder(VERSION).append(' ').append(topicId);
    if (intent != null) {
      text.append(' ').append(intent.from());
      text.append(' ').append(intent.to());
      text.append(' ').append(intent.rows());
      text.append(' ').append(Integer.toHexString(intent.checksum()));
    }
    return new OffsetAndMetadata(offset, text.toString());
  }

  /**
   * Reads what was committed.
   *
   * @throws WriterException when a newer version of this program, or somebody else, committed it
   */
  static Progress of(OffsetAndMetadata committed) {
    String metadata = committed.metadata();
    if (metadata.isEmpty()) {
      return new Progress(committed.offset(), null, null);
    }
    String[] parts = metadata.split(" ", -1);
    try {
      if (parts[0].equals(VERSION) && parts.length == 2) {
        return new Progress(committed.offset(), parts[1], null);
      }
      if (parts[0].equals(VERSION) && parts.length == 6) {
        return new Progress(
            committed.offset(),
            parts[1],
            new Intent(
                Long.parseLong(parts[2]),
                Long.parseLong(parts[3]),
                Integer.parseInt(parts[4]),
                Integer.parseUnsignedInt(parts[5], 16)));
      }
    } catch (NumberFormatException e) {
      throw new WriterException(notOurs(metadata), e);
    }
    throw new WriterException(notOurs(metadata));
  }

  private static String notOurs(String metadata) {
    return "The consumer group's offset says '"
        + metadata
        + "', and this program knows only "
        + VERSION
        + ": use the version that committed it, or another --group";
  }
}
