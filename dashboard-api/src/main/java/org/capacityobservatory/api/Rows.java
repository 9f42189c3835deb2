package org.capacityobservatory.api;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads columns of a result so that NULL stays null. */
final class Rows {
  private Rows() {}

  static @Nullable Instant time(ResultSet row, String column) throws SQLException {
    Long ms = whole(row, column);
    return ms == null ? null : Instant.ofEpochMilli(ms);
  }

  static @Nullable Long whole(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : (Long) value;
  }

  static @Nullable Boolean yesOrNo(ResultSet row, String column) throws SQLException {
    boolean value = row.getBoolean(column);
    return row.wasNull() ? null : (Boolean) value;
  }

  static List<String> texts(ResultSet row, String column) throws SQLException {
    Object values = row.getArray(column).getArray();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < java.lang.reflect.Array.getLength(values); i++) {
      texts.add(String.valueOf(java.lang.reflect.Array.get(values, i)));
    }
    return texts;
  }
}
