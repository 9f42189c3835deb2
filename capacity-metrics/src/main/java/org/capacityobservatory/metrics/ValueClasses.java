package org.capacityobservatory.metrics;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A closed set of classes for values of an open one, as told by configuration.
 *
 * @param classOfValue each listed value's class
 */
public record ValueClasses(Map<String, String> classOfValue) {
  private static final int MAX_CLASSES = 50;

  /**
   * Checks the classes.
   *
   * @throws IllegalArgumentException when there are more than 50 classes: each multiplies the cells
   */
  public ValueClasses {
    classOfValue = Map.copyOf(classOfValue);
    int classes = new TreeSet<>(classOfValue.values()).size();
    if (classes > MAX_CLASSES) {
      throw new IllegalArgumentException(
          classes + " classes: at most " + MAX_CLASSES + ", since each multiplies the cells");
    }
  }

  /**
   * Reads classes as a person writes them.
   *
   * @param entries each {@code VALUE}, which is a class of its own, or {@code CLASS=VALUE}
   * @throws IllegalArgumentException when a value stands twice, or a name is empty
   */
  public static ValueClasses of(List<String> entries) {
    Map<String, String> classes = new HashMap<>();
    for (String entry : entries) {
      int equals = entry.indexOf('=');
      String value = entry.substring(equals + 1);
      String name = equals < 0 ? value : entry.substring(0, equals);
      if (value.isBlank() || name.isBlank()) {
        throw new IllegalArgumentException(
            "class '" + entry + "' has an empty name: write VALUE or CLASS=VALUE");
      }
      if (classes.put(value, name) != null) {
        throw new IllegalArgumentException("value '" + value + "' has two classes");
      }
    }
    return new ValueClasses(classes);
  }

  /** The class of a value; {@link Dimensions#OTHER} for one that isn't listed, null for null. */
  public @Nullable String classOf(@Nullable String value) {
    return value == null ? null : classOfValue.getOrDefault(value, Dimensions.OTHER);
  }
}
