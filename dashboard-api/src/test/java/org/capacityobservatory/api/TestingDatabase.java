package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.capacityobservatory.localstack.LocalClickHouse;
import org.capacityobservatory.localstack.LocalClickHouseConfig;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.capacityobservatory.sql.Migrations;
import org.jspecify.annotations.Nullable;

/**
 * A database of its own in a real engine, and rows for it.
 *
 * <p>One engine serves all tests of the JVM; it ends with it.
 */
final class TestingDatabase {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ClickHouseConfig reader;
  private final ClickHouseConfig writerConfig;
  private final ClickHouseHttp writer;
  private long rows;

  private TestingDatabase(ClickHouseConfig reader, ClickHouseConfig writerConfig) {
    this.reader = reader;
    this.writerConfig = writerConfig;
    this.writer = new ClickHouseHttp(writerConfig, Duration.ofSeconds(30));
  }

  private static final class Engine {
    static final LocalClickHouse RUNNING = start();

    private static LocalClickHouse start() {
      try {
        Path directory = Files.createTempDirectory(Path.of("target"), "clickhouse-");
        LocalClickHouse engine =
            LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("data")));
        Runtime.getRuntime().addShutdownHook(new Thread(engine::close));
        return engine;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** A new database with the tables and no rows. */
  static TestingDatabase create() {
    TestingDatabase database = bare();
    Migrations.apply(database.writer, database.reader);
    return database;
  }

  /** The name of a database that isn't there. */
  static TestingDatabase bare() {
    String name = "capacity_" + NEXT.incrementAndGet();
    LocalClickHouse engine = Engine.RUNNING;
    ClickHouseConfig writer =
        new ClickHouseConfig(
            engine.url(), LocalClickHouse.WRITER, engine.password(LocalClickHouse.WRITER), name);
    ClickHouseConfig reader =
        new ClickHouseConfig(
            engine.url(), LocalClickHouse.READER, engine.password(LocalClickHouse.READER), name);
    return new TestingDatabase(reader, writer);
  }

  /** Access that may only read. */
  ClickHouseConfig reader() {
    return reader;
  }

  /** Access that may write. */
  ClickHouseConfig writerConfig() {
    return writerConfig;
  }

  ClickHouseHttp writer() {
    return writer;
  }

