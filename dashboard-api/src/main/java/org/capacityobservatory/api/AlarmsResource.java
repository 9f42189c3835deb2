package org.capacityobservatory.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.StringReader;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.capacityobservatory.alarms.AlarmRule;
import org.capacityobservatory.alarms.AlarmRules;
import org.capacityobservatory.alarms.AlarmRulesException;
import org.capacityobservatory.alarms.AlarmState;
import org.capacityobservatory.alarms.Backtest;
import org.capacityobservatory.alarms.ClickHouseFacts;
import org.capacityobservatory.alarms.Labels;
import org.capacityobservatory.alarms.SeriesKey;
import org.capacityobservatory.alarms.Silence;
import org.capacityobservatory.alarms.Transition;
import org.jspecify.annotations.Nullable;

/** Alarms: their rules, where they stand, how they changed, silences, and back-tests. */
final class AlarmsResource {
  static final List<String> HISTORY_PARAMETERS = List.of("from", "to", "rule", "limit", "cursor");

  private static final int MOST = 1_000;
  private static final Duration EVALUATOR_SILENT_AFTER = Duration.ofMinutes(2);
  private static final Duration LONGEST_SILENCE = Duration.ofDays(31);
  private static final Duration LONGEST_BACKTEST = Duration.ofDays(31);
  private static final List<String> SILENCE_FIELDS =
      List.of("rule", "group", "from", "to", "reason");
  private static final List<String> BACKTEST_FIELDS = List.of("rule", "from", "to");

  private final Store store;
  private final Store costly;
  private final StateStore state;
  private final InstantSource clock;

  AlarmsResource(Store store, Store costly, StateStore state, InstantSource clock) {
    this.store = store;
    this.costly = costly;
    this.state = state;
    this.clock = clock;
  }

  /** Every alarm's rule and present state. */
  record Answer(
      Instant asOf, @Nullable Instant evaluatedAt, boolean evaluatorSilent, List<Alarm> alarms) {}

  /** One series of a rule, or a rule none of whose series ever left inactive. */
  record Alarm(
      String rule,
      String summary,
      String severity,
      String state,
      Map<String, String> group,
      @Nullable Instant since,
      @Nullable Double value,
      @Nullable Double threshold,
      @Nullable String unit,
      @Nullable Instant windowEnd,
      String says,
      @Nullable Instant silencedUntil,
      String definition) {}

  private record Heartbeat(@Nullable Instant evaluatedAt, Instant heartbeatAt) {}

  Answer list(Ask ask) {
    ask.parameters().check();
    Instant now = clock.instant();
    boolean personal = ask.caller().seesPersonalData();
    Map<String, AlarmRule> rules = new LinkedHashMap<>();
    AlarmRules.shipped().forEach(rule -> rules.put(rule.name(), rule));
    List<Silence> silences = silences(now);
    List<Alarm> alarms =
        new ArrayList<>(
            store.list(
                "alarm-states",
                Map.of("row_limit", MOST),
                (row, context) -> alarm(row, rules, silences, personal, now)));
    alarms.forEach(alarm -> rules.remove(alarm.rule()));
    rules.values().forEach(rule -> alarms.add(quiet(rule, silences, now)));
    List<Heartbeat> heartbeat =
        store.list(
            "alarm-evaluator",
            Map.of(),
            (row, context) ->
                new Heartbeat(
                    Rows.time(row, "evaluated_ms"),
                    Instant.ofEpochMilli(row.getLong("heartbeat_ms"))));
    boolean silent =
        heartbeat.stream()
            .allMatch(h -> h.heartbeatAt().isBefore(now.minus(EVALUATOR_SILENT_AFTER)));
    return new Answer(
        now, heartbeat.isEmpty() ? null : heartbeat.get(0).evaluatedAt(), silent, alarms);
  }

