package org.capacityobservatory.api;

import io.javalin.http.HandlerType;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Every resource: its method and path, the least role, the parameters it takes, what answers. */
final class Routes {
  /** Answers a request: with a {@link Reply}, a stream, or what is to be JSON. */
  interface Answer {
    Object to(Ask ask);
  }

  /**
   * One resource.
   *
   * @param role the least role; null lets everyone in
   * @param shared whether all of a role who ask the same may have the same answer
   */
  record Route(
      HandlerType method,
      String path,
      @Nullable Role role,
      List<String> parameters,
      Answer answer,
      boolean shared) {
    Route(
        HandlerType method,
        String path,
        @Nullable Role role,
        List<String> parameters,
        Answer answer) {
      this(method, path, role, parameters, answer, false);
    }

    boolean changesState() {
      return !method.equals(HandlerType.GET) && (role == null || role.reaches(Role.OPERATOR));
    }

    /** Whether it asks ClickHouse while one waits; streams do so for all at once. */
    boolean queries() {
      return method.equals(HandlerType.GET)
          && path.startsWith("/api/v1/")
          && !path.equals("/api/v1/live")
          && !path.equals("/api/v1/me");
    }

    boolean takesBody() {
      return method.equals(HandlerType.POST) || method.equals(HandlerType.PUT);
    }
  }

  private static final List<String> NONE = List.of();

  private Routes() {}

  static List<Route> of(Resources to) {
    List<Route> routes = all(to);
    to.sql.over(routes);
    return routes;
  }

  private static List<Route> all(Resources to) {
    return List.of(
        shared("/api/v1/decisions", DecisionsResource.PARAMETERS, to.decisions::answer),
        shared("/api/v1/latency", LatencyResource.PARAMETERS, to.latency::answer),
        shared("/api/v1/latency/heatmap", LatencyHeatmap.PARAMETERS, to.latencyHeatmap::answer),
        shared("/api/v1/lanes", LanesResource.PARAMETERS, to.lanes::answer),
        shared("/api/v1/lanes/heatmap", LaneTimes.HEATMAP_PARAMETERS, to.laneTimes::heatmap),
        shared("/api/v1/lanes/binding", LaneTimes.BINDING_PARAMETERS, to.laneTimes::binding),
        shared("/api/v1/lanes/intervals", LaneIntervals.PARAMETERS, to.laneIntervals::answer),
        shared("/api/v1/usage", UsageResource.PARAMETERS, to.usage::answer),
        shared("/api/v1/runs", RunsResource.PARAMETERS, to.runs::answer),
        shared("/api/v1/calls", CallsResource.PARAMETERS, to.calls::answer),
        viewer("/api/v1/calls.csv", CallsResource.PARAMETERS, to.export::csv),
        viewer("/api/v1/calls.ndjson", CallsResource.PARAMETERS, to.export::ndjson),
        shared("/api/v1/calls/{event_id}", CallStory.PARAMETERS, to.story::answer),
        shared(
            "/api/v1/config-changes", ConfigChangesResource.PARAMETERS, to.configChanges::answer),
        shared("/api/v1/pipeline", PipelineResource.PARAMETERS, to.pipeline::answer),
        shared("/api/v1/quality", QualityResource.PARAMETERS, to.quality::answer),
        shared("/api/v1/dead-letters", DeadLettersResource.PARAMETERS, to.deadLetters::answer),
        shared("/api/v1/verification", VerificationResource.PARAMETERS, to.verification::answer),
        viewer("/api/v1/sql", SqlResource.PARAMETERS, to.sql::answer),
        viewer("/api/v1/live", Live.FILTERS, to.live::stream),
        viewer("/api/v1/me", NONE, to.session::me),
        new Route(HandlerType.POST, "/api/v1/session", null, NONE, to.session::logIn),
        new Route(HandlerType.DELETE, "/api/v1/session", null, NONE, to.session::logOut),
        viewer("/api/v1/views", NONE, to.views::list),
        operator(HandlerType.POST, "/api/v1/views", to.views::save),
        operator(HandlerType.PUT, "/api/v1/views/{id}", to.views::change),
        operator(HandlerType.DELETE, "/api/v1/views/{id}", to.views::remove),
        viewer("/api/v1/calibrations", NONE, to.calibrations::list),
        operator(HandlerType.POST, "/api/v1/calibrations", to.calibrations::start),
        viewer("/api/v1/calibrations/{id}", NONE, to.calibrations::one),
        operator(HandlerType.DELETE, "/api/v1/calibrations/{id}", to.calibrations::cancel),
        operator(HandlerType.GET, "/api/v1/calibrations/{id}/report", to.calibrations::report),
        new Route(HandlerType.POST, "/api/v1/what-if", Role.VIEWER, NONE, to.whatIf::answer),
        new Route(HandlerType.POST, "/api/v1/gate", Role.VIEWER, NONE, to.gate::answer),
        viewer("/api/v1/alarms", NONE, to.alarms::list),
        viewer("/api/v1/alarms/history", AlarmsResource.HISTORY_PARAMETERS, to.alarms::history),
        viewer("/api/v1/alarms/silences", NONE, to.alarms::silences),
        operator(HandlerType.POST, "/api/v1/alarms/silences", to.alarms::silence),
        operator(HandlerType.DELETE, "/api/v1/alarms/silences/{id}", to.alarms::end),
        new Route(
            HandlerType.POST, "/api/v1/alarms/backtest", Role.VIEWER, NONE, to.alarms::backtest),
        viewer("/openapi.yaml", NONE, checked(ask -> Description.yaml())),
        viewer("/docs", NONE, checked(ask -> Description.page())),
        new Route(HandlerType.GET, "/healthz", null, NONE, checked(ask -> to.health.alive())),
        viewer("/readyz", NONE, checked(ask -> to.health.ready())));
  }

  private static Route viewer(String path, List<String> parameters, Answer answer) {
    return new Route(HandlerType.GET, path, Role.VIEWER, parameters, answer);
  }

  private static Route shared(String path, List<String> parameters, Answer answer) {
    return new Route(HandlerType.GET, path, Role.VIEWER, parameters, answer, true);
  }

  private static Route operator(HandlerType method, String path, Answer answer) {
    return new Route(method, path, Role.OPERATOR, NONE, answer);
  }

  private static Answer checked(Function<Ask, Object> answer) {
    return ask -> {
      ask.parameters().check();
      return answer.apply(ask);
    };
  }
}
