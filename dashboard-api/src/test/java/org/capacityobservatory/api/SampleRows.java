package org.capacityobservatory.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The sample lines as rows, made here by means of the test's own: not by the pipeline's parser and
 * metrics, so that a fault there can't hide here.
 *
 * <p>Times are moved to yesterday, since rows are removed by their age.
 */
final class SampleRows {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> NOT_COLUMNS = Set.of("event");

  private final TestingDatabase database;
  private final Instant readAt;
  private final List<Call> calls = new ArrayList<>();
  private final List<Map<String, @Nullable Object>> changes = new ArrayList<>();
  private final List<Map<String, @Nullable Object>> books = new ArrayList<>();
  private final Map<List<@Nullable Object>, Long> decisions = new LinkedHashMap<>();
  private final Map<List<@Nullable Object>, TreeMap<Integer, Long>> histograms =
      new LinkedHashMap<>();
  private final Map<List<@Nullable Object>, long[]> missingAndSum = new LinkedHashMap<>();

  /**
   * One call of the samples.
   *
   * @param columns by the line's own names
   */
  record Call(Instant endedAt, Map<String, @Nullable Object> columns) {
    @Nullable Object get(String name) {
      return columns.get(name);
    }

    List<?> full() {
      return columns.get("full") instanceof List<?> lanes ? lanes : List.of();
    }
  }

  private SampleRows(TestingDatabase database, Instant readAt) {
    this.database = database;
    this.readAt = readAt;
  }

  /**
   * Stores a folder of samples, as if all had been read at a time.
   *
   * @return the calls, to be counted by other means than those of the rows
   */
  static List<Call> store(Path folder, TestingDatabase database, Instant readAt)
      throws IOException {
    SampleRows rows = new SampleRows(database, readAt);
    for (String name : List.of("api-a.log", "api-b.log")) {
      rows.readFile(folder.resolve(name));
    }
    database.insert("calls", rows.calls.stream().map(Call::columns).toList());
    if (!rows.changes.isEmpty()) {
      database.insert("config_changes", rows.changes);
    }
    database.insert("pipeline_books", rows.books);
    database.insert("decisions_minute", rows.decisionRows());
    database.insert("latency_minute", rows.latencyRows());
    SampleLanes.store(rows.calls, database, readAt);
    return rows.calls;
  }

  private void readFile(Path file) throws IOException {
    long ours = 0;
    long read = 0;
    for (String text : Files.readAllLines(file)) {
      read++;
      JsonNode event;
      Instant time;
      if (text.startsWith("{\"log\"")) {
        JsonNode envelope = JSON.readTree(text);
        time = Instant.parse(envelope.get("time").asText());
        event = json(envelope.get("log").asText());
      } else {
        String[] parts = text.split(" ", 4);
        time = Instant.parse(parts[0]);
        event = json(parts[3]);
      }
      if (line(file.getFileName().toString(), yesterday(time), event)) {
        ours++;
      }
    }
    books.add(
        database.books(
            "file:" + file.getFileName(),
            readAt,
            ours,
            "lines_read",
            read,
            "not_ours",
            read - ours));
  }

  /** Noise is no JSON object; null then. */
  private static @Nullable JsonNode json(String text) {
    try {
      return text.startsWith("{") ? JSON.readTree(text) : null;
    } catch (IOException e) {
      return null;
    }
  }

  private Instant yesterday(Instant time) {
    Instant midnight = readAt.truncatedTo(ChronoUnit.DAYS).minus(1, ChronoUnit.DAYS);
    return midnight
        .plus(Duration.between(time.truncatedTo(ChronoUnit.DAYS), time))
        .truncatedTo(ChronoUnit.MILLIS);
  }

  private boolean line(String file, Instant time, @Nullable JsonNode event) {
    String kind = event == null ? "" : event.path("event").asText();
    if (event == null || !(kind.equals("ocl_capacity") || kind.equals("ocl_capacity_config"))) {
      return false;
    }
    if (kind.equals("ocl_capacity_config")) {
      changes.add(
          database.configChange(
              time,
              "source",
              "file:" + file,
              "version",
              event.get("version").asLong(),
              "mode",
              event.get("mode").asText(),
              "changes",
              event.get("changes").toString()));
      return true;
    }
    Map<String, @Nullable Object> call = database.call(time, "", "source", "file:" + file);
    for (Map.Entry<String, JsonNode> field : event.properties()) {
      if (!NOT_COLUMNS.contains(field.getKey())) {
        call.put(field.getKey(), JSON.convertValue(field.getValue(), Object.class));
      }
    }
    calls.add(new Call(time, call));
    count(time.truncatedTo(ChronoUnit.MINUTES), call);
    return true;
  }

  private void count(Instant minute, Map<String, @Nullable Object> call) {
    List<@Nullable Object> cell = new ArrayList<>(List.of(minute));
    for (String name : List.of("decision", "mode", "endpoint", "single_row", "tier", "scope")) {
      cell.add(call.get(name));
    }
    decisions.merge(cell, 1L, Long::sum);
    for (String measure : List.of("held_ms", "queue_ms")) {
      List<@Nullable Object> key = new ArrayList<>(List.of(minute, measure));
      for (String name : List.of("endpoint", "single_row", "tier")) {
        key.add(call.get(name));
      }
      TreeMap<Integer, Long> histogram = histograms.computeIfAbsent(key, k -> new TreeMap<>());
      long[] rest = missingAndSum.computeIfAbsent(key, k -> new long[2]);
      if (call.get(measure) instanceof Integer value) {
        histogram.merge(bucket(value), 1L, Long::sum);
        rest[1] += value;
      } else {
        rest[0]++;
      }
    }
  }

  /** Values below 128 for themselves, then 64 buckets a power of two. */
  private static int bucket(int value) {
    int width = 1;
    int bucketsBefore = 0;
    int start = 0;
    for (int power = 7; value >= 1 << power; power++) {
      start = 1 << power;
      width = start / 64;
      bucketsBefore = 128 + (power - 7) * 64;
    }
    return bucketsBefore + (value - start) / width;
  }

  private List<Map<String, @Nullable Object>> decisionRows() {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    decisions.forEach(
        (cell, n) ->
            rows.add(
                database.decisions(
                    (Instant) cell.get(0),
                    0,
                    2,
                    (String) cell.get(1),
                    n,
                    "mode",
                    cell.get(2),
                    "endpoint",
                    cell.get(3),
                    "single_row",
                    cell.get(4),
                    "tier",
                    cell.get(5),
                    "scope",
                    cell.get(6))));
    return rows;
  }

  private List<Map<String, @Nullable Object>> latencyRows() {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    histograms.forEach(
        (key, histogram) -> {
          long[] flat =
              histogram.entrySet().stream()
                  .flatMapToLong(e -> java.util.stream.LongStream.of(e.getKey(), e.getValue()))
                  .toArray();
          long[] rest = missingAndSum.getOrDefault(key, new long[2]);
          rows.add(
              database.latency(
                  (Instant) key.get(0),
                  0,
                  (String) key.get(1),
                  rest[0],
                  rest[1],
                  flat,
                  "endpoint",
                  key.get(2),
                  "single_row",
                  key.get(3),
                  "tier",
                  key.get(4)));
        });
    return rows;
  }
}