  private static Alarm alarm(
      ResultSet row,
      Map<String, AlarmRule> rules,
      List<Silence> silences,
      boolean personal,
      Instant now)
      throws SQLException {
    String name = row.getString("rule_text");
    Map<String, String> labels = labels(row.getString("labels"));
    AlarmRule rule = rules.get(name);
    return new Alarm(
        name,
        rule == null ? name : summary(rule),
        row.getString("severity_text"),
        row.getString("state_text"),
        shown(labels, personal),
        Rows.time(row, "firing_since_ms"),
        number(row, "value"),
        rule == null ? null : (Double) rule.expression().threshold(),
        null,
        Rows.time(row, "event_ms"),
        says(labels, row.getString("summary"), personal),
        silencedUntil(silences, name, labels, now),
        rule == null ? "" : definition(rule));
  }

  private static Alarm quiet(AlarmRule rule, List<Silence> silences, Instant now) {
    return new Alarm(
        rule.name(),
        summary(rule),
        rule.labels().getOrDefault("severity", "ticket"),
        AlarmState.INACTIVE.word(),
        Map.of(),
        null,
        null,
        rule.expression().threshold(),
        null,
        null,
        "",
        silencedUntil(silences, rule.name(), Map.of(), now),
        definition(rule));
  }

  private static String summary(AlarmRule rule) {
    return rule.annotations().getOrDefault("summary", rule.name());
  }

  private static String definition(AlarmRule rule) {
    return rule.expression() + " for " + rule.holdFor().toMinutes() + "m";
  }

  /** Who a series is about may be personal; then a viewer gets no name and no text with it. */
  private static Map<String, String> shown(Map<String, String> labels, boolean personal) {
    if (personal || !labels.containsKey(Labels.PERSONAL)) {
      return labels;
    }
    Map<String, String> shown = new TreeMap<>(labels);
    shown.remove(Labels.PERSONAL);
    return shown;
  }

  private static String says(Map<String, String> labels, String summary, boolean personal) {
    return personal || !labels.containsKey(Labels.PERSONAL) ? summary : "One user's series";
  }

  private static @Nullable Instant silencedUntil(
      List<Silence> silences, String rule, Map<String, String> labels, Instant now) {
    Map<String, String> all = new HashMap<>(labels);
    all.put(Silence.ALERT_NAME, rule);
    return silences.stream()
        .filter(s -> !now.isBefore(s.startsAt()) && now.isBefore(s.endsAt()))
        .filter(
            s ->
                s.matchers().entrySet().stream()
                    .allMatch(m -> m.getValue().equals(all.get(m.getKey()))))
        .map(Silence::endsAt)
        .max(Instant::compareTo)
        .orElse(null);
  }

  private static Map<String, String> labels(@Nullable String json) {
    Map<String, String> labels = new TreeMap<>();
    if (json != null) {
      for (Map.Entry<String, JsonNode> entry : Json.tree(json).properties()) {
        labels.put(entry.getKey(), entry.getValue().asText());
      }
    }
    return labels;
  }

  private static @Nullable Double number(ResultSet row, String column) throws SQLException {
    double value = row.getDouble(column);
    return row.wasNull() || Double.isNaN(value) || Double.isInfinite(value) ? null : (Double) value;
  }

  /** A page of changes; next_cursor is null on the last. */
  record History(
      @Nullable Instant from,
      @Nullable Instant to,
      Instant asOf,
      List<Change> changes,
      @Nullable String nextCursor) {}

  /**
   * How one series changed.
   *
   * @param told receiver to what became of telling it: pending, delivered, given-up, silenced, late
   */
  record Change(
      String id,
      Instant at,
      String rule,
      Map<String, String> group,
      String before,
      String after,
      @Nullable Double value,
      String says,
      Map<String, String> told) {}

