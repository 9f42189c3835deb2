package org.capacityobservatory.api;

import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;

/** Every resource that answers in JSON: its path, the parameters it takes, and what answers. */
final class Routes {
  /** One resource. */
  record Route(String path, List<String> parameters, Function<Parameters, Object> answer) {}

  private Routes() {}

  static List<Route> of(Store store, InstantSource clock) {
    Pipeline pipeline = new Pipeline(store);
    Health health = new Health(store);
    return List.of(
        new Route(
            "/api/v1/decisions",
            DecisionsResource.PARAMETERS,
            new DecisionsResource(store, pipeline, clock)::answer),
        new Route(
            "/api/v1/latency",
            LatencyResource.PARAMETERS,
            new LatencyResource(store, pipeline, clock)::answer),
        new Route(
            "/api/v1/calls", CallsResource.PARAMETERS, new CallsResource(store, clock)::answer),
        new Route(
            "/api/v1/config-changes",
            ConfigChangesResource.PARAMETERS,
            new ConfigChangesResource(store, clock)::answer),
        new Route(
            "/api/v1/pipeline",
            PipelineResource.PARAMETERS,
            new PipelineResource(store, pipeline, clock)::answer),
        new Route("/healthz", List.of(), checked(parameters -> health.alive())),
        new Route("/readyz", List.of(), checked(parameters -> health.ready())));
  }

  private static Function<Parameters, Object> checked(Function<Parameters, Object> answer) {
    return parameters -> {
      parameters.check();
      return answer.apply(parameters);
    };
  }
}
