package org.capacityobservatory.streams.writer;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A record on a topic of rows isn't one: someone else writes there, so the writer stops. */
public final class BadRowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BadRowException(ConsumerRecord<?, ?> record, String problem) {
    super(
        "The record at %s, partition %d, offset %d can't be stored: %s"
            .formatted(record.topic(), record.partition(), record.offset(), problem));
  }
}
