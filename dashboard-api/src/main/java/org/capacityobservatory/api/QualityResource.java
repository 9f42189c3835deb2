package org.capacityobservatory.api;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is missing and why, and what each stage has yet to do. */
final class QualityResource {
  static final List<String> PARAMETERS = List.of("from", "to");

  private static final long SILENT_SECONDS = 300;

  private final Store store;
  private final Completeness completeness;
  private final InstantSource clock;

  QualityResource(Store store, Completeness completeness, InstantSource clock) {
    this.store = store;
    this.completeness = completeness;
    this.clock = clock;
  }

  /** The answer; its parts are as the API's description has them. */
  record Answer(
      @Nullable Instant from,
      @Nullable Instant to,
      Instant asOf,
      @Nullable Instant completeUntil,
      @Nullable Instant occupancyCompleteUntil,
      @Nullable Instant closedUntil,
      boolean sound,
      List<Loss> losses,
      List<VersionGap> versionGaps,
      List<SilentTask> silentTasks,
      List<Dead> deadLetters,
      List<Stage> stages,
      @Nullable Recount recount) {}

  /** Something that takes away from the numbers. */
  record Loss(String kind, long count, String unit, String says, @Nullable String rows) {}

  /** Versions of the config that no line told of. */
  record VersionGap(long firstMissing, long lastMissing, Instant noticedAt) {}

  /** A task that wrote lines and then none. */
  record SilentTask(String task, Instant lastMinute, long callsBefore) {}

  /** Lines set aside, by who did it and why. */
  record Dead(
      String stage, String reason, long lines, Instant firstAt, Instant lastAt, String rows) {}

  /** A stage's backlog. */
  record Stage(
      String stage,
      @Nullable Long behind,
      String unit,
      @Nullable Instant until,
      @Nullable Double ageSeconds) {}

  /** The newest recount that the writer made on its schedule. */
  record Recount(
      Instant at,
      Instant from,
      Instant to,
      boolean agrees,
      long calls,
      long differingCells,
      List<String> differences) {}

  Answer answer(Ask ask) {
    Parameters parameters = ask.parameters();
    Instant now = clock.instant();
    TimeRange range = TimeRange.of(parameters, now);
    parameters.check();

    MinuteRange minutes = MinuteRange.of(range, store, completeness, now);
    Completeness.State complete = minutes.complete();
    Instant callsUntil = completeness.callsUntil(complete.until(), minutes.data());
    Period period = minutes.shown();
    List<VersionGap> gaps = gaps();
    List<SilentTask> silent = silentTasks(period);
    List<Dead> dead = dead(range.widest());
    List<Loss> losses = losses(period, complete, now);
    if (!gaps.isEmpty()) {
      long missing = gaps.stream().mapToLong(g -> g.lastMissing() - g.firstMissing() + 1).sum();
      losses.add(
          new Loss(
              "config_version_gap",
              missing,
              "versions",
              missing + " versions of the config are told by no line",
              "/api/v1/config-changes"));
    }
    if (!silent.isEmpty()) {
      losses.add(
          new Loss(
              "silent_task",
              silent.size(),
              "tasks",
              silent.size() + " API tasks wrote lines and then none for 5 minutes or longer",
              null));
    }
    long deadLines = dead.stream().mapToLong(Dead::lines).sum();
    if (deadLines > 0) {
      losses.add(
          new Loss(
              "dead_letter",
              deadLines,
              "lines",
              deadLines + " lines or records could not be read",
              "/api/v1/dead-letters"));
    }
    return new Answer(
        minutes.from(),
        minutes.to(),
        now,
        complete.until(),
        complete.occupancyUntil(),
        complete.closedUntil(),
        losses.isEmpty() && complete.until() != null,
        losses,
        gaps,
        silent,
        dead,
        stages(complete, callsUntil, now),
        recount());
  }

  private @Nullable Recount recount() {
    List<Recount> newest =
        store.list(
            "verification-newest",
            Map.of(),
            (row, context) -> {
              List<String> differences =
                  row.getString("differences_text").lines().filter(d -> !d.isEmpty()).toList();
              return new Recount(
                  Instant.ofEpochMilli(row.getLong("verified_ms")),
                  Instant.ofEpochMilli(row.getLong("period_start_ms")),
                  Instant.ofEpochMilli(row.getLong("period_end_ms")),
                  differences.isEmpty(),
                  row.getLong("calls"),
                  row.getLong("differing_cells"),
                  differences);
            });
    return newest.isEmpty() ? null : newest.get(0);
  }

