package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.junit.jupiter.api.Test;

class ApiDescriptionTest {
  private static final ApiDescription DESCRIPTION = ApiDescription.read();

  /** Described and not built yet, or not as described yet. */
  private static final List<String> NOT_BUILT =
      List.of(
          "/api/v1/latency/heatmap",
          "/api/v1/lanes",
          "/api/v1/lanes/heatmap",
          "/api/v1/lanes/binding",
          "/api/v1/lanes/intervals",
          "/api/v1/usage",
          "/api/v1/runs",
          "/api/v1/calls/{event_id}",
          "/api/v1/calls.csv",
          "/api/v1/calls.ndjson",
          "/api/v1/live",
          "/api/v1/quality",
          "/api/v1/dead-letters",
          "/api/v1/verification",
          "/api/v1/me",
          "/api/v1/session",
          "/api/v1/views",
          "/api/v1/views/{id}",
          "/api/v1/calibrations",
          "/api/v1/calibrations/{id}",
          "/api/v1/calibrations/{id}/report",
          "/api/v1/what-if",
          "/api/v1/alarms",
          "/api/v1/alarms/history",
          "/api/v1/alarms/silences",
          "/api/v1/alarms/silences/{id}",
          "/api/v1/alarms/backtest",
          "/docs");

  private static List<Routes.Route> routes() {
    ClickHouseConfig nowhere =
        new ClickHouseConfig(URI.create("http://127.0.0.1:1"), "reader", "", "capacity");
    Store store = new Store(nowhere, QueryLimits.DEFAULT, new SimpleMeterRegistry());
    return Routes.of(store, InstantSource.system());
  }

  @Test
  void describesEveryRouteAndNoOther() {
    List<String> paths = new ArrayList<>(routes().stream().map(Routes.Route::path).toList());
    paths.addAll(List.of("/metrics", "/openapi.yaml"));
    paths.addAll(NOT_BUILT);

    assertThat(DESCRIPTION.paths()).containsExactlyInAnyOrderElementsOf(paths);
  }

  @Test
  void describesTheParametersOfEachRoute() {
    for (Routes.Route route : routes()) {
      assertThat(DESCRIPTION.parameters(route.path()).stream().map(p -> p.get("name").asText()))
          .as(route.path())
          .containsExactlyInAnyOrderElementsOf(route.parameters());
      assertThat(DESCRIPTION.parameters(route.path()))
          .as(route.path())
          .allSatisfy(parameter -> assertThat(parameter.path("description").asText()).isNotBlank());
    }
  }

  @Test
  void namesTheSameChoices() {
    assertThat(choices("/api/v1/decisions", "group_by")).isEqualTo(DecisionsResource.GROUPINGS);
    assertThat(choices("/api/v1/latency", "group_by")).isEqualTo(LatencyResource.GROUPINGS);
    assertThat(choices("/api/v1/latency", "measure")).isEqualTo(LatencyResource.MEASURES);
  }

  private static List<String> choices(String path, String parameter) {
    JsonNode schema =
        DESCRIPTION.parameters(path).stream()
            .filter(p -> p.get("name").asText().equals(parameter))
            .findFirst()
            .orElseThrow()
            .get("schema");
    return StreamSupport.stream(schema.get("enum").spliterator(), false)
        .map(JsonNode::asText)
        .toList();
  }

  @Test
  void itsExamplesAreAsItsSchemasSay() {
    for (Routes.Route route : routes()) {
      JsonNode example = DESCRIPTION.jsonContent(route.path()).path("example");
      assertThat(example.isObject()).as("example of " + route.path()).isTrue();
      assertThat(DESCRIPTION.differences(route.path(), example)).as(route.path()).isEmpty();
    }
    DESCRIPTION
        .problemContent()
        .get("examples")
        .forEach(
            example -> assertThat(DESCRIPTION.problemDifferences(example.get("value"))).isEmpty());
  }

  @Test
  void theCheckFindsWhatIsWrong() {
    ObjectNode wrong = DESCRIPTION.jsonContent("/api/v1/decisions").get("example").deepCopy();
    wrong.remove("unit");
    wrong.put("extra", 1).put("refused_share", 1.5).put("from", "yesterday").put("calls", "12");

    assertThat(DESCRIPTION.differences("/api/v1/decisions", wrong))
        .containsExactlyInAnyOrder(
            "$ has no unit",
            "$.extra is not described",
            "$.refused_share is 1.5, outside its bounds",
            "$.from is yesterday, no time",
            "$.calls is \"12\", not \"integer\"");
  }
}
