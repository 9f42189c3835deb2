package org.capacityobservatory.sql;

/** The queries of {@code sql/queries}: text with {@code :name} where a value is bound. */
public final class NamedQuery {
  private NamedQuery() {}

  /**
   * The text of one query.
   *
   * @param name the file's name without {@code .sql}
   * @throws IllegalArgumentException when there is no such query
   */
  public static String text(String name) {
    return Resources.text("queries/" + name + ".sql");
  }
}
