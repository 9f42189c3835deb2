package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import org.jspecify.annotations.Nullable;

/** The address of the calls behind a number. */
final class RowsLink {
  private RowsLink() {}

  /** The calls with a time in a period. */
  static String to(Period period) {
    return "/api/v1/calls?from=" + period.from() + "&to=" + period.to() + "&untimed=false";
  }

  /**
   * Those of them with one value.
   *
   * @param value null for the calls that have none
   */
  static String to(Period period, String dimension, @Nullable String value) {
    return to(period)
        + (value == null ? "&missing=" + dimension : "&" + dimension + "=" + encoded(value));
  }

  static String encoded(String value) {
    return URLEncoder.encode(value, UTF_8);
  }

  /** A group's value as JSON has it: true and false for a yes-or-no dimension, else the text. */
  static @Nullable Object groupValue(String dimension, @Nullable String value) {
    return value != null && dimension.equals("single_row") ? Boolean.valueOf(value) : value;
  }
}