  History history(Ask ask) {
    Parameters parameters = ask.parameters();
    Instant now = clock.instant();
    TimeRange range = TimeRange.of(parameters, now);
    List<String> rules = parameters.many("rule");
    Long asked = parameters.integer("limit", 1, CallsResource.MAX_LIMIT);
    Cursor cursor = Cursor.of(parameters);
    parameters.check();

    int limit = asked == null ? CallsResource.DEFAULT_LIMIT : Math.toIntExact(asked);
    boolean personal = ask.caller().seesPersonalData();
    Filters filters =
        new Filters().list("rule", rules).over(range.widest()).with("row_limit", limit + 1);
    filters.values().putAll(CallsResource.after(cursor));
    List<Change> changes =
        store.list(
            "alarm-history",
            filters.values(),
            filters.lists(),
            (row, context) -> change(row, personal));
    String next = null;
    if (changes.size() > limit) {
      changes = changes.subList(0, limit);
      Change last = changes.get(limit - 1);
      next = new Cursor(last.at().toEpochMilli(), UUID.fromString(last.id())).text();
    }
    return new History(range.from(), range.to(), now, changes, next);
  }

  private static Change change(ResultSet row, boolean personal) throws SQLException {
    Map<String, String> labels = labels(row.getString("labels"));
    return new Change(
        row.getString("id_text"),
        Instant.ofEpochMilli(row.getLong("event_ms")),
        row.getString("rule_text"),
        shown(labels, personal),
        row.getString("from_text"),
        row.getString("to_text"),
        number(row, "value"),
        says(labels, row.getString("summary"), personal),
        labels(row.getString("deliveries_json")));
  }

  /** Silences in force or to come. */
  record SilenceList(Instant asOf, List<ShownSilence> silences) {}

  /** A silence as the API has it. */
  record ShownSilence(
      String id,
      String rule,
      Map<String, String> group,
      Instant from,
      Instant to,
      String reason,
      long revision) {}

  SilenceList silences(Ask ask) {
    ask.parameters().check();
    Instant now = clock.instant();
    boolean personal = ask.caller().seesPersonalData();
    return new SilenceList(now, silences(now).stream().map(s -> shown(s, personal)).toList());
  }

  private static ShownSilence shown(Silence silence, boolean personal) {
    Map<String, String> group = new TreeMap<>(silence.matchers());
    String rule = group.remove(Silence.ALERT_NAME);
    return new ShownSilence(
        silence.id().toString(),
        rule == null ? "" : rule,
        shown(group, personal),
        silence.startsAt(),
        silence.endsAt(),
        silence.reason(),
        silence.revision());
  }

  private List<Silence> silences(Instant now) {
    return store.list(
        "alarm-silences",
        Map.of("from_ms", now.toEpochMilli(), "row_limit", MOST),
        (row, context) ->
            new Silence(
                UUID.fromString(row.getString("id_text")),
                labels(row.getString("matchers")),
                row.getString("reason"),
                row.getString("created_by"),
                Instant.ofEpochMilli(row.getLong("starts_ms")),
                Instant.ofEpochMilli(row.getLong("ends_ms")),
                row.getLong("revision")));
  }

  Reply silence(Ask ask) {
    Body body = new Body(ask, SILENCE_FIELDS);
    Instant now = clock.instant();
    String rule = body.text("rule", 1, 200);
    Map<String, String> matchers = new TreeMap<>(body.words("group"));
    matchers.put(Silence.ALERT_NAME, rule);
    Instant from = body.timeOrNull("from");
    Instant start = from == null ? now : from;
    Instant to = body.time("to");
    String reason = body.text("reason", 1, 300);
    if (!start.isBefore(to) || Duration.between(start, to).compareTo(LONGEST_SILENCE) > 0) {
      ask.parameters()
          .error(
              "to", "it is not after from, or over 31 days later", "give a later or nearer time");
    }
    if (reason.isBlank()) {
      ask.parameters().error("reason", "it is blank", "say why, for those who come after");
    }
    ask.parameters().check();
    Silence silence =
        new Silence(UUID.randomUUID(), matchers, reason, ask.caller().name(), start, to, 1);
    write(silence);
    return Reply.json(201, shown(silence, true));
  }

