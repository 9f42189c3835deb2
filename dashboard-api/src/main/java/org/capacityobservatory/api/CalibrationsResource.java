package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Calibrations: start, progress, result, cancel. */
final class CalibrationsResource {
  private static final int SHOWN = 100;
  private static final Pattern STYLE = Pattern.compile("(?s)<style>(.*?)</style>");

  private final Store store;
  private final CalibrationJobs jobs;
  private final InstantSource clock;

  CalibrationsResource(Store store, CalibrationJobs jobs, InstantSource clock) {
    this.store = store;
    this.jobs = jobs;
    this.clock = clock;
  }

  /** The newest calibrations. */
  record Answer(Instant asOf, List<Map<String, @Nullable Object>> calibrations) {}

  /** A row without its result. */
  private record Kept(
      String id,
      String state,
      @Nullable String problem,
      Instant startedAt,
      @Nullable Instant endedAt,
      ReplayQuestion question,
      JsonNode summary) {}

  Answer list(Ask ask) {
    ask.parameters().check();
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    kept(null, SHOWN).forEach(one -> all.add(tree(one)));
    return new Answer(clock.instant(), all);
  }

  Reply start(Ask ask) {
    ReplayQuestion question = ReplayQuestion.of(ask, ReplayQuestion.FIELDS);
    ask.parameters().check();
    CalibrationJobs.Job job = jobs.start(question, ask.caller());
    return Reply.json(
        202, tree(existing(job.id)), Map.of("Location", "/api/v1/calibrations/" + job.id));
  }

  Object one(Ask ask) {
    UUID id = ask.uuid("id");
    ask.parameters().check();
    Kept kept = existing(id);
    Map<String, @Nullable Object> tree = tree(kept);
    boolean done = kept.state().equals("done");
    tree.put(
        "result",
        done ? shown(Json.tree(result(id, "result")), ask.caller().seesPersonalData()) : null);
    if (!done) {
      return tree;
    }
    // Done once and for ever; by role, since a viewer gets less.
    return Reply.json(
        200,
        tree,
        Map.of(
            "ETag",
            "\"" + id + "-" + ask.caller().role().word() + "\"",
            "Cache-Control",
            "private, no-cache"));
  }

  Map<String, @Nullable Object> cancel(Ask ask) {
    UUID id = ask.uuid("id");
    ask.parameters().check();
    Kept kept = existing(id);
    if (!jobs.cancel(id.toString())) {
      throw new ProblemException(
          Problem.of(
              "ended", 409, "It has ended", "The calibration is " + kept.state() + " already"));
    }
    return tree(existing(id));
  }

  Reply report(Ask ask) {
    UUID id = ask.uuid("id");
    ask.parameters().check();
    if (!existing(id).state().equals("done")) {
      throw new ProblemException(
          Problem.of("not-found", 404, "No report yet", "There is one when the state is done"));
    }
    String html = result(id, "report");
    Matcher style = STYLE.matcher(html);
    String allowed = style.find() ? "'sha256-" + Hashes.base64(style.group(1)) + "'" : "'none'";
    return new Reply(
        200,
        "text/html; charset=utf-8",
        html.getBytes(UTF_8),
        Map.of(
            "Content-Security-Policy",
            "sandbox; default-src 'none'; style-src "
                + allowed
                + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "ETag",
            "\"" + id + "-report\"",
            "Cache-Control",
            "private, no-cache"));
  }

  /** A viewer's result has no users: neither their list nor figures by user. */
  static JsonNode shown(JsonNode result, boolean personal) {
    if (!personal && result instanceof ObjectNode object) {
      object.remove("users");
      for (JsonNode part : object) {
        if (part.path("by") instanceof ObjectNode by) {
          by.remove("user");
        }
      }
    }
    return result;
  }

  private Map<String, @Nullable Object> tree(Kept kept) {
    CalibrationJobs.Job job = jobs.find(kept.id());
    boolean open = kept.state().equals("waiting") || kept.state().equals("running");
    boolean lost = open && job == null;
    String state = lost ? "failed" : job == null || !open ? kept.state() : job.state();
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("id", kept.id());
    tree.put("state", state);
    tree.put("progress", open && job != null ? job.progress() : null);
    tree.put(
        "problem", lost ? "The API ended while it waited or ran: start it again" : kept.problem());
    tree.put("started_at", kept.startedAt());
    tree.put("ended_at", kept.endedAt());
    tree.put("from", kept.question().period().from());
    tree.put("to", kept.question().period().to());
    tree.put("changes", kept.question().changes());
    tree.put("enforce_for", kept.question().enforceFor());
    tree.put("explore", kept.question().explore());
    for (String name :
        List.of("calls", "conclusive", "shadow_refused_share", "refused_calls_share")) {
      JsonNode value = kept.summary().path(name);
      tree.put(name, value.isMissingNode() || value.isNull() ? null : value);
    }
    return tree;
  }

  private Kept existing(UUID id) {
    List<Kept> found = kept(id, 1);
    if (found.isEmpty()) {
      throw new ProblemException(
          Problem.of("not-found", 404, "No such calibration", "There is no calibration " + id));
    }
    return found.get(0);
  }

  private List<Kept> kept(@Nullable UUID id, int limit) {
    return store.list(
        "calibration-jobs",
        Map.of(
            "id_on",
            id == null ? 0 : 1,
            "after_id",
            (id == null ? CallsResource.NO_ID : id).toString(),
            "row_limit",
            limit),
        (row, context) ->
            new Kept(
                row.getString("id_text"),
                row.getString("state_text"),
                row.getString("problem"),
                Instant.ofEpochMilli(row.getLong("started_ms")),
                Rows.time(row, "ended_ms"),
                ReplayQuestion.of(Json.tree(row.getString("request"))),
                Json.tree(row.getString("summary"))));
  }

  private String result(UUID id, String column) {
    return store
        .list(
            "calibration-result",
            Map.of("after_id", id.toString()),
            (row, context) -> row.getString(column))
        .get(0);
  }
}
