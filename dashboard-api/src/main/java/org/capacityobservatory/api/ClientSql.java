package org.capacityobservatory.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.capacityobservatory.sql.NamedQuery;
import org.jspecify.annotations.Nullable;

/**
 * A named query as {@code clickhouse-client} takes it: with {@code {name:Type}} where a value is
 * bound, and a {@code SET param_name} for each.
 *
 * @param name in {@code sql/queries}
 * @param parameters in the order of their first use
 * @param sql the text with its parameters
 */
record ClientSql(String name, List<Parameter> parameters, String sql) {
  /** What never is a place for a value comes first: comments, texts, casts. */
  private static final Pattern PLACE =
      Pattern.compile(
          "--[^\\n]*|'(?:[^'\\\\]|\\\\.)*'|::|:(?<value>[a-z_]\\w*)|<(?<list>[a-z_]\\w*)>");

  /**
   * One bound value.
   *
   * @param value as the client's SET has it, before quoting; null when it isn't for the caller
   */
  record Parameter(String name, String type, @Nullable String value) {
    /** The statement that binds it; a hidden value is left for the reader to fill in. */
    String set() {
      return "SET param_" + name + " = " + quoted(value == null ? "" : value) + ";";
    }
  }

  /**
   * Writes what was asked.
   *
   * @param hidden whether the value of that name isn't for the caller
   */
  static ClientSql of(Overheard asked, java.util.function.Predicate<String> hidden) {
    Map<String, Parameter> parameters = new LinkedHashMap<>();
    String sql =
        PLACE
            .matcher(NamedQuery.text(asked.query()))
            .replaceAll(
                place -> Matcher.quoteReplacement(replaced(place, asked, hidden, parameters)));
    return new ClientSql(asked.query(), List.copyOf(parameters.values()), sql.strip());
  }

  private static String replaced(
      MatchResult place,
      Overheard asked,
      java.util.function.Predicate<String> hidden,
      Map<String, Parameter> parameters) {
    String value = place.group(1);
    String list = place.group(2);
    if (value != null && asked.values().containsKey(value)) {
      return parameter(value, asked.values().get(value), hidden.test(value), parameters);
    }
    if (list != null && asked.lists().containsKey(list)) {
      List<String> items = asked.lists().getOrDefault(list, List.of());
      return IntStream.range(0, items.size())
          .mapToObj(
              i ->
                  parameter(
                      items.size() == 1 ? list : list + "_" + (i + 1),
                      items.get(i),
                      hidden.test(list),
                      parameters))
          .collect(Collectors.joining(", "));
    }
    return place.group();
  }

  private static String parameter(
      String name, @Nullable Object value, boolean hidden, Map<String, Parameter> parameters) {
    String type = type(value);
    parameters.putIfAbsent(
        name, new Parameter(name, type, hidden ? null : escaped(String.valueOf(value))));
    return "{" + name + ":" + type + "}";
  }

  private static String type(@Nullable Object value) {
    if (value instanceof Double) {
      return "Float64";
    }
    if (value instanceof Number number) {
      return number.longValue() < 0 ? "Int64" : "UInt64";
    }
    return "String";
  }

  /** ClickHouse reads a parameter's text as a field of TSV. */
  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n");
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  /** All that is to be pasted. */
  String script() {
    String sets = parameters.stream().map(p -> p.set() + "\n").collect(Collectors.joining());
    return sets + sql + ";";
  }
}
