package org.capacityobservatory.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a request's JSON; what is wrong with them is told with the parameters' errors.
 *
 * <p>A getter gives something harmless for a wrong field, since the request ends before it is used.
 */
final class Body {
  private static final int MAX_ENTRIES = 50;
  private static final int MAX_NAME = 200;

  private final JsonNode json;
  private final Parameters errors;

  Body(Ask ask, List<String> known) {
    this.json = ask.body();
    this.errors = ask.parameters();
    json.fieldNames()
        .forEachRemaining(
            name -> {
              if (!known.contains(name)) {
                errors.error(
                    Parameters.shown(name),
                    "this request has no such field",
                    "use " + String.join(", ", known));
              }
            });
  }

  private static boolean missing(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }

  /** A text that must be there. */
  String text(String name, int min, int max) {
    String text = textOrNull(name, max);
    if (text == null || text.length() < min) {
      if (missing(json.path(name)) || text != null) {
        errors.error(
            name,
            "it is missing or too short",
            "give a text of " + min + " to " + max + " characters");
      }
      return "";
    }
    return text;
  }

  /** A text, or null when it isn't there. */
  @Nullable String textOrNull(String name, int max) {
    JsonNode value = json.path(name);
    if (missing(value)) {
      return null;
    }
    if (!value.isTextual() || value.asText().length() > max || !clean(value.asText())) {
      errors.error(
          name,
          "it is no text of at most " + max + " characters",
          "send a JSON string without" + " control characters");
      return null;
    }
    return value.asText();
  }

  private static boolean clean(String text) {
    return text.codePoints()
        .noneMatch(
            c ->
                (Character.isISOControl(c) && c != '\n' && c != '\t')
                    || (c >= 0xD800 && c <= 0xDFFF));
  }

  /** One of some words, or null when it isn't there. */
  @Nullable String choice(String name, List<String> allowed) {
    String text = textOrNull(name, MAX_NAME);
    if (text != null && !allowed.contains(text)) {
      errors.error(
          name,
          "it is '" + Parameters.shown(text) + "'",
          "use one of " + String.join(", ", allowed));
      return null;
    }
    return text;
  }

  /** A time that must be there. */
  Instant time(String name) {
    Instant time = timeOrNull(name);
    if (time == null) {
      if (missing(json.path(name))) {
        errors.error(name, "it is missing", "give a time such as 2026-11-30T09:48:00Z");
      }
      return Instant.EPOCH;
    }
    return time;
  }

  /** A time, or null when it isn't there. */
  @Nullable Instant timeOrNull(String name) {
    String text = textOrNull(name, MAX_NAME);
    if (text == null) {
      return null;
    }
    try {
      Instant time = OffsetDateTime.parse(text).toInstant();
      if (!time.isBefore(Instant.EPOCH) && time.isBefore(Instant.parse("2106-01-01T00:00:00Z"))) {
        return time;
      }
    } catch (DateTimeException e) {
      // told below
    }
    errors.error(
        name, "'" + Parameters.shown(text) + "' is no time", "use RFC 3339 from 1970 to 2105");
    return null;
  }

  /** A range that must be there, its start before its end. */
  Period period() {
    Instant from = time("from");
    Instant to = time("to");
    if (!from.isBefore(to) && !missing(json.path("from")) && !missing(json.path("to"))) {
      errors.error("from", "it is not before to", "give a from that is earlier than to");
    }
    return new Period(from, to);
  }

  /** A whole number, or null when it isn't there. */
  @Nullable Long integer(String name, long min, long max) {
    JsonNode value = json.path(name);
    if (missing(value)) {
      return null;
    }
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.asLong() < min
        || value.asLong() > max) {
      errors.error(name, "it is out of range", "use a whole number from " + min + " to " + max);
      return null;
    }
    return value.asLong();
  }

  /** True or false, or null when it isn't there. */
  @Nullable Boolean flag(String name) {
    JsonNode value = json.path(name);
    if (missing(value)) {
      return null;
    }
    if (!value.isBoolean()) {
      errors.error(name, "it is neither true nor false", "use true or false");
      return null;
    }
    return value.asBoolean();
  }

  /** Texts, or null when the list isn't there. */
  @Nullable List<String> texts(String name, int maxItems, int maxChars) {
    JsonNode value = json.path(name);
    if (missing(value)) {
      return null;
    }
    List<String> texts = new ArrayList<>();
    boolean good = value.isArray() && value.size() <= maxItems;
    for (JsonNode item : value) {
      good &= item.isTextual() && item.asText().length() <= maxChars && clean(item.asText());
      texts.add(item.asText());
    }
    if (!good) {
      errors.error(
          name,
          "it is no list of texts",
          "send at most " + maxItems + " strings of at most " + maxChars + " characters");
      return null;
    }
    return texts;
  }

  /** Dotted paths of the limiter's config to whole numbers or words; empty when not there. */
  Map<String, Object> changes(String name) {
    Map<String, Object> changes = new LinkedHashMap<>();
    JsonNode value = json.path(name);
    if (missing(value)) {
      return changes;
    }
    boolean good = value.isObject() && value.size() <= MAX_ENTRIES;
    if (good) {
      for (Map.Entry<String, JsonNode> entry : value.properties()) {
        JsonNode to = entry.getValue();
        if (to.isInt()) {
          changes.put(entry.getKey(), to.asInt());
        } else if (to.isTextual() && to.asText().length() <= MAX_NAME) {
          changes.put(entry.getKey(), to.asText());
        } else {
          good = false;
        }
        good &= entry.getKey().length() <= MAX_NAME && clean(entry.getKey());
      }
    }
    if (!good) {
      errors.error(
          name,
          "it is no set of limits",
          "send at most "
              + MAX_ENTRIES
              + " paths with whole numbers or words, such as"
              + " {\"tiers.preview\": 3}");
    }
    return changes;
  }

  /** An object that is checked elsewhere, or null when it isn't there. */
  @Nullable JsonNode objectOrNull(String name) {
    JsonNode value = json.path(name);
    if (missing(value)) {
      return null;
    }
    if (!value.isObject()) {
      errors.error(name, "it is no object", "send names with their values");
      return null;
    }
    return value;
  }

  /** Names to texts; empty when not there. */
  Map<String, String> words(String name) {
    Map<String, String> words = new LinkedHashMap<>();
    JsonNode value = json.path(name);
    if (missing(value)) {
      return words;
    }
    boolean good = value.isObject() && value.size() <= MAX_ENTRIES;
    for (Map.Entry<String, JsonNode> entry : value.properties()) {
      String text = entry.getValue().asText();
      good &=
          entry.getValue().isTextual()
              && clean(text)
              && clean(entry.getKey())
              && text.length() <= MAX_NAME
              && entry.getKey().length() <= MAX_NAME;
      words.put(entry.getKey(), text);
    }
    if (!good) {
      errors.error(name, "it is no object of texts", "send names with strings");
    }
    return words;
  }
}
