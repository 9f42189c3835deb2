package org.capacityobservatory.sql;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.capacityobservatory.sql.NativeColumn.Bytes;

/**
 * Rows of one table, given as JSON objects and sent as ClickHouse's format Native.
 *
 * <p>A row means what it means as JSONEachRow: an omitted key is NULL or the type's zero, an
 * unknown one an error. Native costs ClickHouse a fifth of the CPU time: it reads columns as it
 * keeps them.
 *
 * <p>Not safe for use by several threads.
 */
public final class NativeRows {
  private static final JsonFactory JSON = new JsonFactory();

  private final String table;
  private final Map<String, NativeColumn> columns;

  /** The keys of the row before, with their columns: mostly this row has the same. */
  private final List<Key> keysBefore = new ArrayList<>();

  private int rows;

  private record Key(String name, NativeColumn column) {}

  /** No rows yet. */
  public NativeRows(TableColumns columns) {
    this.table = columns.table();
    this.columns = columns.empty();
  }

  /** The table that the rows are for. */
  public String table() {
    return table;
  }

  /** How many rows there are. */
  public int rows() {
    return rows;
  }

  /**
   * Adds a row. After an exception these rows are of no use any more.
   *
   * @throws RowException when it isn't JSON, or can't be stored in the table
   */
  public void add(byte[] object) {
    read(object);
    rows++;
  }

  /**
   * Adds a row that came through Kafka, with its place there: the columns {@code kafka_…}.
   *
   * @throws RowException as above
   */
  public void add(byte[] object, String topic, int partition, long offset) {
    read(object);
    column("kafka_topic").set(rows, topic);
    column("kafka_partition").set(rows, partition);
    column("kafka_offset").set(rows, offset);
    rows++;
  }

  private void read(byte[] object) {
    try (JsonParser json = JSON.createParser(object)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new RowException("it isn't a JSON object");
      }
      for (int at = 0; json.nextToken() == JsonToken.FIELD_NAME; at++) {
        Key key = keyAt(at, json.currentName());
        json.nextToken();
        set(key, json);
      }
    } catch (IOException e) {
      throw new RowException("it isn't the JSON of a row: " + e.getMessage());
    }
  }

  /** The parser gives equal names as one string, so that the usual case is one comparison. */
  @SuppressWarnings("ReferenceEquality")
  private Key keyAt(int at, String name) {
    if (at < keysBefore.size()) {
      Key before = keysBefore.get(at);
      if (before.name() == name) {
        return before;
      }
    }
    Key key = new Key(name, column(name));
    if (at < keysBefore.size()) {
      keysBefore.set(at, key);
    } else {
      keysBefore.add(key);
    }
    return key;
  }

  private NativeColumn column(String name) {
    NativeColumn column = columns.get(name);
    if (column == null) {
      throw new RowException("table " + table + " has no column " + name);
    }
    return column;
  }

  private void set(Key key, JsonParser json) throws IOException {
    try {
      key.column().set(rows, json);
    } catch (RowException e) {
      throw new RowException(key.name() + " " + e.getMessage());
    }
  }

  /** The rows as one block. */
  byte[] toBytes() {
    Bytes block = new Bytes();
    block.varint(columns.size());
    block.varint(rows);
    columns.forEach(
        (name, column) -> {
          column.padTo(rows);
          block.text(name);
          block.text(column.type());
          column.writeTo(block);
        });
    return block.toArray();
  }
}
