package org.capacityobservatory.alarms;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.capacityobservatory.sql.NamedQuery;
import org.jdbi.v3.core.Jdbi;

/** The silences in ClickHouse; safe for use by several threads. */
public final class Silences {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST = 10_000;

  private final Jdbi queries;

  /** Silences of one database. */
  public Silences(Jdbi queries) {
    this.queries = queries;
  }

  /** Those that hadn't ended at a time, the one that ends last first. */
  public List<Silence> since(Instant time) {
    return queries.withHandle(
        handle ->
            handle
                .createQuery(NamedQuery.text("alarm-silences"))
                .bind("from_ms", time.toEpochMilli())
                .bind("row_limit", MOST)
                .map(
                    (row, context) ->
                        new Silence(
                            UUID.fromString(row.getString("id_text")),
                            matchers(row.getString("matchers")),
                            row.getString("reason"),
                            row.getString("created_by"),
                            Instant.ofEpochMilli(row.getLong("starts_ms")),
                            Instant.ofEpochMilli(row.getLong("ends_ms")),
                            row.getLong("revision")))
                .list());
  }

  /**
   * Writes a revision of a silence.
   *
   * @param clickHouse with a login that may write
   */
  public static void put(ClickHouseHttp clickHouse, Silence silence) {
    ObjectNode row = JSON.createObjectNode();
    row.put("id", silence.id().toString());
    row.put("matchers", BookCodec.map(silence.matchers()).toString());
    row.put("reason", silence.reason());
    row.put("created_by", silence.createdBy());
    row.put("starts_at", DateTimes.of(silence.startsAt()));
    row.put("ends_at", DateTimes.of(silence.endsAt()));
    row.put("revision", silence.revision());
    clickHouse.insertBlock(
        "alarm_silences",
        List.of((row + "\n").getBytes(UTF_8)),
        1,
        "silence-" + silence.id() + "-" + silence.revision());
  }

  private static Map<String, String> matchers(String json) {
    try {
      return JSON.readValue(json, new TypeReference<>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A silence's matchers aren't a JSON object", e);
    }
  }
}
