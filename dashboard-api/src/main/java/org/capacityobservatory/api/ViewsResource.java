package org.capacityobservatory.api;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Views of the page that somebody gave a name. */
final class ViewsResource {
  private static final Pattern PAGE = Pattern.compile("[a-z][a-z0-9-]{0,39}");
  private static final int MOST = 1_000;
  private static final List<String> FIELDS = List.of("name", "page", "query");
  private static final List<String> FIELDS_OF_CHANGE = List.of("name", "page", "query", "revision");

  private final Store store;
  private final StateStore state;
  private final InstantSource clock;

  ViewsResource(Store store, StateStore state, InstantSource clock) {
    this.store = store;
    this.state = state;
    this.clock = clock;
  }

  /** All views. */
  record Answer(Instant asOf, List<View> views) {}

  /** One view; the names are the API's. */
  record View(String id, String name, String page, String query, long revision, Instant savedAt) {}

  private record Stored(View view, boolean removed) {}

  Answer list(Ask ask) {
    ask.parameters().check();
    List<View> views = stored(null, MOST).stream().map(Stored::view).toList();
    return new Answer(clock.instant(), views);
  }

  synchronized Reply save(Ask ask) {
    View view = given(ask, UUID.randomUUID(), FIELDS, 1);
    ask.parameters().check();
    state.require();
    if (stored(null, MOST).size() >= MOST) {
      throw new ProblemException(
          Problem.of("full", 409, "Too many views", "There are 1000: remove some"));
    }
    write(view, false, ask.caller());
    return Reply.json(201, view, Map.of("Location", "/api/v1/views/" + view.id()));
  }

  /** One API process writes at a time, so a revision that was read is the newest. */
  synchronized View change(Ask ask) {
    UUID id = ask.uuid("id");
    Body body = new Body(ask, FIELDS_OF_CHANGE);
    Long revision = body.integer("revision", 1, Long.MAX_VALUE - 1);
    if (revision == null) {
      ask.parameters().error("revision", "it is missing", "send the revision that is changed");
    }
    View view = given(ask, id, FIELDS_OF_CHANGE, revision == null ? 1 : revision + 1);
    ask.parameters().check();
    state.require();
    View before = existing(id);
    if (revision == null || before.revision() != revision) {
      throw new ProblemException(
          Problem.of(
              "changed-meanwhile",
              409,
              "Somebody else was faster",
              "The view is at revision " + before.revision() + ": load it and change it again"));
    }
    write(view, false, ask.caller());
    return view;
  }

  synchronized Reply remove(Ask ask) {
    UUID id = ask.uuid("id");
    ask.parameters().check();
    state.require();
    View before = existing(id);
    View gone =
        new View(
            before.id(),
            before.name(),
            before.page(),
            before.query(),
            before.revision() + 1,
            now());
    write(gone, true, ask.caller());
    return Reply.nothing();
  }

  private View given(Ask ask, UUID id, List<String> fields, long revision) {
    Body body = new Body(ask, fields);
    String name = body.text("name", 1, 100);
    String page = body.text("page", 1, 40);
    String query = body.text("query", 0, 4_000);
    if (!page.isEmpty() && !PAGE.matcher(page).matches()) {
      ask.parameters().error("page", "it is no name of a page", "use small letters, digits and -");
    }
    return new View(id.toString(), name, page, query, revision, now());
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private View existing(UUID id) {
    List<Stored> found = stored(id, 1);
    if (found.isEmpty() || found.get(0).removed()) {
      throw new ProblemException(
          Problem.of("not-found", 404, "No such view", "There is no view " + id));
    }
    return found.get(0).view();
  }

  private List<Stored> stored(@Nullable UUID id, int limit) {
    return store.list(
        "saved-views",
        Map.of(
            "id_on",
            id == null ? 0 : 1,
            "after_id",
            (id == null ? CallsResource.NO_ID : id).toString(),
            "row_limit",
            limit),
        (row, context) ->
            new Stored(
                new View(
                    row.getString("id_text"),
                    row.getString("name"),
                    row.getString("page_text"),
                    row.getString("query"),
                    row.getLong("newest_revision"),
                    Instant.ofEpochMilli(row.getLong("saved_ms"))),
                row.getBoolean("removed")));
  }

  private void write(View view, boolean removed, Caller caller) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("id", view.id());
    row.put("revision", view.revision());
    row.put("name", view.name());
    row.put("page", view.page());
    row.put("query", view.query());
    row.put("removed", removed);
    row.put("saved_by", caller.name());
    row.put("saved_at", view.savedAt());
    state.write("saved_views", row, "view:" + view.id() + ":" + view.revision());
  }
}
