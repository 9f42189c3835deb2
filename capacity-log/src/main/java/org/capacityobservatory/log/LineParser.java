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
import java.util.List;
import org.capacityobservatory.log.LineException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Reads one line of the limiter, without envelope, into its record.
 *
 * <p>One pass, without a tree. Strict about what can't be meant (half JSON, a key twice, depth, a
 * number that can't be), lenient about what is new: unknown keys and values are kept verbatim, and
 * so is a known key's value of another type, which costs the line that field and no more.
 * Stateless; safe for several threads.
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

  private static final FieldTable<CallDraft> CALL_FIELDS =
      new FieldTable<CallDraft>()
          .with("decision", (d, v) -> d.decision = v.text())
          .with("mode", (d, v) -> d.mode = v.text())
          .with("enforced", (d, v) -> d.enforced = v.flag())
          .with("endpoint", (d, v) -> d.endpoint = v.text())
          .with("semantic", (d, v) -> d.semantic = v.flag())
          .with("reranker", (d, v) -> d.reranker = v.flag())
          .with("rows", (d, v) -> d.rows = v.number(MAX_UINT32))
          .with("single_row", (d, v) -> d.singleRow = v.flag())
          .with("tier", (d, v) -> d.tier = v.text())
          .with("user_id", (d, v) -> d.userId = v.number(Long.MAX_VALUE))
          .with("full", (d, v) -> d.full = v.texts())
          .with("scope", (d, v) -> d.scope = v.text())
          .with("in_flight", (d, v) -> d.inFlight = v.number(MAX_UINT32))
          .with("limit", (d, v) -> d.limit = v.number(MAX_UINT32))
          .with("task_in_flight", (d, v) -> d.taskInFlight = v.number(MAX_UINT32))
          .with("task_limit", (d, v) -> d.taskLimit = v.number(MAX_UINT32))
          .with("es2_knn_in_flight", (d, v) -> d.es2KnnInFlight = v.number(MAX_UINT32))
          .with("es2_knn_limit", (d, v) -> d.es2KnnLimit = v.number(MAX_UINT32))
          .with("tier_in_flight", (d, v) -> d.tierInFlight = v.number(MAX_UINT32))
          .with("tier_limit", (d, v) -> d.tierLimit = v.number(MAX_UINT32))
          .with("user_in_flight", (d, v) -> d.userInFlight = v.number(MAX_UINT32))
          .with("user_limit", (d, v) -> d.userLimit = v.number(MAX_UINT32))
          .with("suggested", (d, v) -> d.suggested = v.number(MAX_UINT32))
          .with("retry_after", (d, v) -> d.retryAfter = v.number(MAX_UINT32))
          .with("held_ms", (d, v) -> d.heldMs = v.number(MAX_UINT32))
          .with("queue_ms", (d, v) -> d.queueMs = v.number(MAX_UINT32))
          .with("lease_lost", (d, v) -> d.leaseLost = v.flag())
          .with("error", (d, v) -> d.error = v.text())
          .with("task", (d, v) -> d.task = v.text())
          .with("request_source", (d, v) -> d.requestSource = v.text())
          .with("algorithm_id", (d, v) -> d.algorithmId = v.text())
          .with("automatch_run_id", (d, v) -> d.automatchRunId = v.text())
          .with("cid", (d, v) -> d.cid = v.text())
          .with("log_dropped", (d, v) -> d.logDropped = v.number(Long.MAX_VALUE));

  private static final FieldTable<ConfigDraft> CONFIG_FIELDS =
      new FieldTable<ConfigDraft>()
          .with("version", (d, v) -> d.version = v.number(Long.MAX_VALUE))
          .with("changed_by", (d, v) -> d.changedBy = v.text())
          .with("source", (d, v) -> d.source = v.text())
          .with("note", (d, v) -> d.note = v.text())
          .with("mode", (d, v) -> d.mode = v.text())
          .with("changes", (d, v) -> d.changes = v.object())
          .with("log_dropped", (d, v) -> d.logDropped = v.number(Long.MAX_VALUE));

  private LineParser() {}

  /**
   * Reads one line.
   *
   * @param line the line's bytes, without envelope and without line end
   * @return a {@link CapacityCall} or a {@link ConfigChange}
   * @throws LineException saying why the line can't be read
   */
  public static CapacityEvent parse(byte[] line) throws LineException {
    CapacityCall plain = plainCall(line);
    return plain == null ? parseAny(line) : plain;
  }

  /** A call whose line is plain; null for any other line. */
  static @Nullable CapacityCall plainCall(byte[] line) throws LineException {
    CallDraft call = new CallDraft();
    try {
      boolean plain = PlainLineReader.read(line, call, CALL_FIELDS);
      return plain && call.decision != null ? call.build(List.of(), "", List.of()) : null;
    } catch (IOException e) {
      throw asLineException(e);
    }
  }

  /** Reads any line. */
  static CapacityEvent parseAny(byte[] line) throws LineException {
    boolean escapes = requireUtf8(line);
    try (JsonParser json = JSON.createParser(line)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new LineException(Reason.BAD_JSON, "not a JSON object");
      }
      String firstKey = json.nextFieldName();
      boolean eventIsFirst = "event".equals(firstKey);
      String event = eventIsFirst ? eventAt(json) : eventOf(line);
      LineReader reader = new LineReader(json, line, escapes);
      if (eventIsFirst) {
        firstKey = json.nextFieldName();
      }
      return switch (event) {
        case CALL_EVENT -> {
          CallDraft call = new CallDraft();
          reader.readInto(call, CALL_FIELDS, firstKey, eventIsFirst);
          yield call.build(reader.nullKeys(), reader.unknown(), reader.typeErrors());
        }
        case CONFIG_EVENT -> {
          ConfigDraft change = new ConfigDraft();
          reader.readInto(change, CONFIG_FIELDS, firstKey, eventIsFirst);
          yield change.build(reader);
        }
        default -> throw new LineException(Reason.OTHER_EVENT, "event is " + shortened(event));
      };
    } catch (IOException e) {
      throw asLineException(e);
    }
  }

  /** The event of a line in which it doesn't stand first: a pass of its own, since it is rare. */
  private static String eventOf(byte[] line) throws IOException, LineException {
    try (JsonParser json = JSON.createParser(line)) {
      json.nextToken();
      for (String key = json.nextFieldName(); key != null; key = json.nextFieldName()) {
        if (key.equals("event")) {
          return eventAt(json);
        }
        json.nextToken();
        json.skipChildren();
      }
      throw new LineException(Reason.MISSING_FIELD, "event is missing");
    }
  }

  private static String eventAt(JsonParser json) throws IOException, LineException {
    JsonToken value = json.nextToken();
    if (value != JsonToken.VALUE_STRING) {
      throw new LineException(Reason.TYPE_ERROR, "event is " + value + ", not text");
    }
    return json.getText();
  }

  /**
   * Refuses bytes that aren't UTF-8.
   *
   * @return whether there is any escape in the line
   */
  private static boolean requireUtf8(byte[] line) throws LineException {
    boolean ascii = true;
    boolean escapes = false;
    for (byte b : line) {
      ascii &= b >= 0;
      escapes |= b == '\\';
    }
    if (!ascii) {
      try {
        UTF_8.newDecoder().decode(ByteBuffer.wrap(line));
      } catch (CharacterCodingException e) {
        throw new LineException(Reason.BAD_UTF8, "not UTF-8: " + e.getMessage());
      }
    }
    return escapes;
  }

  private static LineException asLineException(IOException e) {
    if (e instanceof StreamConstraintsException) {
      return new LineException(Reason.DEPTH, "nested deeper than " + MAX_DEPTH);
    }
    String said = e instanceof JsonProcessingException j ? j.getOriginalMessage() : e.getMessage();
    return new LineException(Reason.BAD_JSON, shortened(said == null ? e.toString() : said));
  }

  static String shortened(String text) {
    String oneLine = LoneSurrogates.escaped(text).replaceAll("\\p{Cntrl}", " ");
    return oneLine.length() <= 200 ? oneLine : oneLine.substring(0, 200) + "…";
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

    CapacityCall build(List<String> nullKeys, String unknown, List<String> typeErrors)
        throws LineException {
      if (decision == null && typeErrors.contains("decision")) {
        decision = "";
      }
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
          nullKeys,
          unknown,
          typeErrors);
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

    ConfigChange build(LineReader rest) {
      return new ConfigChange(
          version,
          changedBy,
          source,
          note,
          mode,
          changes,
          logDropped,
          rest.nullKeys(),
          rest.unknown(),
          rest.typeErrors());
    }
  }
}
