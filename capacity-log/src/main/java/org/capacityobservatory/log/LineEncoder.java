package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a record as the limiter's line: one compact JSON object in UTF-8, without line end.
 *
 * <p>The opposite of {@link LineParser}: what it wrote is read as an equal record, but for keys
 * that stood there with null, which a line leaves out. Keys stand in the limiter's own order.
 * Stateless; safe for several threads.
 */
public final class LineEncoder {
  private static final String LOG_DROPPED = "log_dropped";

  // Keys come from outside: the JVM's table of strings must not grow with them.
  private static final JsonFactory JSON =
      JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();

  private LineEncoder() {}

  /**
   * Writes one line.
   *
   * @param droppedBefore lines dropped before this one, 0 or more; added to what the record itself
   *     says in {@code log_dropped}
   * @throws IllegalArgumentException if text that a record holds verbatim is no JSON object on one
   *     line
   * @throws IOException if {@code out} throws it
   */
  public static void write(CapacityEvent event, long droppedBefore, OutputStream out)
      throws IOException {
    try (JsonGenerator json = JSON.createGenerator(out, JsonEncoding.UTF8)) {
      json.writeStartObject();
      if (event instanceof CapacityCall call) {
        writeCall(json, call);
      } else if (event instanceof ConfigChange change) {
        writeChange(json, change);
      }
      writeUnknown(json, event.unknown());
      Long told = event.logDropped();
      if (told != null || droppedBefore > 0) {
        json.writeNumberField(LOG_DROPPED, (told == null ? 0 : told) + droppedBefore);
      }
      json.writeEndObject();
    }
  }

  /**
   * Writes text that is a line already; its line breaks become spaces, so that it stays one line.
   *
   * @param droppedBefore lines dropped before this one, 0 or more
   * @return whether the line tells {@code droppedBefore}: true where that is 0 or the text is one
   *     JSON object without {@code log_dropped}
   * @throws IOException if {@code out} throws it
   */
  public static boolean writeText(String text, long droppedBefore, OutputStream out)
      throws IOException {
    String line = text.strip().replace('\n', ' ').replace('\r', ' ');
    boolean tells = droppedBefore > 0 && isObjectWithout(LOG_DROPPED, line);
    if (tells) {
      String open = line.substring(0, line.length() - 1);
      String comma = open.substring(1).isBlank() ? "" : ",";
      line = open + comma + "\"" + LOG_DROPPED + "\":" + droppedBefore + "}";
    }
    out.write(line.getBytes(UTF_8));
    return tells || droppedBefore == 0;
  }

  private static void writeCall(JsonGenerator json, CapacityCall call) throws IOException {
    json.writeStringField("event", LineParser.CALL_EVENT);
    if (!call.typeErrors().contains("decision")) {
      // Of a line that had no text there; what it had is among the unknown.
      text(json, "decision", call.decision());
    }
    text(json, "mode", call.mode());
    flag(json, "enforced", call.enforced());
    text(json, "endpoint", call.endpoint());
    flag(json, "semantic", call.semantic());
    flag(json, "reranker", call.reranker());
    number(json, "rows", call.rows());
    flag(json, "single_row", call.singleRow());
    text(json, "tier", call.tier());
    number(json, "user_id", call.userId());
    text(json, "scope", call.scope());
    texts(json, "full", call.full());
    number(json, "in_flight", call.inFlight());
    number(json, "limit", call.limit());
    number(json, "task_in_flight", call.taskInFlight());
    number(json, "task_limit", call.taskLimit());
    number(json, "es2_knn_in_flight", call.es2KnnInFlight());
    number(json, "es2_knn_limit", call.es2KnnLimit());
    number(json, "tier_in_flight", call.tierInFlight());
    number(json, "tier_limit", call.tierLimit());
    number(json, "user_in_flight", call.userInFlight());
    number(json, "user_limit", call.userLimit());
    number(json, "suggested", call.suggested());
    number(json, "retry_after", call.retryAfter());
    number(json, "held_ms", call.heldMs());
    number(json, "queue_ms", call.queueMs());
    flag(json, "lease_lost", call.leaseLost());
    text(json, "error", call.error());
    text(json, "task", call.task());
    text(json, "request_source", call.requestSource());
    text(json, "algorithm_id", call.algorithmId());
    text(json, "automatch_run_id", call.automatchRunId());
    text(json, "cid", call.cid());
  }

  private static void writeChange(JsonGenerator json, ConfigChange change) throws IOException {
    json.writeStringField("event", LineParser.CONFIG_EVENT);
    number(json, "version", change.version());
    text(json, "changed_by", change.changedBy());
    text(json, "source", change.source());
    text(json, "note", change.note());
    json.writeFieldName("changes");
    json.writeRawValue(requireObject("changes", change.changes()));
    text(json, "mode", change.mode());
  }

  /** The members of an object that stands in the record verbatim. */
  private static void writeUnknown(JsonGenerator json, String unknown) throws IOException {
    if (!unknown.isEmpty()) {
      String members = requireObject("unknown", unknown).substring(1, unknown.length() - 1);
      if (!members.isBlank()) {
        json.writeRaw(',');
        json.writeRaw(members);
      }
    }
  }

  private static String requireObject(String name, String text) {
    boolean oneLine = text.indexOf('\n') < 0 && text.indexOf('\r') < 0;
    if (!oneLine || !isObjectWithout(LOG_DROPPED, text)) {
      throw new IllegalArgumentException(name + " is not a JSON object on one line");
    }
    return text;
  }

  /** Whether text is one whole JSON object, in whose top level a key doesn't stand. */
  private static boolean isObjectWithout(String key, String text) {
    if (!text.startsWith("{") || !text.endsWith("}")) {
      return false;
    }
    try (JsonParser json = JSON.createParser(text)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        if (json.currentName().equals(key)) {
          return false;
        }
        json.nextToken();
        json.skipChildren();
      }
      return json.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }

  private static void text(JsonGenerator json, String key, @Nullable String value)
      throws IOException {
    if (value != null) {
      json.writeStringField(key, LoneSurrogates.escaped(value));
    }
  }

  private static void texts(JsonGenerator json, String key, List<String> values)
      throws IOException {
    if (!values.isEmpty()) {
      json.writeArrayFieldStart(key);
      for (String value : values) {
        json.writeString(LoneSurrogates.escaped(value));
      }
      json.writeEndArray();
    }
  }

  private static void number(JsonGenerator json, String key, @Nullable Long value)
      throws IOException {
    if (value != null) {
      json.writeNumberField(key, value);
    }
  }

  private static void flag(JsonGenerator json, String key, @Nullable Boolean value)
      throws IOException {
    if (value != null) {
      json.writeBooleanField(key, value);
    }
  }
}
