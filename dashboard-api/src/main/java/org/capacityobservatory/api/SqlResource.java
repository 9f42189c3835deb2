package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.javalin.http.HandlerType;
import java.net.URLDecoder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The queries behind an answer: their text and the values bound, for somebody who asks ClickHouse
 * by hand. It answers the call anew, as the caller may, and tells by which queries; no SQL comes
 * in.
 */
final class SqlResource {
  static final List<String> PARAMETERS = List.of("call");
  private static final int MAX_CHARS = 8_000;

  /** What is answered by queries is below this. */
  private static final String API = "/api/v1/";

  /** Streams, files, and what isn't read from ClickHouse's tables. */
  private static final Set<String> WITHOUT =
      Set.of(
          "/api/v1/live",
          "/api/v1/calls.csv",
          "/api/v1/calls.ndjson",
          "/api/v1/me",
          "/api/v1/sql",
          "/api/v1/calibrations/{id}/report");

  /** Replays are asked with a body; what they read is the calls of a period. */
  private static final Set<String> REPLAYS = Set.of("/api/v1/what-if", "/api/v1/gate");

  /** Values that a viewer is not told. */
  private static final Set<String> PERSONAL = Set.of("user_id");

  private final InstantSource clock;
  private List<Routes.Route> routes = List.of();

  SqlResource(InstantSource clock) {
    this.clock = clock;
  }

  /** Makes known what there is to be asked; before the first request. */
  void over(List<Routes.Route> all) {
    routes =
        all.stream()
            .filter(route -> route.method().equals(HandlerType.GET))
            .filter(route -> route.path().startsWith(API) && !WITHOUT.contains(route.path()))
            .toList();
  }

  /** The answer; its parts are as the API's description has them. */
  record Answer(Instant asOf, String call, List<Query> queries) {}

  /** One query. */
  record Query(String name, String sql, List<Bound> parameters, String script) {}

  /** One bound value; null when it isn't for the caller. */
  record Bound(String name, String type, @Nullable String value) {}

  Answer answer(Ask ask) {
    String call = ask.parameters().one("call");
    if (call == null || call.length() > MAX_CHARS) {
      ask.parameters()
          .error(
              "call",
              call == null ? "it is missing" : "it is too long",
              "give a path of this API, such as /api/v1/decisions?from=-1h");
    }
    ask.parameters().check();
    List<Overheard> heard = heard(String.valueOf(call), ask);
    boolean personal = ask.caller().seesPersonalData();
    return new Answer(
        clock.instant(),
        String.valueOf(call),
        heard.stream()
            .distinct()
            .map(one -> ClientSql.of(one, name -> !personal && PERSONAL.contains(name)))
            .map(SqlResource::query)
            .toList());
  }

  private static Query query(ClientSql sql) {
    return new Query(
        sql.name(),
        sql.sql(),
        sql.parameters().stream().map(p -> new Bound(p.name(), p.type(), p.value())).toList(),
        sql.script());
  }

  private List<Overheard> heard(String call, Ask ask) {
    int mark = call.indexOf('?');
    String path = mark < 0 ? call : call.substring(0, mark);
    Map<String, List<String>> query = query(mark < 0 ? "" : call.substring(mark + 1), ask);
    if (REPLAYS.contains(path)) {
      return Replays.queries(period(query));
    }
    for (Routes.Route route : routes) {
      Map<String, String> inPath = match(route.path(), path);
      if (inPath != null && route.role() != null && ask.caller().role().reaches(route.role())) {
        Ask anew =
            new Ask(
                ask.caller(),
                new Parameters(query, route.parameters()),
                inPath,
                ask.body(),
                ask.session());
        return Overheard.during(
            () -> {
              Object unused = route.answer().to(anew);
            });
      }
    }
    ask.parameters()
        .error("call", "nothing is there that reads tables", "use a path of /openapi.yaml");
    ask.parameters().check();
    return List.of();
  }

  private Period period(Map<String, List<String>> query) {
    Parameters parameters = new Parameters(query, List.of("from", "to"));
    TimeRange range = TimeRange.of(parameters, clock.instant());
    parameters.check();
    return range.widest();
  }

  /** The path's own parameters; null when it is another path. */
  private static @Nullable Map<String, String> match(String template, String path) {
    Matcher names = Pattern.compile("\\{(\\w+)}").matcher(template);
    List<String> found = new ArrayList<>();
    while (names.find()) {
      found.add(names.group(1));
    }
    Matcher match =
        Pattern.compile(template.replace(".", "\\.").replaceAll("\\{\\w+}", "([^/]+)"))
            .matcher(path);
    if (!match.matches()) {
      return null;
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < found.size(); i++) {
      values.put(found.get(i), match.group(i + 1));
    }
    return values;
  }

  private static Map<String, List<String>> query(String text, Ask ask) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String pair : text.isEmpty() ? new String[0] : text.split("&", -1)) {
      int equals = pair.indexOf('=');
      try {
        values
            .computeIfAbsent(
                decoded(equals < 0 ? pair : pair.substring(0, equals)), name -> new ArrayList<>())
            .add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
      } catch (IllegalArgumentException e) {
        ask.parameters().error("call", "its query string is malformed", "write a % as %25");
        ask.parameters().check();
      }
    }
    return values;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, UTF_8);
  }
}
