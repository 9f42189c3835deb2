package org.capacityobservatory.sql;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The queries of {@code sql/queries}: text with {@code :name} where a value is bound. */
public final class NamedQuery {
  /**
   * {@code {decisions 3600}}: {@code parts/period.sql} as a subquery over {@code decisions_hour}
   * and {@code decisions_minute}, whose columns are in {@code parts/decisions.sql}, for steps of
   * 3,600 s. In {@code {latency_total 3600}} the hours alone are another table.
   */
  private static final Pattern PART =
      Pattern.compile("\\{(?<part>(?<minutes>[a-z]+)[a-z_]*) (?<step>:?\\w+)}");

  private static final Pattern COMMENTS = Pattern.compile("(?m)^--.*\\n");

  private NamedQuery() {}

  /**
   * The text of one query.
   *
   * @param name the file's name without {@code .sql}
   * @throws IllegalArgumentException when there is no such query
   */
  public static String text(String name) {
    return PART.matcher(Resources.text("queries/" + name + ".sql")).replaceAll(NamedQuery::part);
  }

  private static String part(MatchResult use) {
    String period =
        uncommented("period")
            .replace("$columns", uncommented(use.group(1)).strip())
            .replace("$hours", use.group(1) + "_hour")
            .replace("$minutes", use.group(2) + "_minute")
            .replace("$step", use.group(3));
    return Matcher.quoteReplacement("(\n" + period + ")");
  }

  private static String uncommented(String part) {
    return COMMENTS.matcher(Resources.text("queries/parts/" + part + ".sql")).replaceAll("");
  }
}
