package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.capacityobservatory.log.EntryName;
import org.capacityobservatory.log.EventId;
import org.capacityobservatory.log.EventIds;
import org.capacityobservatory.log.JudgedLine;
import org.capacityobservatory.log.LineHeaders;

/**
 * Makes the headers of the lines of one generation, or of one run of a feed; what is the same for
 * many is made once.
 */
final class RecordHeaderMaker {
  private static final RecordHeader BY_ENVELOPE =
      header(LineHeaders.TIME_SOURCE, LineHeaders.TIME_SOURCE_ENVELOPE);
  private static final RecordHeader BY_READ =
      header(LineHeaders.TIME_SOURCE, LineHeaders.TIME_SOURCE_READ);

  private final EventIds ids;
  private final RecordHeader source;
  private final RecordHeader generation;
  private RecordHeader readAt = header(LineHeaders.READ_AT, "0");
  private long readAtMillis;

  RecordHeaderMaker(String name, byte[] nameText, long generation) {
    this.ids = new EventIds(name, generation);
    this.source = new RecordHeader(LineHeaders.SOURCE, nameText);
    this.generation = header(LineHeaders.GENERATION, Long.toString(generation));
  }

  private static RecordHeader header(String name, String ascii) {
    return new RecordHeader(name, ascii.getBytes(US_ASCII));
  }

  RecordHeaders of(JudgedLine line, long lineReadAtMillis) {
    if (readAtMillis != lineReadAtMillis) {
      readAtMillis = lineReadAtMillis;
      readAt = header(LineHeaders.READ_AT, Long.toString(lineReadAtMillis));
    }
    byte[] position = Long.toString(line.position()).getBytes(US_ASCII);
    RecordHeaders headers = new RecordHeaders();
    headers.add(new RecordHeader(LineHeaders.EVENT_ID, id(line, position)));
    headers.add(source);
    headers.add(generation);
    headers.add(new RecordHeader(LineHeaders.POSITION, position));
    headers.add(EventTime.isTold(line) ? BY_ENVELOPE : BY_READ);
    headers.add(readAt);
    String flag = line.flag();
    if (flag != null) {
      headers.add(header(LineHeaders.FLAG, flag));
    }
    return headers;
  }

  private byte[] id(JudgedLine line, byte[] position) {
    EntryName name = line.name();
    return name == null ? ids.at(position) : EventId.named(name).toString().getBytes(US_ASCII);
  }
}
