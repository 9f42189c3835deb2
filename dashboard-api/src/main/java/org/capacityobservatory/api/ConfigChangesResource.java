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

/** The changes of the limiter's config, as a viewer may see them: without who and why. */
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

  Answer answer(Parameters parameters) {
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
    List<Map<String, @Nullable Object>> changes =
        store.list("config-changes", values, (row, context) -> change(row));
    String next = null;
    if (changes.size() > limit) {
      changes = changes.subList(0, limit);
      next = CallsResource.cursorOf(changes.get(limit - 1), "changed_at");
    }
    return new Answer(range.from(), range.to(), now, changes, next);
  }

  private Map<String, @Nullable Object> change(ResultSet row) throws SQLException {
    Map<String, @Nullable Object> change = new LinkedHashMap<>();
    change.put("event_id", row.getString("event_id_text"));
    change.put("changed_at", Rows.time(row, "changed_ms"));
    change.put("time_source", row.getString("time_source_text"));
    change.put("version", Rows.whole(row, "version"));
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
