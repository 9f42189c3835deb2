package org.capacityobservatory.api;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One call's whole story: its lanes, what else was in flight when it arrived, its run. */
final class CallStory {
  static final List<String> PARAMETERS = List.of("ended_at");

  private static final int NEIGHBOURS = 100;

  /** The limiter renews a lease for so long, and no call is looked for beyond. */
  private static final Duration LONGEST_LEASE = Duration.ofMinutes(15);

  private static final Duration RUN_AROUND = Duration.ofDays(1);

  /** What a stamp of whole seconds makes queue_ms too high by, at most. */
  private static final long STAMP_MS = 999;

  private final Store store;
  private final CallsResource calls;
  private final ConfigChangesResource changes;
  private final InstantSource clock;

  CallStory(Store store, CallsResource calls, ConfigChangesResource changes, InstantSource clock) {
    this.store = store;
    this.calls = calls;
    this.changes = changes;
    this.clock = clock;
  }

  /** The answer; its parts are as the API's description has them. */
  record Answer(
      Instant asOf,
      Map<String, @Nullable Object> call,
      Instant acquiredAt,
      @Nullable Instant requestedEarliest,
      @Nullable Instant requestedLatest,
      List<Lane> lanes,
      InFlight inFlightThen,
      @Nullable Run run,
      @Nullable Map<String, @Nullable Object> config) {}

  /** What the call saw of one lane. */
  record Lane(
      String lane, @Nullable Long inFlight, @Nullable Long limit, boolean full, boolean reported) {}

  /** Other calls that held a lease at that moment. */
  record InFlight(long count, long shown, List<Map<String, @Nullable Object>> calls) {}

  /** The client run within a day around the call. */
  record Run(
      String run,
      long calls,
      long refused,
      Instant firstAt,
      Instant lastAt,
      long place,
      String rows) {}

  Answer answer(Ask ask) {
    Parameters parameters = ask.parameters();
    UUID id = ask.uuid("event_id");
    Instant endedAt = endedAt(parameters);
    parameters.check();

    Period within =
        endedAt == null
            ? new TimeRange(null, null).widest()
            : new Period(endedAt, endedAt.plusMillis(1));
    Map<String, @Nullable Object> call = calls.one(id, within, ask.caller());
    if (call == null) {
      throw new ProblemException(
          Problem.of(
              "not-found",
              404,
              "No such call",
              "No stored call has this event_id"
                  + (endedAt == null
                      ? ""
                      : " and ended_at: leave ended_at out to look everywhere")));
    }
    Instant ended = (Instant) Objects.requireNonNull(call.get("ended_at"));
    Long held = (Long) call.get("held_ms");
    Instant acquired = held == null ? ended : ended.minusMillis(held);
    Long queued = (Long) call.get("queue_ms");
    Instant earliest = queued == null ? null : acquired.minusMillis(queued);
    Instant latest = queued == null ? null : acquired.minusMillis(Math.max(0, queued - STAMP_MS));
    String run = (String) call.get("automatch_run_id");
    return new Answer(
        clock.instant(),
        call,
        acquired,
        earliest,
        latest,
        lanes(call),
        inFlight(id, acquired, run, ask.caller()),
        run == null ? null : run(run, id, ended),
        config(acquired));
  }

  private static @Nullable Instant endedAt(Parameters parameters) {
    String text = parameters.one("ended_at");
    if (text == null) {
      return null;
    }
    try {
      Instant time = Instant.parse(text);
      if (!time.isBefore(Instant.EPOCH) && time.isBefore(Instant.parse("2106-01-01T00:00:00Z"))) {
        return time;
      }
    } catch (DateTimeException e) {
      // told below
    }
    parameters.error(
        "ended_at",
        "'" + Parameters.shown(text) + "' is not a time in UTC",
        "use the ended_at of an answer");
    return null;
  }

