package org.capacityobservatory.alarms;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as Prometheus writes them: {@code 90s}, {@code 5m}, {@code 1h30m}, {@code 2d}. */
final class Durations {
  private static final Pattern FORM =
      Pattern.compile("(?:(\\d{1,6})d)?(?:(\\d{1,6})h)?(?:(\\d{1,6})m)?(?:(\\d{1,6})s)?");

  private Durations() {}

  static Duration parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (text.isBlank() || !form.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' isn't a duration such as 90s, 5m or 1h30m");
    }
    return Duration.ofDays(number(form.group(1)))
        .plusHours(number(form.group(2)))
        .plusMinutes(number(form.group(3)))
        .plusSeconds(number(form.group(4)));
  }

  private static long number(@Nullable String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  /** The shortest text that {@link #parse} reads as this. */
  static String print(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    StringBuilder text = new StringBuilder();
    part(text, duration.toDays(), 'd');
    part(text, duration.toHoursPart(), 'h');
    part(text, duration.toMinutesPart(), 'm');
    part(text, duration.toSecondsPart(), 's');
    return text.toString();
  }

  private static void part(StringBuilder text, long n, char unit) {
    if (n > 0) {
      text.append(n).append(unit);
    }
  }
}
