package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.capacityobservatory.log.LineException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Reads one line of the limiter, without envelope, into its record.
 *
 * <p>Strict about what can't be meant (half JSON, wrong types, a key twice, depth), lenient about
 * what is new: unknown keys and values are kept verbatim. Stateless; safe for several threads.
 */
public final class LineParser {
  /** How deep a line may nest; the limiter's own lines need 3. */
  public static final int MAX_DEPTH = 32;

  private static final long MAX_UINT32 = 0xFFFF_FFFFL;

  static final String CALL_EVENT = "ocl_capacity";
  static final String CONFIG_EVENT = "ocl_capacity_config";

  // Only depth may bite: a line's length is capped where it is read, and all else lies within it.
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          // Keys come from outside: the JVM's table of strings must not grow with them. (Jackson's
          // own table is bounded; without it there are no byte offsets.)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private static final Map<String, Field<CallDraft>> CALL_FIELDS =
      Map.ofEntries(
          Map.entry("decision", (d, v) -> d.decision = v.text()),
          Map.entry("mode", (d, v) -> d.mode = v.text()),
          Map.entry("enforced", (d, v) -> d.enforced = v.flag()),
          Map.entry("endpoint", (d, v) -> d.endpoint = v.text()),
          Map.entry("semantic", (d, v) -> d.semantic = v.flag()),
          Map.entry("reranker", (d, v) -> d.reranker = v.flag()),
          Map.entry("rows", (d, v) -> d.rows = v.number(MAX_UINT32)),
          Map.entry("single_row", (d, v) -> d.singleRow = v.flag()),
          Map.entry("tier", (d, v) -> d.tier = v.text()),
          Map.entry("user_id", (d, v) -> d.userId = v.number(Long.MAX_VALUE)),
          Map.entry("full", (d, v) -> d.full = v.texts()),
          Map.entry("scope", (d, v) -> d.scope = v.text()),
          Map.entry("in_flight", (d, v) -> d.inFlight = v.number(MAX_UINT32)),
          Map.entry("limit", (d, v) -> d.limit = v.number(MAX_UINT32)),
          Map.entry("task_in_flight", (d, v) -> d.taskInFlight = v.number(MAX_UINT32)),
          Map.entry("task_limit", (d, v) -> d.taskLimit = v.number(MAX_UINT32)),
          Map.entry("es2_knn_in_flight", (d, v) -> d.es2KnnInFlight = v.number(MAX_UINT32)),
          Map.entry("es2_knn_limit", (d, v) -> d.es2KnnLimit = v.number(MAX_UINT32)),
          Map.entry("tier_in_flight", (d, v) -> d.tierInFlight = v.number(MAX_UINT32)),
          Map.entry("tier_limit", (d, v) -> d.tierLimit = v.number(MAX_UINT32)),
          Map.entry("user_in_flight", (d, v) -> d.userInFlight = v.number(MAX_UINT32)),
          Map.entry("user_limit", (d, v) -> d.userLimit = v.number(MAX_UINT32)),
          Map.entry("suggested", (d, v) -> d.suggested = v.number(MAX_UINT32)),
          Map.entry("retry_after", (d, v) -> d.retryAfter = v.number(MAX_UINT32)),
          Map.entry("held_ms", (d, v) -> d.heldMs = v.number(MAX_UINT32)),
          Map.entry("queue_ms", (d, v) -> d.queueMs = v.number(MAX_UINT32)),
          Map.entry("lease_lost", (d, v) -> d.leaseLost = v.flag()),
          Map.entry("error", (d, v) -> d.error = v.text()),
          Map.entry("task", (d, v) -> d.task = v.text()),
          Map.entry("request_source", (d, v) -> d.requestSource = v.text()),
          Map.entry("algorithm_id", (d, v) -> d.algorithmId = v.text()),
          Map.entry("automatch_run_id", (d, v) -> d.automatchRunId = v.text()),
          Map.entry("cid", (d, v) -> d.cid = v.text()),
          Map.entry("log_dropped", (d, v) -> d.logDropped = v.number(Long.MAX_VALUE)));

  private static final Map<String, Field<ConfigDraft>> CONFIG_FIELDS =
      Map.ofEntries(
          Map.entry("version", (d, v) -> d.version = v.number(Long.MAX_VALUE)),
          Map.entry("changed_by", (d, v) -> d.changedBy = v.text()),
          Map.entry("source", (d, v) -> d.source = v.text()),
          Map.entry("note", (d, v) -> d.note = v.text()),
          Map.entry("mode", (d, v) -> d.mode = v.text()),
          Map.entry("changes", (d, v) -> d.changes = v.object()),
          Map.entry("log_dropped", (d, v) -> d.logDropped = v.number(Long.MAX_VALUE)));

