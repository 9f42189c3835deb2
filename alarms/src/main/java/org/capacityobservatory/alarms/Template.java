package org.capacityobservatory.alarms;

import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The templates of annotations: {@code {{ $value }}}, {@code {{ $labels.tier }}}, and a value as a
 * percentage, {@code {{ $value | humanizePercentage }}}.
 */
final class Template {
  private static final Pattern PLACE = Pattern.compile("\\{\\{(?<inside>.*?)\\}\\}");
  private static final Pattern INSIDE =
      Pattern.compile(
          "\\s*\\$(?:(?<value>value)|labels\\.(?<label>[a-zA-Z_]+))(?:\\s*\\|\\s*(?<as>humanizePercentage|humanizeDuration))?\\s*");

  private Template() {}

  /**
   * Checks a text against a rule's expression.
   *
   * @throws IllegalArgumentException saying what is wrong and what would be right
   */
  static void check(String text, AlarmExpression expression) {
    Matcher place = PLACE.matcher(text);
    while (place.find()) {
      Matcher inside = INSIDE.matcher(place.group("inside"));
      if (!inside.matches()) {
        throw new IllegalArgumentException(
            "'" + place.group() + "' isn't {{ $value }} or {{ $labels.NAME }}");
      }
      String label = inside.group("label");
      if (label != null
          && !expression.by().contains(label)
          && !expression.filters().containsKey(label)) {
        throw new IllegalArgumentException(
            "the series have no label "
                + label
                + "; they have "
                + new TreeSet<>(expression.by())
                + ": add it to by (…)");
      }
    }
  }

  /** Fills in a text. */
  static String fill(String text, double value, Labels labels, Map<String, String> filters) {
    return PLACE
        .matcher(text)
        .replaceAll(
            place -> {
              Matcher inside = INSIDE.matcher(place.group(1));
              if (!inside.matches()) {
                return Matcher.quoteReplacement(place.group());
              }
              String label = inside.group("label");
              if (label != null) {
                String own = labels.get(label);
                return Matcher.quoteReplacement(
                    own.isEmpty() ? filters.getOrDefault(label, "") : own);
              }
              return Matcher.quoteReplacement(value(value, inside.group("as")));
            });
  }

  private static String value(double value, @org.jspecify.annotations.Nullable String as) {
    if (as == null || Double.isNaN(value)) {
      return Numbers.plain(value);
    }
    return as.equals("humanizePercentage")
        ? Numbers.plain(Math.round(value * 10_000) / 100.0) + " %"
        : Durations.print(java.time.Duration.ofSeconds(Math.round(value)));
  }
}