  Reply end(Ask ask) {
    UUID id = ask.uuid("id");
    ask.parameters().check();
    Instant now = clock.instant();
    Silence silence =
        silences(now).stream()
            .filter(s -> s.id().equals(id))
            .findFirst()
            .orElseThrow(
                () ->
                    new ProblemException(
                        Problem.of(
                            "not-found",
                            404,
                            "No such silence",
                            "There is no silence " + id + ", or it has ended")));
    write(silence.endedBy(ask.caller().name(), now));
    return Reply.nothing();
  }

  private void write(Silence silence) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("id", silence.id().toString());
    row.put("matchers", Json.text(silence.matchers()));
    row.put("reason", silence.reason());
    row.put("created_by", silence.createdBy());
    row.put("starts_at", silence.startsAt());
    row.put("ends_at", silence.endsAt());
    row.put("revision", silence.revision());
    state.write("alarm_silences", row, "silence-" + silence.id() + "-" + silence.revision());
  }

  /** What a rule would have done. */
  record BacktestAnswer(
      Instant from,
      Instant to,
      Instant asOf,
      long evaluations,
      long fired,
      double firingSeconds,
      double unknownSeconds,
      List<BacktestChange> changes) {}

  /** How one series would have changed. */
  record BacktestChange(
      Instant at,
      Map<String, String> group,
      String before,
      String after,
      @Nullable Double value,
      String says) {}

  BacktestAnswer backtest(Ask ask) {
    Body body = new Body(ask, BACKTEST_FIELDS);
    String text = body.text("rule", 1, 20_000);
    Period period = body.period();
    if (period.length().compareTo(LONGEST_BACKTEST) > 0) {
      ask.parameters().error("from", "the range is longer than 31 days", "ask for less");
    }
    ask.parameters().check();
    List<AlarmRule> rules = rules(text, ask.parameters());
    Backtest.Result result =
        costly.using(
            "backtest",
            jdbi -> Backtest.run(rules, new ClickHouseFacts(jdbi), period.from(), period.to()));
    if (!result.skipped().isEmpty()) {
      ask.parameters()
          .error(
              "rule",
              "its metric is only known of now: " + String.join(", ", result.skipped()),
              "back-test a rule over a metric with history");
      ask.parameters().check();
    }
    boolean personal = ask.caller().seesPersonalData();
    return new BacktestAnswer(
        period.from(),
        period.to(),
        clock.instant(),
        period.length().toMinutes(),
        result.firings(),
        seconds(result.transitions(), AlarmState.FIRING, period.to()),
        seconds(result.transitions(), AlarmState.NO_DATA, period.to()),
        result.transitions().stream().map(t -> change(t, personal)).toList());
  }

  private static List<AlarmRule> rules(String text, Parameters parameters) {
    try {
      return AlarmRules.parse("rule", new StringReader(text));
    } catch (AlarmRulesException e) {
      e.problems()
          .forEach(
              problem ->
                  parameters.error(
                      "rule", Parameters.shown(problem), "write it as in a file of rules"));
      parameters.check();
      return List.of();
    }
  }

  /** For how long series stood in a state, all together. */
  private static double seconds(List<Transition> transitions, AlarmState state, Instant end) {
    Map<SeriesKey, Instant> since = new HashMap<>();
    double seconds = 0;
    for (Transition transition : transitions) {
      Instant entered = since.remove(transition.series());
      if (entered != null) {
        seconds += Duration.between(entered, transition.at()).toMillis() / 1_000.0;
      }
      if (transition.to() == state) {
        since.put(transition.series(), transition.at());
      }
    }
    for (Instant entered : since.values()) {
      seconds += Math.max(0, Duration.between(entered, end).toMillis() / 1_000.0);
    }
    return seconds;
  }

  private static BacktestChange change(Transition transition, boolean personal) {
    Map<String, String> labels = transition.series().labels().asMap();
    return new BacktestChange(
        transition.at(),
        shown(labels, personal),
        transition.from().word(),
        transition.to().word(),
        transition.value().isPresent() && !Double.isNaN(transition.value().getAsDouble())
            ? (Double) transition.value().getAsDouble()
            : null,
        says(labels, transition.summary(), personal));
  }
}
