package org.capacityobservatory.alarms;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The entries of the store as JSON. Unknown keys are left alone, so that versions may differ. */
final class BookCodec {
  private static final ObjectMapper JSON = new ObjectMapper();

  private BookCodec() {}

  static String standing(SeriesKey series, Standing standing) {
    SeriesState state = standing.state();
    ObjectNode node = JSON.createObjectNode();
    node.set("series", series(series));
    node.put("state", state.state().word());
    node.put("under", state.under().word());
    node.put("held_ms", state.held().toMillis());
    node.put("over_ms", state.over().toMillis());
    putTime(node, "firing_since", state.firingSince());
    node.put("told", standing.told());
    if (standing.last() != null) {
      node.set("last", transition(standing.last()));
    }
    return node.toString();
  }

  static SeriesKey seriesOf(String text) {
    return readSeries(tree(text).path("series"));
  }

  static Standing standing(String text) {
    JsonNode node = tree(text);
    SeriesState state =
        new SeriesState(
            AlarmState.of(node.path("state").asText()),
            AlarmState.of(node.path("under").asText()),
            Duration.ofMillis(node.path("held_ms").asLong()),
            Duration.ofMillis(node.path("over_ms").asLong()),
            time(node, "firing_since"));
    return new Standing(
        state,
        node.path("told").asBoolean(),
        node.has("last") ? readTransition(node.path("last")) : null);
  }

  static String notice(Notice notice) {
    ObjectNode node = JSON.createObjectNode();
    node.put("receiver", notice.receiver());
    node.put("rule", notice.rule());
    putTime(node, "created_at", notice.createdAt());
    ArrayNode alerts = node.putArray("alerts");
    notice.alerts().forEach(alert -> alerts.add(transition(alert)));
    return node.toString();
  }

  static Notice notice(String text) {
    JsonNode node = tree(text);
    List<Transition> alerts = new ArrayList<>();
    node.path("alerts").forEach(alert -> alerts.add(readTransition(alert)));
    return new Notice(
        node.path("receiver").asText(),
        node.path("rule").asText(),
        alerts,
        Instant.ofEpochMilli(node.path("created_at").asLong()));
  }

  static String history(HistoryRow row) {
    ObjectNode node = JSON.createObjectNode();
    node.set("transition", transition(row.transition()));
    putTime(node, "decided_at", row.decidedAt());
    node.set("deliveries", map(row.deliveries()));
    node.put("revision", row.revision());
    return node.toString();
  }

  static HistoryRow history(String text) {
    JsonNode node = tree(text);
    return new HistoryRow(
        readTransition(node.path("transition")),
        Instant.ofEpochMilli(node.path("decided_at").asLong()),
        readMap(node.path("deliveries")),
        node.path("revision").asLong());
  }

  private static ObjectNode transition(Transition transition) {
    ObjectNode node = JSON.createObjectNode();
    node.set("series", series(transition.series()));
    node.set("labels", map(transition.labels()));
    node.put("from", transition.from().word());
    node.put("to", transition.to().word());
    putTime(node, "at", transition.at());
    putTime(node, "firing_since", transition.firingSince());
    transition.value().ifPresent(value -> node.put("value", value));
    node.put("calls", transition.calls());
    node.put("summary", transition.summary());
    return node;
  }

  private static Transition readTransition(JsonNode node) {
    return new Transition(
        readSeries(node.path("series")),
        readMap(node.path("labels")),
        AlarmState.of(node.path("from").asText()),
        AlarmState.of(node.path("to").asText()),
        Instant.ofEpochMilli(node.path("at").asLong()),
        time(node, "firing_since"),
        node.has("value")
            ? OptionalDouble.of(node.path("value").asDouble())
            : OptionalDouble.empty(),
        node.path("calls").asLong(),
        node.path("summary").asText());
  }

  private static ObjectNode series(SeriesKey series) {
    ObjectNode node = JSON.createObjectNode();
    node.put("rule", series.rule());
    node.set("labels", map(series.labels().asMap()));
    return node;
  }

  private static SeriesKey readSeries(JsonNode node) {
    return new SeriesKey(node.path("rule").asText(), Labels.of(readMap(node.path("labels"))));
  }

  /** A JSON object of texts. */
  static ObjectNode map(Map<String, String> texts) {
    ObjectNode node = JSON.createObjectNode();
    texts.forEach(node::put);
    return node;
  }

  private static Map<String, String> readMap(JsonNode node) {
    Map<String, String> texts = new TreeMap<>();
    node.properties().forEach(e -> texts.put(e.getKey(), e.getValue().asText()));
    return texts;
  }

  private static void putTime(ObjectNode node, String key, @Nullable Instant time) {
    if (time != null) {
      node.put(key, time.toEpochMilli());
    }
  }

  private static @Nullable Instant time(JsonNode node, String key) {
    return node.has(key) ? Instant.ofEpochMilli(node.path(key).asLong()) : null;
  }

  private static JsonNode tree(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AlarmStoreException(
          "An entry of the alarms' state isn't JSON: was its topic written by something else?", e);
    }
  }
}
