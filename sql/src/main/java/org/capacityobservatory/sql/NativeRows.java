package org.capacityobservatory.sql;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.capacityobservatory.sql.NativeColumn.Bytes;

/**
 * Rows of one table, given as JSON objects and sent as ClickHouse's format Native.
 *
 * <p>A row means what it means as JSONEachRow: an omitted key is NULL or the type's zero, an
 * unknown one an error. Native costs ClickHouse a third of the CPU time or less: it reads columns
 * as it keeps them.
 *
 * <p>Not safe for use by several threads.
 */
public final class NativeRows {
  private static final JsonFactory JSON = new JsonFactory();

  private final String table;
  private final Map<String, NativeColumn> columns;

  /**
   * The keys of all rows so far, in the order in which rows have them: mostly the next has it too.
   */
  private final List<Key> keys = new ArrayList<>();

  private int rows;

  private record Key(SerializedString name, NativeColumn column) {}

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
      int at = 0;
      while (true) {
        // Comparing with the key that is expected spares the parser finding out which one it is.
        boolean expected = at < keys.size() && json.nextFieldName(keys.get(at).name());
        if (at == keys.size()) {
          json.nextToken();
        }
        if (json.currentToken() != JsonToken.FIELD_NAME) {
          break;
        }
        at = expected ? at : indexOf(json.currentName(), at);
        Key key = keys.get(at++);
        json.nextToken();
        set(key, json);
      }
      if (json.nextToken() != null) {
        throw new RowException("it is more than one JSON object");
      }
    } catch (IOException e) {
      throw new RowException("it isn't the JSON of a row: " + e.getMessage());
    }
  }

  /**
   * Where a key stands, or is put when it is new.
   *
   * @param from where another one was expected
   */
  private int indexOf(String name, int from) {
    for (int i = 0; i < keys.size(); i++) {
      int at = (from + i) % keys.size();
      if (keys.get(at).name().getValue().equals(name)) {
        return at;
      }
    }
    keys.add(from, new Key(new SerializedString(name), column(name)));
    return from;
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
      throw new RowException(key.name().getValue() + " " + e.getMessage());
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
