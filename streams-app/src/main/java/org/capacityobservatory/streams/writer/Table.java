package org.capacityobservatory.streams.writer;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.capacityobservatory.log.Topics;

/**
 * The tables that rows go to; their partitions are those of {@code sql/migrations}, since a block
 * holds rows of one table partition only.
 */
enum Table {
  CALLS("calls", "ended_at", Unit.MILLIS, Period.DAY),
  CONFIG_CHANGES("config_changes", "changed_at", Unit.MILLIS, Period.MONTH),
  DEAD_LETTERS("dead_letters", "read_at", Unit.MILLIS, Period.MONTH),
  DECISIONS_MINUTE("decisions_minute", "minute", Unit.SECONDS, Period.MONTH),
  LATENCY_MINUTE("latency_minute", "minute", Unit.SECONDS, Period.MONTH),
  LANES_MINUTE("lanes_minute", "minute", Unit.SECONDS, Period.MONTH),
  USAGE_MINUTE("usage_minute", "minute", Unit.SECONDS, Period.MONTH),
  EVENTS_MINUTE("events_minute", "minute", Unit.SECONDS, Period.MONTH),
  MINUTES_STATE("minutes_state", "published_at", Unit.MILLIS, Period.MONTH),
  PIPELINE_BOOKS("pipeline_books", "written_at", Unit.MILLIS, Period.MONTH);

  private static final Set<Table> OF_METRICS =
      EnumSet.of(
          DECISIONS_MINUTE,
          LATENCY_MINUTE,
          LANES_MINUTE,
          USAGE_MINUTE,
          EVENTS_MINUTE,
          MINUTES_STATE);

  /** Milliseconds of the year 5138. */
  private static final int MAX_DIGITS = 14;

  private enum Unit {
    MILLIS,
    SECONDS
  }

  private enum Period {
    DAY,
    MONTH
  }

  private final String tableName;
  private final String timeColumn;
  private final String timeKey;
  private final Unit unit;
  private final Period period;

  Table(String tableName, String timeColumn, Unit unit, Period period) {
    this.tableName = tableName;
    this.timeColumn = timeColumn;
    this.timeKey = '"' + timeColumn + "\":";
    this.unit = unit;
    this.period = period;
  }

  String tableName() {
    return tableName;
  }

  /**
   * The table of a record.
   *
   * @throws BadRowException when the record doesn't say a table that there is
   */
  static Table of(ConsumerRecord<byte[], byte[]> record) {
    return switch (record.topic()) {
      case Topics.CALLS -> CALLS;
      case Topics.CONFIG_CHANGES -> CONFIG_CHANGES;
      case Topics.DEAD_LETTERS -> DEAD_LETTERS;
      case Topics.BOOKS -> PIPELINE_BOOKS;
      case Topics.METRICS -> ofMetrics(record);
      default -> throw new BadRowException(record, "no table belongs to this topic");
    };
  }

  private static Table ofMetrics(ConsumerRecord<byte[], byte[]> record) {
    Header header = record.headers().lastHeader("table");
    String name = header == null ? "" : new String(header.value(), UTF_8);
    for (Table table : OF_METRICS) {
      if (name.equals(table.tableName)) {
        return table;
      }
    }
    throw new BadRowException(record, "header table is '" + name + "'");
  }

  /**
   * The table partition that a row belongs to, for example 20261130 or 202611.
   *
   * @throws BadRowException when the row has no time
   */
  int partitionOf(ConsumerRecord<byte[], byte[]> record) {
    LocalDate date = Instant.ofEpochMilli(timeOf(record)).atZone(ZoneOffset.UTC).toLocalDate();
    int month = date.getYear() * 100 + date.getMonthValue();
    return period == Period.MONTH ? month : month * 100 + date.getDayOfMonth();
  }

  /**
   * Looked for in the bytes: in JSON a quoted name with a colon can't stand inside a text, and rows
   * have no objects in them.
   */
  private long timeOf(ConsumerRecord<byte[], byte[]> record) {
    byte[] row = record.value();
    if (row == null) {
      throw new BadRowException(record, "it has no value");
    }
    int at = endOf(timeKey, row);
    long time = 0;
    int digits = 0;
    while (at >= 0 && at < row.length && row[at] >= '0' && row[at] <= '9' && digits < MAX_DIGITS) {
      time = 10 * time + row[at++] - '0';
      digits++;
    }
    if (digits == 0) {
      throw new BadRowException(record, "it has no " + timeColumn);
    }
    return unit == Unit.MILLIS ? time : time * 1000;
  }

  /** The index behind a key; -1 when it isn't there. */
  private static int endOf(String key, byte[] row) {
    for (int from = 0; from + key.length() <= row.length; from++) {
      int same = 0;
      while (same < key.length() && row[from + same] == key.charAt(same)) {
        same++;
      }
      if (same == key.length()) {
        return from + same;
      }
    }
    return -1;
  }
}
