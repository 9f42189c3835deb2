package org.capacityobservatory.api;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Can the numbers be trusted: what was read, lost and set aside, and what is still on its way. */
final class PipelineResource {
  static final List<String> PARAMETERS = List.of();

  /** How far back calls are looked for that the minutes lack. */
  private static final Duration LOOKED_AT = Duration.ofDays(1);

  private final Store store;
  private final Pipeline pipeline;
  private final Completeness completeness;
  private final InstantSource clock;

  PipelineResource(Store store, Pipeline pipeline, Completeness completeness, InstantSource clock) {
    this.store = store;
    this.pipeline = pipeline;
    this.completeness = completeness;
    this.clock = clock;
  }

  /** The answer; its parts are as the API's description has them. */
  record Answer(
      Instant asOf,
      @Nullable Instant completeUntil,
      Lines lines,
      List<Dead> deadByReason,
      Lag lag,
      List<Source> sources) {}

  /** Lines over all sources since each was first read. */
  record Lines(
      long read,
      long acknowledged,
      long quarantined,
      long notOurs,
      long pending,
      long dead,
      long droppedAtSource) {}

  /** Lines set aside, by who did it and why. */
  record Dead(String stage, String reason, long lines) {}

  /** What each stage has yet to do. */
  record Lag(
      long readBehindBytes,
      @Nullable Long storeBehindRows,
      long metricsBehindCalls,
      @Nullable Double newestHeartbeatAgeSeconds,
      long silentSources,
      long failedSources) {}

  /** One source's newest books. */
  record Source(
      String source,
      String shipper,
      String state,
      boolean silent,
      @Nullable String problem,
      Instant writtenAt,
      double heartbeatAgeSeconds,
      long generation,
      long read,
      long acknowledged,
      long quarantined,
      long notOurs,
      long pending,
      long bytesRead,
      long behindBytes,
      long droppedAtSource,
      @Nullable Instant clock,
      boolean atEnd,
      long rowsStored,
      @Nullable Long rowsNotStored,
      @Nullable Instant knownUntil) {}

  Answer answer(Ask ask) {
    ask.parameters().check();
    Instant now = clock.instant();
    List<SourceState> states = pipeline.sources();
    List<Dead> dead =
        store.list(
            "dead-letters-by-reason",
            Map.of(),
            (row, context) ->
                new Dead(
                    row.getString("stage_text"), row.getString("reason_text"), row.getLong("n")));
    Lines lines =
        new Lines(
            sum(states, SourceState::read),
            sum(states, SourceState::acknowledged),
            sum(states, SourceState::quarantined),
            sum(states, SourceState::notOurs),
            sum(states, SourceState::pending),
            dead.stream().mapToLong(Dead::lines).sum(),
            added(
                sum(states, SourceState::droppedAtSource),
                sum(states, SourceState::droppedOnLines)));
    return new Answer(
        now,
        completeness.until(now),
        lines,
        dead,
        lag(states, now),
        states.stream().map(state -> source(state, now)).toList());
  }

  private Lag lag(List<SourceState> states, Instant now) {
    boolean countable = states.stream().allMatch(state -> state.notStored(now) != null);
    return new Lag(
        sum(states, SourceState::behindBytes),
        countable ? sum(states, state -> orZero(state.notStored(now))) : null,
        pipeline.notFolded(now.minus(LOOKED_AT)).calls(),
        states.stream().map(state -> seconds(state, now)).min(Double::compare).orElse(null),
        states.stream().filter(state -> state.silent(now)).count(),
        states.stream().filter(state -> state.state().equals("failed")).count());
  }

  private static Source source(SourceState state, Instant now) {
    return new Source(
        state.source(),
        state.shipper(),
        state.state(),
        state.silent(now),
        state.problem(),
        state.writtenAt(),
        seconds(state, now),
        state.generation(),
        state.read(),
        state.acknowledged(),
        state.quarantined(),
        state.notOurs(),
        state.pending(),
        state.bytesRead(),
        state.behindBytes(),
        state.droppedAtSource(),
        state.clock(),
        state.atEnd(),
        state.storedRows(),
        state.notStored(now),
        state.knownUntil(now));
  }

  private static double seconds(SourceState state, Instant now) {
    return state.heartbeatAge(now).toMillis() / 1_000.0;
  }

  private static long sum(List<SourceState> states, ToLongFunction<SourceState> what) {
    return states.stream().mapToLong(what).reduce(0, PipelineResource::added);
  }

  /** A sum that stays at the largest number: what lines claim must not turn it negative. */
  private static long added(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private static long orZero(@Nullable Long value) {
    return value == null ? 0 : value;
  }
}
