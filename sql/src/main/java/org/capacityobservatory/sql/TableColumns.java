package org.capacityobservatory.sql;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The columns of one table that rows give values for, as the database has them now.
 *
 * <p>Those with a DEFAULT are ClickHouse's own to fill.
 */
public final class TableColumns {
  private final String table;
  private final Map<String, String> typeByName;

  /**
   * Columns that are known already.
   *
   * @param typeByName types as {@code system.columns} writes them, in the table's order
   */
  public TableColumns(String table, Map<String, String> typeByName) {
    this.table = table;
    this.typeByName = new LinkedHashMap<>(typeByName);
  }

  /**
   * Asks the database.
   *
   * @param table a table of the database; a name of this program's own, never input
   * @throws ClickHouseException when ClickHouse isn't reached or refuses, or has no such table
   */
  public static TableColumns of(ClickHouseHttp clickHouse, String table) {
    Map<String, String> types = new LinkedHashMap<>();
    String answer =
        clickHouse.execute(
            "SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = '%s' AND default_kind = '' ORDER BY position FORMAT TSVRaw"
                .formatted(table));
    answer
        .lines()
        .map(line -> line.split("\t", 2))
        .forEach(column -> types.put(column[0], column[1]));
    if (types.isEmpty()) {
      throw new ClickHouseException("ClickHouse shows no columns of the table " + table);
    }
    return new TableColumns(table, types);
  }

  String table() {
    return table;
  }

  /** Each column, empty, in the table's order. */
  Map<String, NativeColumn> empty() {
    Map<String, NativeColumn> columns = new LinkedHashMap<>();
    typeByName.forEach((name, type) -> columns.put(name, NativeColumn.of(type)));
    return columns;
  }
}
