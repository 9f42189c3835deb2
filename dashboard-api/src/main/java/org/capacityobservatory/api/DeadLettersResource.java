package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lines and records that could not be read; their bytes not for a viewer. */
final class DeadLettersResource {
  static final List<String> PARAMETERS =
      List.of("from", "to", "stage", "reason", "source", "limit", "cursor");
  static final List<String> STAGES = List.of("ship", "streams");

  private final Store store;
  private final InstantSource clock;

  DeadLettersResource(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /** A page of them; next_cursor is null on the last. */
  record Answer(
      @Nullable Instant from,
      @Nullable Instant to,
      Instant asOf,
      List<Map<String, @Nullable Object>> deadLetters,
      @Nullable String nextCursor) {}

  Answer answer(Ask ask) {
    Parameters parameters = ask.parameters();
    Instant now = clock.instant();
    TimeRange range = TimeRange.of(parameters, now);
    Filters filters =
        new Filters()
            .choice(parameters, "stage", STAGES)
            .many(parameters, "reason")
            .many(parameters, "source");
    Long asked = parameters.integer("limit", 1, CallsResource.MAX_LIMIT);
    Cursor cursor = Cursor.of(parameters);
    parameters.check();

    int limit = asked == null ? CallsResource.DEFAULT_LIMIT : Math.toIntExact(asked);
    filters.over(range.widest()).with("row_limit", limit + 1);
    filters.values().putAll(CallsResource.after(cursor));
    boolean personal = ask.caller().seesPersonalData();
    List<Map<String, @Nullable Object>> letters =
        store.list(
            "dead-letters",
            filters.values(),
            filters.lists(),
            (row, context) -> letter(row, personal));
    String next = null;
    if (letters.size() > limit) {
      letters = letters.subList(0, limit);
      Map<String, @Nullable Object> last = letters.get(limit - 1);
      if (last.get("read_at") instanceof Instant time && last.get("id") instanceof String id) {
        next = new Cursor(time.toEpochMilli(), UUID.fromString(id)).text();
      }
    }
    return new Answer(range.from(), range.to(), now, letters, next);
  }

  private static Map<String, @Nullable Object> letter(ResultSet row, boolean personal)
      throws SQLException {
    Map<String, @Nullable Object> letter = new LinkedHashMap<>();
    letter.put("id", row.getString("id_text"));
    letter.put("stage", row.getString("stage_text"));
    letter.put("reason", row.getString("reason_text"));
    letter.put("detail", row.getString("detail"));
    letter.put("source", row.getString("source_text"));
    letter.put("generation", Rows.whole(row, "generation"));
    letter.put("position", Rows.whole(row, "position"));
    letter.put("topic", row.getString("topic_text"));
    letter.put("partition", Rows.whole(row, "partition"));
    letter.put("offset", Rows.whole(row, "offset"));
    if (personal) {
      letter.put("raw", text(row.getString("raw_base64")));
    }
    letter.put("raw_length", row.getLong("raw_length"));
    letter.put("raw_sha256", row.getString("raw_sha256"));
    letter.put("event_at", Rows.time(row, "event_ms"));
    letter.put("read_at", Rows.time(row, "read_ms"));
    return letter;
  }

  private static String text(@Nullable String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64 == null ? "" : base64), UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
