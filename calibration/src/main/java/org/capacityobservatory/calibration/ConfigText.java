package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Reads and writes a config's values as text: the limiter's PATCH shape, and {@code path=value}.
 *
 * <p>JSON is read as the YAML that it is.
 */
public final class ConfigText {
  private ConfigText() {}

  /**
   * The changes of a PATCH body.
   *
   * @param text JSON or YAML, nested ({@code {"api_heavy":{"cluster":4}}}); dotted keys work too
   * @return dotted path to value, in the text's order
   * @throws InvalidConfigException when the text is no such object
   */
  public static Map<String, Object> patch(String text) {
    return flat(tree(text));
  }

  /** Nested values by their dotted paths. */
  static Map<String, Object> flat(Map<String, Object> nested) {
    Map<String, Object> flat = new LinkedHashMap<>();
    flatten("", nested, flat);
    return flat;
  }

  /**
   * The change of one {@code path=value}.
   *
   * @throws InvalidConfigException when it isn't of that form
   */
  public static Map<String, Object> set(String assignment) {
    int equals = assignment.indexOf('=');
    if (equals < 1 || equals == assignment.length() - 1) {
      throw new InvalidConfigException(
          List.of("'" + assignment + "' isn't PATH=VALUE, such as tiers.preview=1"));
    }
    String value = assignment.substring(equals + 1).strip();
    Map<String, Object> change = new LinkedHashMap<>();
    change.put(assignment.substring(0, equals).strip(), number(value));
    return change;
  }

  private static Object number(String value) {
    try {
      return Integer.valueOf(value);
    } catch (NumberFormatException e) {
      return value;
    }
  }

  /** Any YAML or JSON object as maps, lists and scalars. */
  static Map<String, Object> tree(String text) {
    Object loaded;
    try {
      LoaderOptions options = new LoaderOptions();
      options.setAllowDuplicateKeys(false);
      options.setNestingDepthLimit(20);
      loaded = new Yaml(new SafeConstructor(options)).load(text);
    } catch (YAMLException e) {
      String said = e.getMessage();
      throw new InvalidConfigException(
          List.of("neither JSON nor YAML: " + (said == null ? e.toString() : oneLine(said))));
    }
    if (loaded == null) {
      return Map.of();
    }
    if (!(loaded instanceof Map<?, ?> map)) {
      throw new InvalidConfigException(
          List.of("must be an object such as {\"tiers\":{\"preview\":1}}, not " + loaded));
    }
    return named(map);
  }

  static Map<String, Object> named(Map<?, ?> map) {
    Map<String, Object> named = new LinkedHashMap<>();
    map.forEach((key, value) -> named.put(String.valueOf(key), value));
    return named;
  }

  private static void flatten(String prefix, Map<String, Object> from, Map<String, Object> into) {
    from.forEach(
        (key, value) -> {
          String path = prefix + key;
          if (value instanceof Map<?, ?> inner) {
            flatten(path + ".", named(inner), into);
          } else {
            into.put(path, value == null ? "null" : value);
          }
        });
  }

  /** Changes as the limiter's PATCH body, nested. */
  public static Map<String, Object> nested(Map<String, Object> changes) {
    Map<String, Object> body = new LinkedHashMap<>();
    changes.forEach(
        (path, value) -> {
          int dot = path.indexOf('.');
          if (dot < 0) {
            body.put(path, value);
            return;
          }
          Map<String, Object> group = new LinkedHashMap<>();
          if (body.get(path.substring(0, dot)) instanceof Map<?, ?> there) {
            group.putAll(named(there));
          }
          group.put(path.substring(dot + 1), value);
          body.put(path.substring(0, dot), group);
        });
    return body;
  }

  /** Changes as a command line for the limiter; empty when there are none. */
  public static String setCommand(Map<String, Object> changes) {
    List<String> words = new ArrayList<>();
    changes.forEach((path, value) -> words.add(path + "=" + value));
    return words.isEmpty() ? "" : "capacity set " + String.join(" ", words);
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }
}