  private static List<Lane> lanes(Map<String, @Nullable Object> call) {
    List<String> full = new ArrayList<>();
    if (call.get("full") instanceof List<?> named) {
      named.forEach(lane -> full.add(String.valueOf(lane)));
    }
    String scope = (String) call.get("scope");
    List<Lane> lanes = new ArrayList<>();
    for (String lane : LaneOrder.KNOWN) {
      String prefix =
          switch (lane) {
            case "api_heavy" -> "";
            case "api_heavy_task" -> "task_";
            default -> lane + "_";
          };
      Long inFlight = (Long) call.get(prefix + "in_flight");
      Long limit = (Long) call.get(prefix + "limit");
      boolean named = full.remove(lane);
      if (inFlight != null || limit != null || named) {
        lanes.add(new Lane(lane, inFlight, limit, named, lane.equals(scope)));
      }
    }
    full.forEach(lane -> lanes.add(new Lane(lane, null, null, true, lane.equals(scope))));
    return lanes;
  }

  private InFlight inFlight(UUID id, Instant at, @Nullable String run, Caller caller) {
    Map<String, Object> values = new HashMap<>();
    values.put("from_ms", at.toEpochMilli());
    values.put("to_ms", at.plus(LONGEST_LEASE).toEpochMilli());
    values.put("after_id", id.toString());
    values.put("row_limit", NEIGHBOURS);
    long[] count = new long[1];
    List<Map<String, @Nullable Object>> found =
        store.list(
            "calls-in-flight-at",
            values,
            (row, context) -> {
              count[0] = row.getLong("all_calls");
              return neighbour(row, run, caller.seesPersonalData());
            });
    return new InFlight(count[0], found.size(), found);
  }

  private static Map<String, @Nullable Object> neighbour(
      ResultSet row, @Nullable String run, boolean personal) throws SQLException {
    long held = row.getLong("held_ms");
    Instant ended = Instant.ofEpochMilli(row.getLong("ended_ms"));
    String itsRun = row.getString("automatch_run_id");
    Map<String, @Nullable Object> call = new LinkedHashMap<>();
    call.put("event_id", row.getString("event_id_text"));
    if (personal) {
      call.put("user_id", row.getString("user_text"));
    }
    call.put("acquired_at", ended.minusMillis(held));
    call.put("ended_at", ended);
    call.put("held_ms", held);
    call.put("decision", row.getString("decision_text"));
    call.put("endpoint", row.getString("endpoint_text"));
    call.put("tier", row.getString("tier_text"));
    call.put("task", row.getString("task_text"));
    call.put("automatch_run_id", itsRun);
    call.put("single_row", Rows.yesOrNo(row, "single_row"));
    call.put("same_run", run != null && run.equals(itsRun));
    return call;
  }

  private Run run(String run, UUID id, Instant ended) {
    Period around = new Period(ended.minus(RUN_AROUND), ended.plus(RUN_AROUND));
    Period shown =
        around.from().isBefore(Instant.EPOCH) ? new Period(Instant.EPOCH, around.to()) : around;
    Map<String, Object> values = new HashMap<>();
    values.put("from_ms", shown.fromMs());
    values.put("to_ms", shown.toMs());
    values.put("after_ms", ended.toEpochMilli());
    values.put("after_id", id.toString());
    values.put("run", run);
    return store
        .list(
            "run-around",
            values,
            (row, context) ->
                new Run(
                    run,
                    row.getLong("run_calls"),
                    row.getLong("run_refused"),
                    Instant.ofEpochMilli(row.getLong("first_ms")),
                    Instant.ofEpochMilli(row.getLong("last_ms")),
                    row.getLong("place"),
                    RowsLink.to(shown, "automatch_run_id", run)))
        .get(0);
  }

  private @Nullable Map<String, @Nullable Object> config(Instant before) {
    Map<String, @Nullable Object> change = changes.lastBefore(before);
    if (change == null) {
      return null;
    }
    Map<String, @Nullable Object> config = new LinkedHashMap<>();
    for (String name : List.of("version", "changed_at", "mode", "changes")) {
      config.put(name, change.get(name));
    }
    return config;
  }
}