  void insert(String table, List<Map<String, @Nullable Object>> rows) {
    StringBuilder lines = new StringBuilder();
    try {
      for (Map<String, @Nullable Object> row : rows) {
        lines.append(JSON.writeValueAsString(row)).append('\n');
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
    writer.insertBlock(
        table,
        List.of(lines.toString().getBytes(UTF_8)),
        rows.size(),
        UUID.randomUUID().toString());
  }

  /** Pairs as a row; the rest is what every row needs. */
  private Map<String, @Nullable Object> row(@Nullable Object... pairs) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("kafka_topic", "topic");
    row.put("kafka_partition", 0);
    row.put("kafka_offset", rows++);
    for (int i = 0; i < pairs.length; i += 2) {
      row.put(String.valueOf(pairs[i]), pairs[i + 1]);
    }
    return row;
  }

  /** A call of source {@code file:a} with an envelope's time; pairs override. */
  Map<String, @Nullable Object> call(Instant endedAt, String decision, @Nullable Object... pairs) {
    Map<String, @Nullable Object> call = line(endedAt, "ended_at");
    call.put("decision", decision);
    call.put("full", List.of());
    call.putAll(row(pairs));
    return call;
  }

  /** A config change of source {@code file:a}; pairs override. */
  Map<String, @Nullable Object> configChange(Instant changedAt, @Nullable Object... pairs) {
    Map<String, @Nullable Object> change = line(changedAt, "changed_at");
    change.put("changes", "{}");
    change.putAll(row(pairs));
    return change;
  }

  private Map<String, @Nullable Object> line(Instant time, String timeColumn) {
    Map<String, @Nullable Object> line = new LinkedHashMap<>();
    line.put("event_id", new UUID(rows, 1).toString());
    line.put("source", "file:a");
    line.put("generation", 1);
    line.put("position", rows * 100);
    line.put("time_source", "envelope");
    line.put(timeColumn, text(time));
    line.put("read_at", text(time));
    line.put("null_keys", List.of());
    line.put("unknown", "");
    return line;
  }

  /** A partial of a minute's calls; pairs name the dimensions. */
  Map<String, @Nullable Object> decisions(
      Instant minute,
      long partial,
      long revision,
      String decision,
      long calls,
      @Nullable Object... pairs) {
    Map<String, @Nullable Object> cell =
        row(
            "minute", SECOND.format(minute),
            "lines_partition", 0,
            "partial", partial,
            "revision", revision,
            "decision", decision,
            "calls", calls);
    cell.putAll(row(pairs));
    return cell;
  }

  /** A partial of a minute's histogram; buckets and counts alternate in {@code histogram}. */
  Map<String, @Nullable Object> latency(
      Instant minute,
      long partial,
      String measure,
      long missing,
      long sum,
      long[] histogram,
      @Nullable Object... pairs) {
    List<Long> buckets = new ArrayList<>();
    List<Long> counts = new ArrayList<>();
    for (int i = 0; i < histogram.length; i += 2) {
      buckets.add(histogram[i]);
      counts.add(histogram[i + 1]);
    }
    Map<String, @Nullable Object> cell =
        row(
            "minute", SECOND.format(minute),
            "lines_partition", 0,
            "partial", partial,
            "revision", 2,
            "measure", measure,
            "present", counts.stream().mapToLong(Long::longValue).sum(),
            "missing", missing,
            "sum", sum,
            "bucket", buckets,
            "n", counts);
    cell.putAll(row(pairs));
    return cell;
  }

  /** How far a partition of the lines has come; null when nothing of it is complete. */
  Map<String, @Nullable Object> state(
      int partition, @Nullable Instant completeUntil, @Nullable Object... pairs) {
    Map<String, @Nullable Object> state =
        row(
            "lines_partition",
            partition,
            "complete_until",
            completeUntil == null ? null : text(completeUntil),
            "occupancy_complete_until",
            completeUntil == null ? null : text(completeUntil),
            "closed_until",
            null,
            "sources",
            1,
            "idle_sources",
            0,
            "future_times",
            0,
            "late_lines",
            0,
            "published_at",
            text(Instant.EPOCH.plusSeconds(1_700_000_000)),
            "revision",
            rows);
    state.putAll(row(pairs));
    return state;
  }

  /** A partial of a lane's minute; pairs override. */
  Map<String, @Nullable Object> lane(Instant minute, String lane, @Nullable Object... pairs) {
    Map<String, @Nullable Object> cell =
        row(
            "minute", SECOND.format(minute),
            "lines_partition", 0,
            "partial", rows,
            "lane", lane,
            "calls", 0,
            "measured", 0,
            "full", 0,
            "full_alone", 0,
            "near_limit", 0,
            "occupancy_ms", 0,
            "revision", 2);
    cell.putAll(row(pairs));
    return cell;
  }

  /** A partial of a minute's rare things. */
  Map<String, @Nullable Object> event(Instant minute, String kind, String value, long n) {
    return row(
        "minute", SECOND.format(minute),
        "lines_partition", 0,
        "partial", rows,
        "kind", kind,
        "value", value,
        "n", n,
        "revision", 2);
  }

  /** Live books at their end: ten lines read, none lost; pairs override. */
  Map<String, @Nullable Object> books(
      String source, Instant writtenAt, long acknowledged, @Nullable Object... pairs) {
    Map<String, @Nullable Object> books =
        row(
            "source",
            source,
            "shipper",
            "shipper",
            "written_at",
            text(writtenAt),
            "generation",
            1,
            "lines_read",
            acknowledged,
            "acknowledged",
            acknowledged,
            "quarantined",
            0,
            "not_ours",
            0,
            "pending",
            0,
            "bytes_read",
            1_000,
            "behind_bytes",
            0,
            "dropped_at_source",
            0,
            "clock",
            null,
            "at_end",
            true,
            "state",
            "live",
            "problem",
            null);
    books.putAll(row(pairs));
    return books;
  }

  /** A dead letter; pairs override. */
  Map<String, @Nullable Object> deadLetter(
      String stage, String reason, Instant readAt, @Nullable Object... pairs) {
    Map<String, @Nullable Object> letter =
        row(
            "id",
            new UUID(rows, 2).toString(),
            "stage",
            stage,
            "reason",
            reason,
            "raw_base64",
            "",
            "raw_length",
            10,
            "raw_sha256",
            "",
            "read_at",
            text(readAt));
    letter.putAll(row(pairs));
    return letter;
  }

  static String text(Instant time) {
    return TIME.format(time);
  }
}
