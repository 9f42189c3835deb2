package org.capacityobservatory.api;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The time a request asks for: from inclusive, to exclusive, each possibly open.
 *
 * @param from the start, or null for the start of the data
 * @param to the end, or null for the end of the data
 */
record TimeRange(@Nullable Instant from, @Nullable Instant to) {
  // What ClickHouse's DateTime holds.
  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant LAST = Instant.parse("2106-01-01T00:00:00Z");
  private static final Pattern RELATIVE = Pattern.compile("-(\\d{1,6})([smhdw])");
  private static final String REMEDY =
      "use RFC 3339, for example 2026-11-30T09:48:00Z (a + in a URL is %2B), or a time back from"
          + " now such as -15m, -1h, -7d, or now";

  /** Reads {@code from} and {@code to}. */
  static TimeRange of(Parameters parameters, Instant now) {
    Instant from = instant(parameters, "from", now);
    Instant to = instant(parameters, "to", now);
    if (from != null && to != null && !from.isBefore(to)) {
      parameters.error("from", "it is not before to", "give a from that is earlier than to");
    }
    return new TimeRange(from, to);
  }

  private static @Nullable Instant instant(Parameters parameters, String name, Instant now) {
    String text = parameters.one(name);
    if (text == null) {
      return null;
    }
    Instant instant = parse(text, now);
    if (instant == null) {
      parameters.error(name, "'" + Parameters.shown(text) + "' is not a time", REMEDY);
    } else if (instant.isBefore(FIRST) || instant.isAfter(LAST)) {
      parameters.error(name, "it is out of range", "use a time from 1970 to 2105");
      return null;
    }
    return instant;
  }

  private static @Nullable Instant parse(String text, Instant now) {
    if (text.equals("now")) {
      return now;
    }
    Matcher relative = RELATIVE.matcher(text);
    if (relative.matches()) {
      return now.minus(unit(relative.group(2)).multipliedBy(Long.parseLong(relative.group(1))));
    }
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static Duration unit(String letter) {
    return switch (letter) {
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      case "d" -> Duration.ofDays(1);
      default -> Duration.ofDays(7);
    };
  }

  /**
   * The whole minutes that this range touches, open ends closed by the data's.
   *
   * @param data the minutes that have data, or null when none has
   * @return the minutes, or null when neither the request nor the data says any
   */
  @Nullable Period minutes(@Nullable Period data, Instant now) {
    if (from == null && to == null) {
      return data;
    }
    Instant end = to != null ? ceilToMinute(to) : ceilToMinute(now);
    if (to == null && data != null && data.to().isAfter(end)) {
      end = data.to();
    }
    Instant start = end;
    if (from != null) {
      start = from.truncatedTo(ChronoUnit.MINUTES);
    } else if (data != null && data.from().isBefore(end)) {
      start = data.from();
    }
    return new Period(start, end.isBefore(start) ? start : end);
  }

  /** This range in epoch milliseconds, open ends as wide as can be. */
  Period widest() {
    return new Period(from == null ? FIRST : from, to == null ? LAST : to);
  }

  private static Instant ceilToMinute(Instant time) {
    Instant floor = time.truncatedTo(ChronoUnit.MINUTES);
    return floor.equals(time) ? floor : floor.plus(1, ChronoUnit.MINUTES);
  }
}
