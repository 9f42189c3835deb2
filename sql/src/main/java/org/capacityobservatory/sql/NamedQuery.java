package org.capacityobservatory.sql;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The queries of {@code sql/queries}: text with {@code :name} where a value is bound. */
public final class NamedQuery {
  /**
   * {@code {decisions 3600}}: the text of {@code parts/decisions.sql} with {@code $step} replaced,
   * as a subquery.
   */
  private static final Pattern PART = Pattern.compile("\\{(?<part>[a-z]+) (?<step>:?\\w+)}");

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
    String part =
        COMMENTS.matcher(Resources.text("queries/parts/" + use.group(1) + ".sql")).replaceAll("");
    return Matcher.quoteReplacement("(\n" + part.replace("$step", use.group(2)) + ")");
  }
}
