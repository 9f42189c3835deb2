package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Instant;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.capacityobservatory.log.CapacityCall;
import org.capacityobservatory.log.CapacityEvent;
import org.capacityobservatory.log.ConfigChange;
import org.capacityobservatory.log.LineException;
import org.capacityobservatory.log.LineParser;
import org.capacityobservatory.streams.LinePlace.UnknownPlaceException;
import org.jspecify.annotations.Nullable;

/**
 * Reads each line and sends it on as a call, a config change or a dead letter: exactly one of them.
 *
 * <p>A record that can't be sent on fails the task, so nothing is skipped.
 */
final class LineProcessor implements Processor<byte[], byte[], byte[], Object> {
  /** No API of this kind wrote lines before; earlier times are a broken clock. */
  private static final long EARLIEST_MILLIS = Instant.parse("2010-01-01T00:00:00Z").toEpochMilli();

  /** How far an event time may lie past the moment at which its line was read. */
  private static final long MAX_AHEAD_MILLIS = 24 * 3_600_000L;

  private static final byte[] NO_KEY = {};

  private final StreamsMeters meters;
  private @Nullable ProcessorContext<byte[], Object> context;

  LineProcessor(StreamsMeters meters) {
    this.meters = meters;
  }

  @Override
  public void init(ProcessorContext<byte[], Object> context) {
    this.context = context;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    RecordMetadata kafka = context().recordMetadata().orElseThrow();
    LinePlace place = null;
    try {
      place = LinePlace.of(record.headers(), record.timestamp(), kafka);
      if (record.value() == null) {
        bury(record, kafka, place, "empty", "a record without a value");
      } else if (isWild(place)) {
        bury(record, kafka, place, "time_out_of_range", "event time " + place.eventAtMillis());
      } else {
        forward(LineParser.parse(record.value()), record.value(), place);
      }
    } catch (UnknownPlaceException e) {
      bury(record, kafka, null, "no_place", String.valueOf(e.getMessage()));
    } catch (LineException e) {
      bury(record, kafka, place, e.reason().word(), String.valueOf(e.getMessage()));
    }
  }

  private static boolean isWild(LinePlace place) {
    return place.eventAtMillis() < EARLIEST_MILLIS
        || place.eventAtMillis() > place.readAtMillis() + MAX_AHEAD_MILLIS;
  }

  private void forward(CapacityEvent event, byte[] line, LinePlace place) {
    event.typeErrors().forEach(meters::countTypeError);
    if (event instanceof CapacityCall call) {
      meters.countCall();
      send(place, EventRows.of(call, line, place), CapacityTopology.CALLS_SINK);
    } else if (event instanceof ConfigChange change) {
      meters.countConfigChange();
      send(place, EventRows.of(change, place), CapacityTopology.CONFIG_CHANGES_SINK);
    }
    Object timed = new TimedEvent(event, place);
    context().forward(new Record<>(NO_KEY, timed, place.eventAtMillis()), CapacityTopology.METRICS);
  }

  private void send(LinePlace place, byte[] row, String sink) {
    context().forward(new Record<>(keyOf(place), (Object) row, nowMillis()), sink);
  }

  private void bury(
      Record<byte[], byte[]> record,
      RecordMetadata kafka,
      @Nullable LinePlace place,
      String reason,
      String detail) {
    meters.countDeadLetter(reason);
    Object row = DeadLetterRow.of(reason, detail, record, kafka, place, nowMillis());
    context()
        .forward(new Record<>(record.key(), row, nowMillis()), CapacityTopology.DEAD_LETTERS_SINK);
  }

  private static byte[] keyOf(LinePlace place) {
    return place.eventId().getBytes(US_ASCII);
  }

  /** Rows carry their event time inside: on the topics, retention counts from now. */
  private long nowMillis() {
    return context().currentSystemTimeMs();
  }

  private ProcessorContext<byte[], Object> context() {
    if (context == null) {
      throw new IllegalStateException("Not initialised");
    }
    return context;
  }
}
