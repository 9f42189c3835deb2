package org.capacityobservatory.alarms;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The labels that tell one series of a rule from another, names ascending; a label without a value
 * isn't there.
 *
 * <p>Immutable and made to be a key: its text is at hand.
 */
public final class Labels implements Comparable<Labels> {
  /** No labels: a rule with one series. */
  public static final Labels NONE = new Labels(new TreeMap<>());

  /** Labels whose values are personal data, not for viewers. */
  public static final String PERSONAL = "user_id";

  private final SortedMap<String, String> values;
  private final String text;

  private Labels(SortedMap<String, String> values) {
    this.values = values;
    this.text =
        values.entrySet().stream()
            .map(e -> e.getKey() + "=\"" + escaped(e.getValue()) + "\"")
            .collect(Collectors.joining(",", "{", "}"));
  }

  /** So that no two sets of labels have one text. */
  private static String escaped(String value) {
    return value.indexOf('"') < 0 && value.indexOf('\\') < 0
        ? value
        : value.replace("\\", "\\\\").replace("\"", "\\\"");
  }

  /** Labels by name; those with an empty value are left out. */
  public static Labels of(Map<String, String> values) {
    SortedMap<String, String> kept = new TreeMap<>(values);
    kept.values().removeIf(String::isEmpty);
    return kept.isEmpty() ? NONE : new Labels(kept);
  }

  /** The value of a label; empty when it isn't there. */
  public String get(String name) {
    return values.getOrDefault(name, "");
  }

  /** All of them, names ascending. */
  public Map<String, String> asMap() {
    return java.util.Collections.unmodifiableSortedMap(values);
  }

  @Override
  public int compareTo(Labels other) {
    return text.compareTo(other.text);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Labels labels && text.equals(labels.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** As in an expression: {@code {lane="api_heavy",tier="core"}}. */
  @Override
  public String toString() {
    return text;
  }
}
