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
import org.capacityobservatory.api.ApiDescription.Operation;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.junit.jupiter.api.Test;

class ApiDescriptionTest {
  private static final ApiDescription DESCRIPTION = ApiDescription.read();

  private static List<Routes.Route> routes() {
    ClickHouseConfig nowhere =
        new ClickHouseConfig(URI.create("http://127.0.0.1:1"), "reader", "", "capacity");
    try (Resources resources =
        new Resources(ApiConfig.of(nowhere), new SimpleMeterRegistry(), InstantSource.system())) {
      return Routes.of(resources);
    }
  }

  private static Operation operation(Routes.Route route) {
    return new Operation(route.method().name(), route.path());
  }

  @Test
  void describesEveryRouteAndNoOther() {
    List<Operation> built = new ArrayList<>(routes().stream().map(r -> operation(r)).toList());
    built.add(new Operation("GET", "/metrics"));

    assertThat(DESCRIPTION.operations()).containsExactlyInAnyOrderElementsOf(built);
  }

  @Test
  void describesTheParametersAndTheRoleOfEachRoute() {
    for (Routes.Route route : routes()) {
      Operation operation = operation(route);
      List<JsonNode> described = DESCRIPTION.parameters(operation);
      assertThat(
              described.stream()
                  .filter(p -> p.get("in").asText().equals("query"))
                  .map(p -> p.get("name").asText()))
          .as(operation.toString())
          .containsExactlyInAnyOrderElementsOf(route.parameters());
      assertThat(
              described.stream()
                  .filter(p -> p.get("in").asText().equals("path"))
                  .map(p -> "{" + p.get("name").asText() + "}"))
          .as(operation.toString())
          .allMatch(name -> route.path().contains(name));
      assertThat(described)
          .as(operation.toString())
          .allSatisfy(parameter -> assertThat(parameter.path("description").asText()).isNotBlank());
      Role role = route.role();
      assertThat(DESCRIPTION.role(operation))
          .as(operation.toString())
          .isEqualTo(role == null ? "none" : role.word());
    }
  }

  @Test
  void namesTheSameChoices() {
    assertThat(choices("/api/v1/decisions", "group_by")).isEqualTo(DecisionsResource.GROUPINGS);
    assertThat(choices("/api/v1/latency", "group_by")).isEqualTo(LatencyResource.GROUPINGS);
    assertThat(choices("/api/v1/latency", "measure")).isEqualTo(LatencyResource.MEASURES);
    assertThat(choices("/api/v1/lanes", "group_by")).isEqualTo(LanesResource.GROUPINGS);
    assertThat(choices("/api/v1/lanes/intervals", "lane")).isEqualTo(LaneIntervals.LANES);
    assertThat(choices("/api/v1/usage", "group_by")).isEqualTo(UsageResource.GROUPINGS);
    assertThat(choices("/api/v1/usage", "order")).isEqualTo(UsageResource.ORDERS);
    assertThat(choices("/api/v1/runs", "order")).isEqualTo(RunsResource.ORDERS);
    assertThat(choices("/api/v1/dead-letters", "stage")).isEqualTo(DeadLettersResource.STAGES);
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
    int examples = 0;
    for (Operation operation : DESCRIPTION.operations()) {
      JsonNode example = DESCRIPTION.jsonContent(operation).path("example");
      if (example.isObject()) {
        examples++;
        assertThat(DESCRIPTION.differences(operation, example)).as(operation.toString()).isEmpty();
      }
      JsonNode body = DESCRIPTION.bodyContent(operation).path("example");
      if (body.isObject()) {
        examples++;
        assertThat(DESCRIPTION.bodyDifferences(operation, body)).as(operation.toString()).isEmpty();
      }
    }
    assertThat(examples).isGreaterThan(30);
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