  private LineParser() {}

  /**
   * Reads one line.
   *
   * @param line the line's bytes, without envelope and without line end
   * @return a {@link CapacityCall} or a {@link ConfigChange}
   * @throws LineException saying why the line can't be read
   */
  public static CapacityEvent parse(byte[] line) throws LineException {
    requireUtf8(line);
    String event = eventOf(line);
    return switch (event) {
      case CALL_EVENT -> {
        CallDraft call = new CallDraft();
        yield call.build(readInto(line, call, CALL_FIELDS));
      }
      case CONFIG_EVENT -> {
        ConfigDraft change = new ConfigDraft();
        yield change.build(readInto(line, change, CONFIG_FIELDS));
      }
      default -> throw new LineException(Reason.OTHER_EVENT, "event is " + shortened(event));
    };
  }

  /** The event usually stands first, so finding it costs little. */
  private static String eventOf(byte[] line) throws LineException {
    try (JsonParser json = JSON.createParser(line)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new LineException(Reason.BAD_JSON, "not a JSON object");
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        boolean found = json.currentName().equals("event");
        JsonToken value = json.nextToken();
        if (found) {
          if (value != JsonToken.VALUE_STRING) {
            throw new LineException(Reason.TYPE_ERROR, "event is " + value + ", not text");
          }
          return json.getText();
        }
        json.skipChildren();
      }
      throw new LineException(Reason.MISSING_FIELD, "event is missing");
    } catch (IOException e) {
      throw asLineException(e);
    }
  }

  private static <D> Rest readInto(byte[] line, D draft, Map<String, Field<D>> fields)
      throws LineException {
    try (JsonParser json = JSON.createParser(line)) {
      Value value = new Value(json, line);
      Rest rest = new Rest();
      Set<String> seen = new HashSet<>();
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String key = json.currentName();
        int keyStart = (int) json.currentTokenLocation().getByteOffset();
        value.key = key;
        if (!seen.add(key)) {
          throw new LineException(Reason.DUP_KEY, shortened(key) + " stands twice");
        }
        JsonToken token = json.nextToken();
        Field<D> field = fields.get(key);
        if (token == JsonToken.VALUE_NULL) {
          rest.nullKeys.add(LoneSurrogates.escaped(key));
        } else if (field != null) {
          field.read(draft, value);
        } else if (!key.equals("event")) {
          rest.addUnknown(value.verbatimFrom(keyStart));
        }
      }
      if (json.nextToken() != null) {
        throw new LineException(Reason.BAD_JSON, "text follows the object");
      }
      return rest;
    } catch (IOException e) {
      throw asLineException(e);
    }
  }

  private static void requireUtf8(byte[] line) throws LineException {
    for (byte b : line) {
      if (b < 0) {
        try {
          UTF_8.newDecoder().decode(ByteBuffer.wrap(line));
          return;
        } catch (CharacterCodingException e) {
          throw new LineException(Reason.BAD_UTF8, "not UTF-8: " + e.getMessage());
        }
      }
    }
  }

  private static LineException asLineException(IOException e) {
    if (e instanceof StreamConstraintsException) {
      return new LineException(Reason.DEPTH, "nested deeper than " + MAX_DEPTH);
    }
    String said = e instanceof JsonProcessingException j ? j.getOriginalMessage() : e.getMessage();
    return new LineException(Reason.BAD_JSON, shortened(said == null ? e.toString() : said));
  }

  private static String shortened(String text) {
    String oneLine = LoneSurrogates.escaped(text).replaceAll("\\p{Cntrl}", " ");
    return oneLine.length() <= 200 ? oneLine : oneLine.substring(0, 200) + "…";
  }

  private interface Field<D> {
    void read(D draft, Value value) throws IOException, LineException;
  }

  /** What a line holds beside its known fields. */
  private static final class Rest {
    final List<String> nullKeys = new ArrayList<>();
    private @Nullable StringBuilder unknown;

    void addUnknown(String keyAndValue) {
      if (unknown == null) {
        unknown = new StringBuilder("{");
      } else {
        unknown.append(',');
      }
      unknown.append(keyAndValue);
    }

    String unknown() {
      return unknown == null ? "" : unknown.append('}').toString();
    }
  }

  /** The value at which the parser stands, read as the type that its key asks for. */
  private static final class Value {
    private final JsonParser json;
    private final byte[] line;
    private String key = "";

    Value(JsonParser json, byte[] line) {
      this.json = json;
      this.line = line;
    }

    String text() throws IOException, LineException {
      require(JsonToken.VALUE_STRING, "text");
      return LoneSurrogates.escaped(json.getText());
    }

    Boolean flag() throws LineException {
      JsonToken token = json.currentToken();
      if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
        throw typeError("true or false");
      }
      return token == JsonToken.VALUE_TRUE;
    }

    /** A whole number from 0 to a bound. */
    Long number(long max) throws IOException, LineException {
      JsonToken token = json.currentToken();
      if (token == JsonToken.VALUE_NUMBER_FLOAT) {
        double value = json.getDoubleValue();
        throw value < 0 || value > max ? rangeError(max) : typeError("a whole number");
      }
      require(JsonToken.VALUE_NUMBER_INT, "a whole number");
      JsonParser.NumberType size = json.getNumberType();
      if (size == JsonParser.NumberType.BIG_INTEGER) {
        throw rangeError(max);
      }
      long value = json.getLongValue();
      if (value < 0 || value > max) {
        throw rangeError(max);
      }
      return value;
    }

    List<String> texts() throws IOException, LineException {
      require(JsonToken.START_ARRAY, "a list of texts");
      List<String> texts = new ArrayList<>();
      while (json.nextToken() != JsonToken.END_ARRAY) {
        texts.add(text());
      }
      return List.copyOf(texts);
    }

    /** A JSON object, verbatim. */
    String object() throws IOException, LineException {
      require(JsonToken.START_OBJECT, "an object");
      return verbatimFrom((int) json.currentTokenLocation().getByteOffset());
    }

    /** The line's own bytes from a position to the end of this value. */
    String verbatimFrom(int start) throws IOException {
      json.skipChildren();
      json.finishToken();
      int end = (int) json.currentLocation().getByteOffset();
      return new String(line, start, end - start, UTF_8);
    }

    private void require(JsonToken wanted, String words) throws LineException {
      if (json.currentToken() != wanted) {
        throw typeError(words);
      }
    }

    private LineException typeError(String wanted) {
      return new LineException(
          Reason.TYPE_ERROR, shortened(key) + " is " + json.currentToken() + ", not " + wanted);
    }

    private LineException rangeError(long max) {
      return new LineException(Reason.RANGE_ERROR, shortened(key) + " is not within 0 to " + max);
    }
  }

  private static final class CallDraft {
    @Nullable String decision;
    @Nullable String mode;
    @Nullable Boolean enforced;
    @Nullable String endpoint;
    @Nullable Boolean semantic;
    @Nullable Boolean reranker;
    @Nullable Long rows;
    @Nullable Boolean singleRow;
    @Nullable String tier;
    @Nullable Long userId;
    List<String> full = List.of();
    @Nullable String scope;
    @Nullable Long inFlight;
    @Nullable Long limit;
    @Nullable Long taskInFlight;
    @Nullable Long taskLimit;
    @Nullable Long es2KnnInFlight;
    @Nullable Long es2KnnLimit;
    @Nullable Long tierInFlight;
    @Nullable Long tierLimit;
    @Nullable Long userInFlight;
    @Nullable Long userLimit;
    @Nullable Long suggested;
    @Nullable Long retryAfter;
    @Nullable Long heldMs;
    @Nullable Long queueMs;
    @Nullable Boolean leaseLost;
    @Nullable String error;
    @Nullable String task;
    @Nullable String requestSource;
    @Nullable String algorithmId;
    @Nullable String automatchRunId;
    @Nullable String cid;
    @Nullable Long logDropped;

    CapacityCall build(Rest rest) throws LineException {
      if (decision == null) {
        throw new LineException(Reason.MISSING_FIELD, "decision is missing");
      }
      return new CapacityCall(
          decision,
          mode,
          enforced,
          endpoint,
          semantic,
          reranker,
          rows,
          singleRow,
          tier,
          userId,
          full,
          scope,
          inFlight,
          limit,
          taskInFlight,
          taskLimit,
          es2KnnInFlight,
          es2KnnLimit,
          tierInFlight,
          tierLimit,
          userInFlight,
          userLimit,
          suggested,
          retryAfter,
          heldMs,
          queueMs,
          leaseLost,
          error,
          task,
          requestSource,
          algorithmId,
          automatchRunId,
          cid,
          logDropped,
          List.copyOf(rest.nullKeys),
          rest.unknown());
    }
  }

  private static final class ConfigDraft {
    @Nullable Long version;
    @Nullable String changedBy;
    @Nullable String source;
    @Nullable String note;
    @Nullable String mode;
    String changes = "{}";
    @Nullable Long logDropped;

    ConfigChange build(Rest rest) {
      return new ConfigChange(
          version,
          changedBy,
          source,
          note,
          mode,
          changes,
          logDropped,
          List.copyOf(rest.nullKeys),
          rest.unknown());
    }
  }
}
