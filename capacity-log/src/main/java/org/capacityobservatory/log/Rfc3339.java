package org.capacityobservatory.log;

/**
 * Reads the one form of time that log transports write: {@code 2026-11-30T09:48:18.002081891Z}.
 *
 * <p>0 to 9 digits of fraction; {@code Z} or an offset such as {@code +02:00}; years 0000 to 9999
 * in the proleptic Gregorian calendar; second 60 (a leap second) is the next minute's first.
 */
final class Rfc3339 {
  /** What {@link #parseMillis} answers when the bytes are no such time. */
  static final long NOT_A_TIME = Long.MIN_VALUE;

  private static final int[] DAYS_BEFORE_MONTH = {
    0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334
  };
  private static final int[] DAYS_IN_MONTH = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  private static final int MIN_LENGTH = "2026-11-30T09:48:18Z".length();
  private static final int MAX_FRACTION_DIGITS = 9;

  private Rfc3339() {}

  /** Epoch milliseconds, cut (not rounded) to the millisecond, or {@link #NOT_A_TIME}. */
  static long parseMillis(byte[] b, int from, int to) {
    if (to - from < MIN_LENGTH || !hasForm(b, from)) {
      return NOT_A_TIME;
    }
    int year = digits(b, from, 4);
    int month = digits(b, from + 5, 2);
    int day = digits(b, from + 8, 2);
    int hour = digits(b, from + 11, 2);
    int minute = digits(b, from + 14, 2);
    int second = digits(b, from + 17, 2);
    if (year < 0 || !isDate(year, month, day) || !isTime(hour, minute, second)) {
      return NOT_A_TIME;
    }
    int zone = from + 19;
    int millis = 0;
    if (b[zone] == '.') {
      int end = endOfFraction(b, zone + 1, to);
      if (end < 0) {
        return NOT_A_TIME;
      }
      millis = fractionMillis(b, zone + 1, end);
      zone = end;
    }
    int offsetMinutes = offsetMinutes(b, zone, to);
    if (offsetMinutes == Integer.MIN_VALUE) {
      return NOT_A_TIME;
    }
    long minutes = (epochDay(year, month, day) * 24 + hour) * 60 + minute - offsetMinutes;
    return (minutes * 60 + second) * 1000 + millis;
  }

  private static boolean hasForm(byte[] b, int i) {
    return b[i + 4] == '-'
        && b[i + 7] == '-'
        && (b[i + 10] == 'T' || b[i + 10] == 't')
        && b[i + 13] == ':'
        && b[i + 16] == ':';
  }

  private static boolean isDate(int year, int month, int day) {
    if (month < 1 || month > 12 || day < 1) {
      return false;
    }
    int days = DAYS_IN_MONTH[month - 1] + (month == 2 && isLeap(year) ? 1 : 0);
    return day <= days;
  }

  private static boolean isTime(int hour, int minute, int second) {
    return hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 60;
  }

  private static boolean isLeap(int year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  }

  private static long epochDay(int year, int month, int day) {
    // Leap days before 1 January of the year, counted from year 0, which is itself one.
    int leaps = year == 0 ? 0 : (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1;
    int dayOfYear = DAYS_BEFORE_MONTH[month - 1] + (month > 2 && isLeap(year) ? 1 : 0) + (day - 1);
    long daysFromYear0 = year * 365L + leaps + dayOfYear;
    return daysFromYear0 - 719_528;
  }

  private static int endOfFraction(byte[] b, int from, int to) {
    int i = from;
    while (i < to && b[i] >= '0' && b[i] <= '9') {
      i++;
    }
    return i == from || i - from > MAX_FRACTION_DIGITS ? -1 : i;
  }

  private static int fractionMillis(byte[] b, int from, int to) {
    int millis = 0;
    for (int k = 0; k < 3; k++) {
      millis = millis * 10 + (from + k < to ? b[from + k] - '0' : 0);
    }
    return millis;
  }

  private static int offsetMinutes(byte[] b, int from, int to) {
    if (from + 1 == to && (b[from] == 'Z' || b[from] == 'z')) {
      return 0;
    }
    if (from + 6 != to || b[from + 3] != ':' || (b[from] != '+' && b[from] != '-')) {
      return Integer.MIN_VALUE;
    }
    int hours = digits(b, from + 1, 2);
    int minutes = digits(b, from + 4, 2);
    if (!isTime(hours, minutes, 0)) {
      return Integer.MIN_VALUE;
    }
    int offset = hours * 60 + minutes;
    return b[from] == '-' ? -offset : offset;
  }

  /** The number in {@code count} digits, or -1 where one of them isn't a digit. */
  private static int digits(byte[] b, int from, int count) {
    int value = 0;
    for (int i = from; i < from + count; i++) {
      if (b[i] < '0' || b[i] > '9') {
        return -1;
      }
      value = value * 10 + (b[i] - '0');
    }
    return value;
  }
}
