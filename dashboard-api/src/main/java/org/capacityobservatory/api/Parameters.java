package org.capacityobservatory.api;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.capacityobservatory.api.Problem.ParameterError;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters of one request, read against what the route takes.
 *
 * <p>Errors are collected; {@link #check} ends the request with all of them at once.
 */
final class Parameters {
  private static final int MAX_VALUES = 20;
  private static final int MAX_CHARS = 400;
  private static final int SHOWN_CHARS = 60;

  private final Map<String, List<String>> values;
  private final List<ParameterError> errors = new ArrayList<>();

  Parameters(Map<String, List<String>> values, Collection<String> known) {
    this.values = values;
    for (String name : values.keySet()) {
      if (!known.contains(name)) {
        error(
            shown(name),
            "this resource has no such parameter",
            known.isEmpty() ? "leave it out" : "use one of " + String.join(", ", known));
      }
    }
  }

  /** No parameters at all. */
  static Parameters none() {
    return new Parameters(Map.of(), List.of());
  }

  /** The parameter's only value, or null when it isn't there. */
  @Nullable String one(String name) {
    List<String> given = values.getOrDefault(name, List.of());
    if (given.size() > 1) {
      error(name, "it is given " + given.size() + " times", "give it once");
    }
    return given.isEmpty() ? null : given.get(0);
  }

  /** The parameter's values, each a filter by equality; empty when it isn't there. */
  List<String> many(String name) {
    List<String> given = values.getOrDefault(name, List.of());
    if (given.size() > MAX_VALUES) {
      error(name, "it has " + given.size() + " values", "give at most " + MAX_VALUES);
    }
    for (String value : given) {
      if (value.length() > MAX_CHARS) {
        error(name, "a value has " + value.length() + " characters", "at most " + MAX_CHARS);
      } else if (!wellFormed(value)) {
        error(name, "a value has characters that no line can have", "send text in UTF-8");
      }
    }
    return given;
  }

  /** One of some words, or null when the parameter isn't there. */
  @Nullable String choice(String name, Collection<String> allowed) {
    String given = one(name);
    if (given != null && !allowed.contains(given)) {
      error(name, "it is '" + shown(given) + "'", "use one of " + String.join(", ", allowed));
      return null;
    }
    return given;
  }

  /** A whole number within bounds, or null when the parameter isn't there. */
  @Nullable Long integer(String name, long min, long max) {
    String given = one(name);
    if (given == null) {
      return null;
    }
    if (given.matches("\\d{1,15}")) {
      long number = Long.parseLong(given);
      if (number >= min && number <= max) {
        return number;
      }
    }
    error(name, "it is '" + shown(given) + "'", "use a whole number from " + min + " to " + max);
    return null;
  }

  void error(String parameter, String detail, String remedy) {
    errors.add(new ParameterError(parameter, detail, remedy));
  }

  /**
   * Ends the request when any parameter was wrong.
   *
   * @throws ProblemException with every error found so far
   */
  void check() {
    if (!errors.isEmpty()) {
      throw new ProblemException(Problem.parameters(errors));
    }
  }

  static String shown(String value) {
    String printable =
        value
            .codePoints()
            .collect(
                StringBuilder::new,
                (text, c) -> text.appendCodePoint(Character.isISOControl(c) ? '\uFFFD' : c),
                StringBuilder::append)
            .toString();
    return printable.length() <= SHOWN_CHARS
        ? printable
        : printable.substring(0, SHOWN_CHARS) + "…";
  }

  private static boolean wellFormed(String value) {
    // U+FFFD stands where the bytes were no UTF-8.
    return value.codePoints().noneMatch(c -> c == 0 || c == 0xFFFD || (c >= 0xD800 && c <= 0xDFFF));
  }
}
