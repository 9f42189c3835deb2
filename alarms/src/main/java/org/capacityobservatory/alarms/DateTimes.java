package org.capacityobservatory.alarms;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times as ClickHouse reads them in JSON rows. */
final class DateTimes {
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private DateTimes() {}

  static String of(Instant time) {
    return MILLIS.format(time);
  }
}