  private List<VersionGap> gaps() {
    return store.list(
        "config-version-gaps",
        Map.of(),
        (row, context) ->
            new VersionGap(
                row.getLong("first_missing"),
                row.getLong("last_missing"),
                Instant.ofEpochMilli(row.getLong("noticed_ms"))));
  }

  private List<SilentTask> silentTasks(Period period) {
    return store.list(
        "silent-tasks",
        new Filters().over(period).with("silent_s", SILENT_SECONDS).values(),
        (row, context) ->
            new SilentTask(
                row.getString("task_text"),
                Instant.ofEpochMilli(row.getLong("last_minute_ms")),
                row.getLong("lines_before")));
  }

  private List<Dead> dead(Period period) {
    return store.list(
        "dead-letters-in-range",
        new Filters().over(period).values(),
        (row, context) -> {
          String stage = row.getString("stage_text");
          String reason = row.getString("reason_text");
          return new Dead(
              stage,
              reason,
              row.getLong("n"),
              Instant.ofEpochMilli(row.getLong("first_ms")),
              Instant.ofEpochMilli(row.getLong("last_ms")),
              "/api/v1/dead-letters?stage="
                  + RowsLink.encoded(stage)
                  + "&reason="
                  + RowsLink.encoded(reason));
        });
  }

  private List<Loss> losses(Period period, Completeness.State complete, Instant now) {
    Map<String, Long> counts = new HashMap<>();
    store.list(
        "events-by-kind",
        new Filters().over(period).values(),
        (row, context) ->
            counts.merge(row.getString("kind_text"), row.getLong("times"), Long::sum));
    // What noise lines told of is in the books only, since each source was first read.
    long inBooks =
        complete.books().stream().mapToLong(Books::droppedAtSource).reduce(0, Longs::sum);
    List<Loss> losses = new ArrayList<>();
    add(
        losses,
        "dropped_at_source",
        Longs.sum(counts.getOrDefault("log_dropped", 0L), inBooks),
        "lines",
        "lines were dropped by the application's own sink",
        null);
    String rows = RowsLink.to(period);
    add(
        losses,
        "unavailable",
        counts.getOrDefault("unavailable", 0L),
        "calls",
        "calls went ahead uncounted because the limiter failed",
        rows + "&decision=unavailable");
    add(
        losses,
        "lease_lost",
        counts.getOrDefault("lease_lost", 0L),
        "calls",
        "calls lost their leases while they ran and were not counted from then on",
        rows + "&lease_lost=true");
    add(
        losses,
        "held_too_long",
        counts.getOrDefault("held_too_long", 0L),
        "calls",
        "calls were held longer than a lease can be; their occupancy counts for 15 minutes",
        rows + "&held_ms_min=900001");
    add(
        losses,
        "type_error",
        counts.getOrDefault("type_error", 0L),
        "fields",
        "fields had a value of the wrong type and count as missing",
        null);
    add(
        losses,
        "future_time",
        complete.futureTimes(),
        "lines",
        "lines had a time after their reading",
        null);
    add(
        losses,
        "late_line",
        complete.lateLines(),
        "lines",
        "lines came after their minute was closed; they count all the same",
        null);
    add(
        losses,
        "failed_source",
        complete.books().stream().filter(b -> b.state().equals("failed")).count(),
        "sources",
        "sources can't be read",
        "/api/v1/pipeline");
    add(
        losses,
        "silent_source",
        complete.books().stream().filter(b -> b.silent(now)).count(),
        "sources",
        "sources should be followed and say nothing",
        "/api/v1/pipeline");
    return losses;
  }

  private static void add(
      List<Loss> losses, String kind, long count, String unit, String says, @Nullable String rows) {
    if (count > 0) {
      losses.add(new Loss(kind, count, unit, count + " " + says, rows));
    }
  }

  private static List<Stage> stages(
      Completeness.State complete, @Nullable Instant callsUntil, Instant now) {
    Instant read = Books.readUntil(complete.books());
    long behind = complete.books().stream().mapToLong(Books::behindBytes).reduce(0, Longs::sum);
    return List.of(
        stage("ship", behind, "bytes", read, now),
        stage("streams", null, "lines", complete.until(), now),
        stage("store", null, "rows", callsUntil, now));
  }

  private static Stage stage(
      String name, @Nullable Long behind, String unit, @Nullable Instant until, Instant now) {
    return new Stage(
        name,
        behind,
        unit,
        until,
        until == null
            ? null
            : (Double) (Math.max(0, Duration.between(until, now).toMillis()) / 1_000.0));
  }
}
