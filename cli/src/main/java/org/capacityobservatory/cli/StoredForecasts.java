package org.capacityobservatory.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import org.capacityobservatory.calibration.EnforcementForecast;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.capacityobservatory.sql.NamedQuery;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** The forecasts in ClickHouse: where calibration, which knows no table, meets the alarms. */
final class StoredForecasts {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int MOST = 1_000;
  private static final String NO_ID = "00000000-0000-0000-0000-000000000000";

  /** As a DateTime64(3) in UTC takes it. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

  private final ClickHouseConfig config;

  /**
   * A forecast as it is stored.
   *
   * @param refusedShare by group, {@code all} or {@code tier.core}: 0 to 1
   * @param refusedShareHigh upper end of its interval, likewise
   * @param limits by lane: the limits that calls may see
   */
  record Row(
      UUID id,
      long revision,
      Instant startsAt,
      boolean withdrawn,
      Map<String, Double> refusedShare,
      Map<String, Double> refusedShareHigh,
      Map<String, List<Integer>> limits,
      String enforceFor,
      String program,
      String storedBy) {
    static Row of(EnforcementForecast forecast, Instant startsAt, String storedBy) {
      Map<String, Double> shares = new TreeMap<>();
      Map<String, Double> highs = new TreeMap<>();
      Map<String, List<Integer>> limits = new TreeMap<>();
      forecast
          .refusedShare()
          .forEach(
              (group, share) -> {
                shares.put(group, share.value());
                highs.put(group, share.high());
              });
      forecast.limits().forEach((lane, seen) -> limits.put(lane, seen.stream().sorted().toList()));
      return new Row(
          UUID.randomUUID(),
          1,
          startsAt,
          false,
          shares,
          highs,
          limits,
          forecast.enforceFor(),
          forecast.program(),
          storedBy);
    }

    Row withdrawnBy(String who) {
      return new Row(
          id,
          revision + 1,
          startsAt,
          true,
          refusedShare,
          refusedShareHigh,
          limits,
          enforceFor,
          program,
          who);
    }

    Map<String, Object> tree(String state) {
      Map<String, Object> tree = new LinkedHashMap<>();
      tree.put("id", id.toString());
      tree.put("state", state);
      tree.put("starts_at", startsAt.toString());
      Map<String, Object> groups = new LinkedHashMap<>();
      refusedShare.forEach(
          (group, share) -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("value", share);
            one.put("high", refusedShareHigh.get(group));
            groups.put(group, one);
          });
      tree.put("refused_share", groups);
      tree.put("limits", limits);
      tree.put("enforce_for", enforceFor);
      tree.put("program", program);
      tree.put("stored_by", storedBy);
      tree.put("revision", revision);
      return tree;
    }

    String text(String state) {
      StringBuilder text = new StringBuilder();
      text.append(
          "%s  %s  from %s, enforced for %s, by %s%n"
              .formatted(id, state, startsAt, enforceFor, storedBy));
      refusedShare.forEach(
          (group, share) ->
              text.append(
                  String.format(
                      Locale.ROOT,
                      "  %-20s refused %5.1f %% of attempts, at most %5.1f %%%n",
                      group,
                      share * 100,
                      refusedShareHigh.getOrDefault(group, share) * 100)));
      List<String> lanes = new ArrayList<>();
      limits.forEach(
          (lane, seen) ->
              lanes.add(
                  lane + " " + String.join(" or ", seen.stream().map(String::valueOf).toList())));
      text.append("  limits: ").append(String.join(", ", lanes)).append('\n');
      return text.toString();
    }
  }

  /** Forecasts of one database; connects only when asked. */
  StoredForecasts(ClickHouseConfig config) {
    this.config = config;
  }

  /** Every forecast's newest revision, the one that starts last first. */
  List<Row> list() {
    return read(NO_ID, false);
  }

  Optional<Row> find(UUID id) {
    return read(id.toString(), true).stream().findFirst();
  }

  private List<Row> read(String id, boolean one) {
    return ClickHouse.queries(config, new Properties())
        .withHandle(handle -> query(handle, id, one).map((row, context) -> row(row)).list());
  }

  private static Query query(Handle handle, String id, boolean one) {
    return handle
        .createQuery(NamedQuery.text("forecasts"))
        .bind("id_on", one ? 1 : 0)
        .bind("after_id", id)
        .bind("row_limit", MOST);
  }

  private static Row row(ResultSet row) throws SQLException {
    return new Row(
        UUID.fromString(row.getString("id_text")),
        row.getLong("newest_revision"),
        Instant.ofEpochMilli(row.getLong("starts_ms")),
        row.getBoolean("withdrawn"),
        map(row.getString("refused_share_json"), new TypeReference<>() {}),
        map(row.getString("refused_share_high_json"), new TypeReference<>() {}),
        map(row.getString("limits_json"), new TypeReference<>() {}),
        row.getString("enforce_for_text"),
        row.getString("program"),
        row.getString("stored_by"));
  }

  private static <T> Map<String, T> map(String json, TypeReference<Map<String, T>> type) {
    try {
      return new TreeMap<>(JSON.readValue(json, type));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A stored forecast's map isn't a JSON object", e);
    }
  }

  /** Stores a revision; a repeat of the same one changes nothing. */
  void write(Row row) {
    Map<String, Object> cells = new LinkedHashMap<>();
    cells.put("id", row.id().toString());
    cells.put("revision", row.revision());
    cells.put("starts_at", TIME.format(row.startsAt()));
    cells.put("withdrawn", row.withdrawn());
    cells.put("refused_share", row.refusedShare());
    cells.put("refused_share_high", row.refusedShareHigh());
    cells.put("limits", row.limits());
    cells.put("enforce_for", row.enforceFor());
    cells.put("program", row.program());
    cells.put("stored_by", row.storedBy());
    try {
      new ClickHouseHttp(config, TIMEOUT)
          .insertBlock(
              "forecasts",
              List.of((JSON.writeValueAsString(cells) + "\n").getBytes(UTF_8)),
              1,
              "forecast-" + row.id() + "-" + row.revision());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Maps of numbers are always JSON", e);
    }
  }

  /** A list as a tree for JSON, with each one's state at a time. */
  static Map<String, Object> tree(List<Row> rows, Instant now) {
    List<Object> list = new ArrayList<>();
    states(rows, now).forEach((row, state) -> list.add(row.tree(state)));
    return Map.of("forecasts", list);
  }

  static String text(List<Row> rows, Instant now) {
    StringBuilder text = new StringBuilder();
    states(rows, now).forEach((row, state) -> text.append(row.text(state)));
    return text.isEmpty()
        ? "No forecast is stored: see capacity forecast store\n"
        : text.toString();
  }

  /** Rows come the one that starts last first; the first that has started is in force. */
  private static Map<Row, String> states(List<Row> rows, Instant now) {
    Map<Row, String> states = new LinkedHashMap<>();
    for (Row row : rows) {
      String state = "superseded";
      if (row.withdrawn()) {
        state = "withdrawn";
      } else if (row.startsAt().isAfter(now)) {
        state = "to come";
      } else if (!states.containsValue("in force")) {
        state = "in force";
      }
      states.put(row, state);
    }
    return states;
  }
}
