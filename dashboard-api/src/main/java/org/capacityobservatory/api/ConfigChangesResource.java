package org.capacityobservatory.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The changes of the limiter's config; who and why not for a viewer. */
final class ConfigChangesResource {
  static final List<String> PARAMETERS = List.of("from", "to", "limit", "cursor");

  private final Store store;
  private final InstantSource clock;
  private final ObjectMapper json = new ObjectMapper();

  ConfigChangesResource(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /** A page of changes; next_cursor is null on the last. */
  record Answer(
      @Nullable Instant from,
      @Nullable Instant to,
      Instant asOf,
      List<Map<String, @Nullable Object>> configChanges,
      @Nullable String nextCursor) {}

  Answer answer(Ask ask) {
    Parameters parameters = ask.parameters();
    boolean personal = ask.caller().seesPersonalData();
    Instant now = clock.instant();
    TimeRange range = TimeRange.of(parameters, now);
    Long asked = parameters.integer("limit", 1, CallsResource.MAX_LIMIT);
    Cursor cursor = Cursor.of(parameters);
    parameters.check();

    int limit = asked == null ? CallsResource.DEFAULT_LIMIT : Math.toIntExact(asked);
    Period period = range.widest();
    Map<String, Object> values = new HashMap<>(CallsResource.after(cursor));
    values.put("from_ms", period.fromMs());
    values.put("to_ms", period.toMs());
    values.put("row_limit", limit + 1);
    values.put("personal", personal ? 1 : 0);
    List<Map<String, @Nullable Object>> changes =
        store.list("config-changes", values, (row, context) -> change(row, personal));
    String next = null;
    if (changes.size() > limit) {
      changes = changes.subList(0, limit);
      next = CallsResource.cursorOf(changes.get(limit - 1), "changed_at");
    }
    return new Answer(range.from(), range.to(), now, changes, next);
  }

  /** The last change before a time, or null when none is known. */
  @Nullable Map<String, @Nullable Object> lastBefore(Instant time) {
    Map<String, Object> values = new HashMap<>(CallsResource.after(null));
    values.put("from_ms", 0L);
    values.put("to_ms", time.toEpochMilli());
    values.put("row_limit", 1);
    values.put("personal", 0);
    List<Map<String, @Nullable Object>> found =
        store.list("config-changes", values, (row, context) -> change(row, false));
    return found.isEmpty() ? null : found.get(0);
  }

  private Map<String, @Nullable Object> change(ResultSet row, boolean personal)
      throws SQLException {
    Map<String, @Nullable Object> change = new LinkedHashMap<>();
    change.put("event_id", row.getString("event_id_text"));
    change.put("changed_at", Rows.time(row, "changed_ms"));
    change.put("time_source", row.getString("time_source_text"));
    change.put("version", Rows.whole(row, "version"));
    if (personal) {
      change.put("changed_by", row.getString("changed_by_text"));
      change.put("note", row.getString("note_text"));
    }
    change.put("change_source", row.getString("change_source_text"));
    change.put("mode", row.getString("mode_text"));
    change.put("changes", object(row.getString("changes")));
    change.put("source", row.getString("source_text"));
    change.put("generation", row.getLong("generation"));
    change.put("position", row.getLong("position"));
    return change;
  }

  /** Stored text as JSON; null where it isn't any, so that one bad row can't spoil the answer. */
  private @Nullable JsonNode object(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      return json.readTree(text);
    } catch (JsonProcessingException e) {
      return null;
    }
  }
}
